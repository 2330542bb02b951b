"""Running matches in their tenth deal: copies of one, each with players of its own."""

from collections.abc import Iterator
from copy import copy
from random import Random
from typing import NamedTuple

from games.engine import action_text, apply, legal_actions, match_over, next_deal, to_act
from games.engine.shuffle import deal_hands
from games.models import ApiToken, Deal, Match, Player, Seat
from games.positions import position
from games.services.matches import create_match
from tests.games.play import bots_play_deals

DEALS_PLAYED = 9


class Move(NamedTuple):
    seat: int
    action: str
    version: int


class World:
    """Players with tokens, four for each client, and one match to copy."""

    def __init__(self, clients: int) -> None:
        players = Player.objects.bulk_create(Player(username=f"p{number}") for number in range(4 * clients))
        self.players = [players[first : first + 4] for first in range(0, len(players), 4)]
        self.tokens = [[ApiToken.objects.create(user=player)[1] for player in four] for four in self.players]
        self.match = create_match(rules="cardkings", options={}, seats=self.players[0])
        bots_play_deals(self.match, DEALS_PLAYED)
        self.match.refresh_from_db()
        self.made = 0
        self.moves = list(rest_of(self.match, Random(1)))

    def copies(self, name: str = "") -> list[str]:
        """New copies of the match, one for each client: their codes, ``name`` and the client's number."""
        self.made += 1
        name = name or f"r{self.made}c"
        deals = list(self.match.deals.all())
        matches = [self._renamed(f"{name}{client}") for client in range(len(self.players))]
        Match.objects.bulk_create(matches)
        Seat.objects.bulk_create(
            Seat(match=match, player=player, index=index)
            for match, four in zip(matches, self.players, strict=True)
            for index, player in enumerate(four)
        )
        Deal.objects.bulk_create(_of_match(deal, match) for match in matches for deal in deals)
        return [match.code for match in matches]

    def _renamed(self, code: str) -> Match:
        match = copy(self.match)
        match.pk, match.code, match._state = None, code, type(match._state)()
        return match


def _of_match(deal: Deal, match: Match) -> Deal:
    names = [field.attname for field in Deal._meta.concrete_fields if field.attname != "match_id"]
    return Deal(match=match, **{name: getattr(deal, name) for name in names})


def rest_of(match: Match, rng: Random) -> Iterator[Move]:
    """Random legal actions to the end of a match, worked out here so that clients need not read."""
    state = position(match, list(match.deals.all()))[0].state
    while True:
        while seats := to_act(state):
            action = rng.choice(legal_actions(state, seats[0]))
            yield Move(seats[0], action_text(action), state.version)
            apply(state, action)
        if match_over(state):
            return
        dealt = deal_hands(match.secret, state.number + 1, state.options)
        state = next_deal(state, dealt.hands, dealt.redealt)
