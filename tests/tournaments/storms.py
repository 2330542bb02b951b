"""Whole tournaments from a seed, played by bots through everyone's services, in bad weather.

A `Storm` writes down what it did as facts of its own, by names: checks need not believe the database.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from games.models import Match, Player
from games.services.matches import leave
from games.services.moves import come_back, play_bot_move
from ratings.services import rate_finished
from tests.tournaments.conftest import NAMES
from tournaments.models import Entry, Round, Stage, Table, Tournament
from tournaments.services import entries, life, results, rounds
from tournaments.simulation import play_match
from tournaments.standings import METRICS
from tournaments.tasks import record_result, sweep
from trix_site.common.errors import ProblemError

SINGLES = ("cardkings-complex", "dananeer-complex")
PARTNERS = ("cardkings-complex-partners",)

Settings = dict[str, Any]
Where = tuple[int, int]
"""A round's number and a table's."""


@dataclass(frozen=True)
class Source:
    """Where a table's result comes from: `match` (its code), `hand` (scores), `record` (text), `annulled`."""

    kind: str
    value: Any = None


# What is played


def swiss(rng: random.Random) -> Settings:
    return {"stages": [{"format": "swiss", "rounds": rng.randint(2, 4)}]}


def groups(rng: random.Random) -> Settings:
    return {"stages": [{"format": "swiss", "rounds": rng.randint(2, 3), "groups": rng.randint(2, 3)}]}


def rotating(rng: random.Random) -> Settings:
    return {**swiss(rng), "rules": rng.choice(PARTNERS)}


def same_cards(rng: random.Random) -> Settings:
    return {**swiss(rng), "same_cards": True, "metrics": ["table_points", "duplicate", "best_deal"]}


KINDS: dict[str, Callable[[random.Random], Settings]] = {
    "swiss": swiss,
    "groups": groups,
    "rotating": rotating,
    "same_cards": same_cards,
}


def settings_of(kind: str, rng: random.Random) -> Settings:
    """A tournament of this kind, all else by chance."""
    metrics = rng.sample(list(METRICS), rng.randint(2, 5))
    chosen = {
        "rules": rng.choice(SINGLES),
        "seed": rng.getrandbits(40),
        "metrics": metrics if rng.random() < 0.5 else list(dict.fromkeys(["table_points", *metrics])),
        "place_points": rng.choice([[4, 2, 1, 0], [4, 2, 1, 0], [3, 2, 1, 0], [5, 3, 3, 1]]),
        "bot_level": rng.choice(["random", "greedy"]),
    }
    return chosen | KINDS[kind](rng)


# What goes wrong

TROUBLES: dict[str, list[tuple[float, str]]] = {}


def trouble(chance: float, *moments: str) -> Callable[[Callable[["Storm"], None]], Any]:
    """It happens with this chance at each of these moments: before, drawn, playing, closed, finished."""

    def register(method: Callable[["Storm"], None]) -> Callable[["Storm"], None]:
        for moment in moments:
            TROUBLES.setdefault(moment, []).append((chance, method.__name__))
        return method

    return register


class Storm:
    """One tournament. `closed` is called after each round; `log` is what the audit log must tell."""

    def __init__(self, seed: int, kind: str, closed: Callable[["Storm", Round], None]) -> None:
        self.seed, self.kind, self.closed = seed, kind, closed
        self.rng = random.Random(f"{kind}:{seed}")
        self.log: Counter[str] = Counter()
        self.sources: dict[Where, Source] = {}
        self.announced: dict[int, list[Settings]] = {}
        self.active: dict[int, set[str]] = {}
        self.organiser = Player.objects.create_user(f"organiser-{seed}")
        self.people = [Player.objects.create_user(f"{name}-{seed}") for name in NAMES]
        self.rng.shuffle(self.people)
        self.unentered = list(self.people)

    def play(self) -> Tournament:
        """From the first idea to the final standings."""
        self.create()
        self.happen("before")
        life.start(slug=self.slug, actor=self.organiser)
        self.did("started")
        while self.play_round():
            pass
        life.finish(slug=self.slug, actor=self.organiser)
        self.did("finished")
        self.happen("finished")
        rate_finished(since_ever=True)
        return self.tournament

    def new_secret(self) -> bytes:
        """Of a match, so that its cards follow from the seed too."""
        return self.rng.randbytes(32)

    @property
    def tournament(self) -> Tournament:
        return Tournament.objects.get(slug=self.slug)

    def did(self, *actions: str) -> None:
        """Note what the log must tell."""
        self.log.update(actions)

    def happen(self, moment: str) -> None:
        for chance, name in TROUBLES.get(moment, ()):
            if self.rng.random() < chance:
                getattr(self, name)()

    @contextmanager
    def refused(self, *codes: str) -> Iterator[None]:
        """Something that must not be possible now."""
        try:
            yield
        except ProblemError as error:
            assert error.code in codes, error
        else:
            raise AssertionError(f"it was not refused as {codes}")

    # The regular course

    def create(self) -> None:
        settings = settings_of(self.kind, self.rng)
        made = life.create_tournament(actor=self.organiser, name=f"Storm {self.seed}", **settings)
        self.slug = made.slug
        life.open_registration(slug=self.slug, actor=self.organiser)
        self.did("created", "registration_opened")
        for _ in range(self.rng.randint(5, 18)):
            self.enter()

    def enter(self) -> None:
        player = self.unentered.pop()
        entries.enter(slug=self.slug, actor=self.organiser, name=player.username)
        self.did("entered")

    def play_round(self) -> bool:
        """The next round; whether there was one."""
        drawn = self.draw()
        if drawn is None:
            return False
        self.happen("drawn")
        round_ = self.publish()
        tables = list(round_.tables.all())
        self.rng.shuffle(tables)
        for table in tables:
            self.happen("playing")
            self.play_table(table)
        sweep()
        rounds.close_round(slug=self.slug, number=round_.number, actor=self.organiser)
        self.did("round_closed")
        self.closed(self, round_)
        self.happen("closed")
        return True

    def draw(self) -> Round | None:
        try:
            drawn = rounds.draw_round(slug=self.slug, actor=self.organiser)
        except ProblemError as error:
            self.check_over(error.code)
            return None
        self.did("round_drawn")
        self.active[drawn.number] = {entry.name for entry in self.entries()}
        return drawn

    def check_over(self, code: str) -> None:
        """A draw was refused: there must be nobody, or nothing, to draw."""
        stage = self.stage
        if code == "all_rounds_drawn":
            assert stage.played.count() == stage.rounds
        else:
            assert (code, self.entries()) == ("everyone_withdrew", [])

    @property
    def stage(self) -> Stage:
        stage = self.tournament.stages.filter(started_at__isnull=False).last()
        assert stage is not None
        return stage

    def entries(self, state: str = Entry.State.ACTIVE) -> list[Entry]:
        found = self.tournament.entries.filter(state=state).select_related("player", "partner")
        return list(found)

    def publish(self) -> Round:
        """What is drawn, or drawn anew if somebody has left since."""
        last = self.tournament.rounds.last()
        assert last is not None
        with self.drawn_anew_if_refused(last):
            published = rounds.publish_round(slug=self.slug, number=last.number, actor=self.organiser)
            self.did("round_published")
            for table in published.tables.all():
                if table.match:
                    self.sources[last.number, table.number] = Source("match", table.match.code)
            return published
        return self.publish()

    @contextmanager
    def drawn_anew_if_refused(self, last: Round) -> Iterator[None]:
        try:
            yield
        except ProblemError as error:
            assert error.code == "drawn_player_withdrew", error
            self.drop()

    def drop(self) -> None:
        last = self.tournament.rounds.last()
        assert last is not None
        rounds.drop_draw(slug=self.slug, number=last.number, actor=self.organiser)
        self.did("draw_dropped")
        while self.draw() is None:  # Everyone left.
            self.come_back()

    def play_table(self, table: Table) -> None:
        """By bots; a few players come back for the last deal. Some tables' results are entered by hand."""
        table.refresh_from_db()
        if table.match is None or self.rng.random() < 0.1:
            self.by_hand(table)
        if table.match is None or table.match.status != Match.Status.RUNNING:
            return
        self.leave_to_bots(table.match)
        if self.rng.random() < 0.7:
            record_result(table.match.pk)  # The sweeper finds the others.
        self.did("result_recorded")

    def leave_to_bots(self, match: Match) -> None:
        sitting = [seat.player for seat in match.seats.select_related("player") if seat.player]
        for player in sitting:
            leave(match_code=match.code, player=player)
        stay = self.rng.sample(sitting, self.rng.choice([0, 0, 1, min(2, len(sitting))]))
        while (
            Match.objects.values_list("deal_number", flat=True).get(pk=match.pk) < match.engine_options.deals
        ):
            play_bot_move(match.pk, limit=100)
        for player in stay:
            come_back(match_code=match.code, player=player)
        play_match(Match.objects.get(pk=match.pk), "random", self.rng)

    # Troubles

    @trouble(0.3, "before", "drawn", "playing", "closed")
    def late_entry(self) -> None:
        if self.unentered:
            self.enter()

    @trouble(0.2, "before", "drawn", "playing", "closed")
    def withdraw(self) -> None:
        active = self.entries()
        if len(active) > 2 or (active and self.rng.random() < 0.1):
            player = self.rng.choice(self.rng.choice(active).players)
            entries.withdraw(slug=self.slug, actor=player)
            self.did("withdrawn")

    @trouble(0.3, "before", "drawn", "playing", "closed")
    def come_back(self) -> None:
        gone = self.entries(Entry.State.WITHDRAWN)
        if gone:
            name = self.rng.choice(gone).player.username
            entries.enter(slug=self.slug, actor=self.organiser, name=name)
            self.did("entered")

    @trouble(0.3, "drawn")
    def drop_draw(self) -> None:
        self.drop()

    @trouble(0.3, "playing")
    def impatience(self) -> None:
        with self.refused("tables_unfinished"):
            rounds.close_round(slug=self.slug, number=self.last_number, actor=self.organiser)
        with self.refused("round_open"):
            rounds.draw_round(slug=self.slug, actor=self.organiser)

    @trouble(0.4, "closed", "finished")
    def correct(self) -> None:
        tables = Table.objects.filter(round__tournament__slug=self.slug, round__state="closed")
        self.by_hand(self.rng.choice(list(tables)))

    @property
    def last_number(self) -> int:
        return self.tournament.rounds.latest("number").number

    def by_hand(self, table: Table) -> None:
        """Enter or correct a result."""
        known = table.results.filter(superseded_at=None).first()
        scores = [self.rng.randrange(-300, 300, 25) for _ in range(4)]
        if known and known.scores == scores:
            return
        results.enter_result(
            slug=self.slug,
            number=table.round.number,
            table_number=table.number,
            scores=scores,
            reason="لعب في البيت",
            actor=self.organiser,
            replaces=known.pk if known else None,
        )
        self.did("result_entered")
        self.sources[table.round.number, table.number] = Source("hand", scores)
        if table.match:
            table.match.refresh_from_db()
