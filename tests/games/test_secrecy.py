"""What a caller sees depends on nothing that is hidden from him.

Each test plays the same match in several worlds, which differ only in who holds the cards that a
bystander cannot see, and compares every byte that he gets.
"""

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone

from games.engine import to_act
from games.engine.cards import FULL_DECK, SEVEN_OF_HEARTS, mask_of, parse_card
from games.models import Match, Player
from games.services import matches, moves
from tests.games.conftest import Api
from tests.games.play import act, doubling, state_of

WEST = mask_of(
    map(parse_card, ["2S", "3S", "4S", "5S", "2H", "3H", "4H", "5H", "2D", "3D", "4D", "5D", "2C"])
)
QUEENS = ["QS", "QH", "QD", "QC"]
WORLDS = {
    "queens": [
        ("QS QH QD QC", "", ""),
        ("", "QS QH QD QC", ""),
        ("QS", "QH QD", "QC"),
        ("QC QD", "", "QH QS"),
    ],
    "king": [("KH", "", ""), ("", "KH", ""), ("", "", "KH")],
}


def deal(south: str, east: str, north: str) -> tuple[int, ...]:
    """Hands where West holds the same in every world, South owns 7H, and these cards lie as asked."""
    hands = [mask_of(map(parse_card, cards.split())) for cards in (south, east, north)]
    hands[0] |= 1 << SEVEN_OF_HEARTS
    rest = [card for card in range(52) if not (WEST | hands[0] | hands[1] | hands[2]) >> card & 1]
    for index in range(3):
        missing = 13 - hands[index].bit_count()
        hands[index] |= mask_of(rest[:missing])
        rest = rest[missing:]
    assert hands[0] | hands[1] | hands[2] | WEST == FULL_DECK
    return (*hands, WEST)


class Bystander:
    """Everything the API tells one viewer of a match, with what names the match taken out."""

    def __init__(self, match: Match, player: Player | None) -> None:
        self.match, self.api, self.player = match, Api(player), player
        self.seen: list[str] = []

    def look(self) -> str:
        path = f"matches/{self.match.code}/"
        paths = [path, f"{path}events/", f"{path}record/", "account/", "matches/"]
        answers = [self.api.get(each) for each in paths]
        if self.player:
            version = Match.objects.get(pk=self.match.pk).version
            for action in (
                "double none",
                "double QS",
                "double KH",
                "play 2S",
                "pass",
                "choose trix",
                "nonsense",
            ):
                for asked in (version, version + 1):
                    answers.append(self.api.post(f"{path}actions/", action=action, version=asked))
        return "\n".join(self._plain(answer) for answer in answers)

    def _plain(self, answer) -> str:
        headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
        text = f"{answer.status_code} {headers} {answer.content.decode()}"
        for secret in (self.match.code, self.match.commitment):
            text = text.replace(secret, "…")
        return re.sub(r'"created_at":"[^"]*"', "", text)


def start(monkeypatch, cast, world) -> Match:
    monkeypatch.setattr("games.engine.shuffle.shuffled_hands", lambda secret, number, attempt: deal(*world))
    Match.objects.all().delete()
    return matches.create_match(
        rules="dananeer",
        options={},
        seats=cast,
        clock_choose=30,
        clock_double=30,
        clock_play=30,
        clock_bank=60,
    )


def worlds(
    monkeypatch, cast, clock, contract: str, viewer: Player | None
) -> Iterator[tuple[Match, Bystander]]:
    """In each world in turn a match where this contract has just been chosen, and somebody who looks on."""
    for world in WORLDS[contract]:
        clock.time = clock.time.replace(minute=0, second=0, microsecond=0)
        match = start(monkeypatch, cast, world)
        bystander = Bystander(match, viewer)
        act(match, f"choose {contract}")
        yield match, bystander


def answer_one(match: Match, clock) -> None:
    clock.pass_(1)
    act(match, "double none")


@pytest.mark.parametrize("contract", WORLDS)
@pytest.mark.parametrize("seated", [True, False], ids=["West", "a spectator"])
def test_nobody_learns_who_is_asked_how_many_or_who_has_answered(monkeypatch, cast, clock, contract, seated):
    """Before the reveal a bystander's bytes never change, whoever answers, in every world."""
    seen = set()
    reveals = set()
    for match, bystander in worlds(monkeypatch, cast, clock, contract, cast[3] if seated else None):
        while doubling(state_of(match)):
            seen.add(bystander.look())
            answer_one(match, clock)
        reveals.add(len(to_act(state_of(match))))
    assert len(seen) == 1
    assert reveals == {1}


@pytest.mark.parametrize("contract", WORLDS)
def test_the_reveal_is_the_same_for_the_same_doubles_at_the_same_time(monkeypatch, cast, clock, contract):
    seen = set()
    for match, bystander in worlds(monkeypatch, cast, clock, contract, cast[3]):
        clock.pass_(20)
        while doubling(state_of(match)):
            act(match, "double none")
        seen.add(bystander.look())
    assert len(seen) == 1


@pytest.mark.parametrize("contract", WORLDS)
def test_the_end_of_the_clock_tells_nothing_either(monkeypatch, cast, clock, contract):
    seen = set()
    for match, bystander in worlds(monkeypatch, cast, clock, contract, cast[3]):
        clock.pass_(31)
        before = bystander.look()
        assert moves.expire(match.pk)
        seen.add(before + bystander.look())
        assert not match.seats.filter(away_since__isnull=False).exists()
    assert len(seen) == 1


@pytest.mark.parametrize("contract", WORLDS)
def test_a_bot_that_answers_shows_no_more_than_a_person(monkeypatch, cast, clock, contract):
    """South is away or not asked at all: his bot's secret answer changes nothing that West can see."""
    seen = set()
    for match, bystander in worlds(monkeypatch, cast, clock, contract, cast[3]):
        match.seats.filter(index__lt=3).update(away_since=timezone.now())
        seen.add(bystander.look())
        moves.play_bot_move(match.pk)
        if doubling(state_of(match)):
            seen.add(bystander.look())
    assert len(seen) == 1


def test_the_one_who_is_asked_knows_it_and_his_answer_is_final(monkeypatch, cast, clock):
    match = start(monkeypatch, cast, ("QS", "QH QD", "QC"))
    south, url = Api(cast[0]), f"matches/{match.code}/actions/"
    south.post(url, action="choose queens", version=0)
    legal = south.get(f"matches/{match.code}/").json()["view"]["legal"]
    assert legal == ["double none", "double QS"]
    first = south.post(url, action="double QS", version=1)
    assert (first.status_code, first.json()["version"], first.json()["view"]["my_double"]) == (200, 1, ["QS"])
    again = south.post(url, action="double none", version=1)
    assert (again.status_code, again.json()["code"], again.json()["legal"]) == (422, "already_answered", [])
    clock.pass_(5)
    assert south.post(url, action="double QS", version=1).content == first.content
    while doubling(state_of(match)):
        act(match, "double none")
    clock.pass_(5)
    assert south.post(url, action="double QS", version=1).content == first.content
    changed = south.post(url, action="double none", version=1)
    assert (changed.status_code, changed.json()["code"], changed.json()["version"]) == (
        409,
        "stale_version",
        2,
    )


def test_the_last_answer_is_repeated_with_its_reveal(monkeypatch, cast, clock):
    match = start(monkeypatch, cast, ("QS QH QD QC", "", ""))
    south, url = Api(cast[0]), f"matches/{match.code}/actions/"
    south.post(url, action="choose queens", version=0)
    first = south.post(url, action="double QS QD", version=1)
    assert first.json()["view"]["deal"]["doubled"] == {"QS": "S", "QD": "S"}
    clock.pass_(5)
    act(match)
    assert south.post(url, action="double QD QS", version=1).content == first.content


def test_an_unasked_seat_gets_one_answer_before_and_after(monkeypatch, cast):
    match = start(monkeypatch, cast, ("KH", "", ""))
    act(match, "choose king")
    west, url = Api(cast[3]), f"matches/{match.code}/actions/"
    refused = west.post(url, action="double none", version=1)
    assert (refused.status_code, refused.json()["code"], refused.json()["legal"]) == (
        422,
        "not_your_turn",
        [],
    )
    act(match, "double none")
    late = west.post(url, action="double none", version=1)
    assert (late.status_code, late.json()["code"]) == (409, "stale_version")


@pytest.mark.parametrize("contract", ["ltoosh", "trix", "diamonds"])
def test_a_position_tells_a_seat_nothing_of_hands_that_it_does_not_see(monkeypatch, cast, clock, contract):
    seen = set()
    for world in WORLDS["queens"]:
        match = start(monkeypatch, cast, world)
        bystander = Bystander(match, cast[3])
        act(match, f"choose {contract}")
        seen.add(bystander.look())
    assert len(seen) == 1
