"""Table space of finished matches: `python -m tests.bench.space` on a database that nobody else uses.

Matches of 20 deals are played through the service as a worker plays them, 16 actions a transaction, and
nothing is vacuumed. Tables and their indexes begin with pages that are all but empty, so what counts is how
much they grow after the first matches.
"""

import json

import django
from django.db import connection

MATCH_TABLES = ("games_match", "games_seat", "games_deal")
RATING_TABLES = ("ratings_ledgermatch", "ratings_ratingchange")
FIRST, LAST = 20, 80


def main() -> None:
    from games.models import Match, Player, Seat
    from ratings.services import rate_finished

    players = Player.objects.bulk_create(Player(username=f"player{number}") for number in range(4))
    before = 0
    for number in range(LAST):
        if number == FIRST:
            before = size(MATCH_TABLES)
        play_match()
    games = size(MATCH_TABLES) - before

    # House bots are not rated. Say now that people sat there.
    for index, player in enumerate(players):
        Seat.objects.filter(index=index).update(bot="", player=player)
    ids = list(Match.objects.values_list("pk", flat=True))
    Match.objects.filter(pk__in=ids[FIRST:]).update(rated=False)
    rate_finished()
    before = size(RATING_TABLES)
    Match.objects.update(rated=True)
    rate_finished()
    ratings = size(RATING_TABLES) - before
    print(json.dumps({"games": games / (LAST - FIRST), "ratings": ratings / (LAST - FIRST)}))


def play_match() -> None:
    from games.models import Match
    from games.services.matches import create_match
    from games.services.moves import play_bot_move

    match = create_match(rules="dananeer", options={}, seats=["random"] * 4)
    while play_bot_move(match.pk, limit=16).bots_pending:
        pass
    assert Match.objects.get(pk=match.pk).status == Match.Status.FINISHED


def size(tables: tuple[str, ...]) -> int:
    """Bytes of these tables with all that belongs to them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest(%s::text[]) name", [list(tables)]
        )
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    django.setup()
    main()
