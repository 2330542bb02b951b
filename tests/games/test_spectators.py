"""Who watches sees no hand of a running deal, and those of deals that are over as the table wants it."""

import pytest

from games.models import Match
from games.services import matches
from tests.games.play import act_until, bots_play_deals, in_play, play_out, secret_where


def hands(viewer, match) -> int:
    """How many deals of the record show their hands."""
    return viewer.get(f"matches/{match.code}/record/").content.decode().count("hands")


@pytest.fixture
def delayed(cast):
    """A running match whose hands others get after these seconds."""

    def start(delay: int | None, **table) -> Match:
        return matches.create_match(
            rules="dananeer",
            options={},
            seats=cast,
            hands_delay=delay,
            **{"secret": secret_where(0), **table},
        )

    return start


@pytest.fixture
def outsiders(api, stranger):
    return [api(stranger), api()]


def test_without_a_delay_hands_are_out_with_the_end_of_the_deal(apis, outsiders, delayed):
    match = delayed(0)
    bots_play_deals(match, 2)
    act_until(match, in_play)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [2, 2, 2]
    for viewer in outsiders:
        assert viewer.get(f"matches/{match.code}/").json()["view"]["hand"] is None


def test_others_get_hands_so_many_seconds_after_the_deal(apis, outsiders, delayed, clock):
    match = delayed(60)
    bots_play_deals(match, 1)
    clock.pass_(30)
    bots_play_deals(match, 1)
    clock.pass_(29)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [2, 0, 0]
    clock.pass_(1)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [2, 1, 1]
    clock.pass_(30)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [2, 2, 2]


def test_or_not_before_the_match_is_over(apis, outsiders, delayed, clock):
    match = delayed(None)
    bots_play_deals(match, 3)
    clock.pass_(10**6)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [3, 0, 0]
    play_out(match)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [20, 20, 20]


@pytest.mark.parametrize("delay", [3600, None])
def test_a_match_that_is_called_off_is_over(outsiders, delayed, delay):
    match = delayed(delay)
    bots_play_deals(match, 2)
    matches.stop(match.pk)
    assert [hands(viewer, match) for viewer in outsiders] == [2, 2]


@pytest.mark.parametrize("delay", [0, None])
def test_a_secret_that_is_still_played_elsewhere_holds_hands_back_whatever_the_delay(
    apis, outsiders, delayed, clock, stranger, delay
):
    match = delayed(delay)
    other = matches.create_match(
        rules="dananeer", options={}, seats=[stranger, *["random"] * 3], secret=match.secret
    )
    bots_play_deals(other, 1)
    play_out(match)
    clock.pass_(10**6)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [1, 1, 1]
    play_out(other)
    assert [hands(viewer, match) for viewer in (apis[0], *outsiders)] == [20, 20, 20]


def test_the_delay_is_said_when_the_table_opens(apis):
    assert apis[0].post("matches/", rules="eram").json()["hands_delay"] == 0
    assert apis[0].post("matches/", rules="eram", hands_delay=600).json()["hands_delay"] == 600
    assert apis[0].post("matches/", rules="eram", hands_delay=None).json()["hands_delay"] is None


@pytest.mark.parametrize("delay", [-1, 10**7, 1.5, "60", True], ids=repr)
def test_what_is_no_delay_is_refused(apis, delay):
    answer = apis[0].post("matches/", rules="eram", hands_delay=delay)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not Match.objects.exists()
