"""Bots: the one of the README as programs of their own, killed and behind a bad proxy; and whole accounts."""

import asyncio
import json
import re
import threading
from contextlib import closing, contextmanager
from itertools import count
from random import Random

import pytest

from games.engine import Replay, read_text
from games.models import Match, Player
from games.services import matches
from tests.client.conftest import token_of
from tests.client.flaky import every_tenth, flaky
from tests.games.play import bots_play_deals, secret_where
from tests.processes import ROOT, Process
from trix_client import AgainstRules, AsyncClient, Client, Retries, verify_record

CLIENT = ROOT / "clients" / "python"
QUICK = Retries(first_wait=0.01)
NAMES = ("amal", "basil", "carla", "daoud")


def people():
    return [Player.objects.get_or_create(username=name)[0] for name in NAMES]


def at_random(match):
    """The same choice for the same view, whoever is asked and however often."""
    view = match["view"]
    return Random(f"{view['version']} {view['seat']}").choice(view["legal"])


@contextmanager
def played_by(server, code, *names):
    """These players play the match meanwhile; afterwards they have played it to its end."""
    ends = {}

    def run(name, token):
        with Client(server, token) as client:
            ends[name] = client.matches.play(code, at_random)["status"]

    threads = [threading.Thread(target=run, args=(name, token_of(name))) for name in names]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(120)
    assert ends == dict.fromkeys(names, "finished")


@pytest.fixture
def readme_bot(tmp_path):
    """The bot of the README, word for word, as a program that also prints what it chooses."""
    bot = re.search(r"```python\n(.*?)```", (CLIENT / "README.md").read_text(), re.S)[1]
    assert len(bot.splitlines()) <= 20
    path = tmp_path / "bot.py"
    path.write_text(bot)

    def make(*arguments):
        program = Process([str(path), *arguments], {"PYTHONPATH": str(CLIENT / "src")}, "Points:")
        program.launch()
        return program

    return make


def moves_sent(proxy, code):
    """The versions at which moves were sent through a proxy, each with all that was sent there."""
    sent = {}
    for request in proxy.seen:
        if request.path.endswith(f"/{code}/actions/"):
            move = json.loads(request.body)
            sent.setdefault(move["version"], set()).add(move["action"])
    return sent


def test_two_programs_of_the_readme_play_a_match_one_killed_and_one_behind_a_bad_proxy(live_site, readme_bot):
    """No move lost or doubled: what each sent, and nothing else, is what happened at its seat."""
    token = {name: token_of(name) for name in NAMES}
    with (
        Client(live_site, token["carla"]) as carla,
        flaky(live_site) as good,
        flaky(live_site, every_tenth("drop"), cut_streams_after=30_000) as bad,
    ):
        code = carla.matches.open("cardkings-complex", seat="N")["code"]
        with Client(live_site, token["daoud"]) as daoud:
            daoud.matches.join(code, seat="W")
        killed = readme_bot(good.url, token["amal"], code)
        other = readme_bot(bad.url, token["basil"], code)
        with closing(carla.matches.stream(code)) as messages:
            next(message for message in messages if all(seat["player"] for seat in message.data["seats"]))
        started = carla.matches.start(code)
        with played_by(live_site, code, "carla", "daoud"):
            with closing(carla.matches.stream(code)) as messages:
                next(message for message in messages if message.id == 100)
                killed.kill()
            again = readme_bot(good.url, token["amal"], code)
            assert [again.wait(120), other.wait(120)] == [0, 0]
        final = carla.matches.get(code)
        events = carla.matches.events(code)["events"]
        text = carla.matches.record(code)
    assert "Points:" not in killed.output
    assert f"Points: {final['totals']}" in again.output and again.output == other.output
    assert bad.spoilt > 10
    assert [event["version"] for event in events] == list(range(1, final["version"] + 1))
    for name, proxy in (("amal", good), ("basil", bad)):
        seat = next(s["seat"] for s in final["seats"] if s["player"]["name"] == name)
        made = {event["version"] - 1: event["action"] for event in events if event["seat"] == seat}
        sent = moves_sent(proxy, code)
        assert made.keys() == sent.keys()
        assert all(action in sent[version] for version, action in made.items())
    (match,) = verify_record(text, started["commitment"])
    assert match.deals == 8
    (replayed,) = read_text(text, "a.trix")
    assert isinstance(replayed, Replay) and len(replayed.results) == 8


def arranged(rules="cardkings-complex", over=0):
    """A running match of the cast, South to choose, so many deals of which are over."""
    match = matches.create_match(rules=rules, options={}, seats=people(), secret=secret_where(0, rules))
    if over:
        bots_play_deals(match, over)
    return match


def test_play_outlasts_a_server_that_is_gone_for_longer_than_a_call_would_wait(live_site):
    """Gone while the whole account plays, and again while one match is played."""
    match = arranged(over=6)
    choose, chosen = stopping(8)
    called = count(1)

    def gone_for_a_while(_):
        return "refuse" if 10 <= next(called) < 15 else "pass"

    with (
        flaky(live_site, gone_for_a_while, cut_streams_after=20_000) as proxy,
        Client(proxy.url, token_of("amal"), retries=Retries(tries=2, first_wait=0.001)) as amal,
        played_by(live_site, match.code, *NAMES[1:]),
    ):
        with pytest.raises(Stop):
            amal.account.play(choose)
        called = count(1)
        assert amal.matches.play(match.code, at_random)["status"] == "finished"
    assert len(chosen) == 9
    assert proxy.spoilt >= 10


def test_what_is_not_legal_ends_play_with_what_is(live_site):
    match = arranged()
    with Client(live_site, token_of("amal")) as amal, pytest.raises(AgainstRules) as refused:
        amal.matches.play(match.code, lambda match: "play KH")
    assert refused.value.code == "wrong_phase"
    assert refused.value.legal == ["choose complex", "choose trix"]
    assert Match.objects.get(pk=match.pk).version == 0


def test_what_choose_raises_ends_play(live_site):
    def choose(match):
        raise KeyboardInterrupt

    match = arranged()
    with Client(live_site, token_of("amal")) as amal, pytest.raises(KeyboardInterrupt):
        amal.matches.play(match.code, choose)


def test_that_a_clock_or_a_second_program_was_quicker_is_no_error(live_site):
    """Two programs of one seat, each choosing for itself."""
    match = arranged(over=6)

    def otherwise(match):
        return match["view"]["legal"][0]

    with (
        Client(live_site, token_of("amal")) as twin,
        played_by(live_site, match.code, *NAMES),
    ):
        assert twin.matches.play(match.code, otherwise)["status"] == "finished"


def test_secret_doubling_is_answered_once(live_site):
    match = arranged("dananeer")
    tokens, asked = [token_of(name) for name in NAMES], []

    async def choose(match):
        view = match["view"]
        if view["phase"] == "double":
            asked.append((view["version"], view["seat"]))
        return "choose queens" if view["phase"] == "choose" else view["legal"][-1]

    async def play(token):
        async with AsyncClient(live_site, token) as client:
            await client.matches.play(match.code, choose)

    async def main():
        playing = [asyncio.create_task(play(token)) for token in tokens]
        async with AsyncClient(live_site) as watcher:
            async for message in watcher.matches.stream(match.code, after=0):
                if message.id == 6:
                    break
        for task in playing:
            task.cancel()

    asyncio.run(main())
    with Client(live_site) as reader:
        events = reader.matches.events(match.code)["events"]
    assert [event["version"] for event in events if event["doubled"]] == [2]
    assert len(set(asked)) == len(asked) == len({seat for _, seat in asked})


class Stop(Exception):
    pass


def stopping(limit):
    """A choice that stops the program after so many."""
    chosen = []

    def choose(match):
        chosen.append(match["code"])
        if len(chosen) > limit:
            raise Stop
        return at_random(match)

    return choose, chosen


def test_an_account_plays_wherever_it_is_its_turn_and_goes_on_when_started_again(live_site):
    """First in one program, until it is stopped, then in another one, which is async."""
    table = [arranged(over=6), arranged(over=6)]
    token = token_of("amal")
    choose, chosen = stopping(30)

    async def choose_again(match):
        return at_random(match)

    async def play_on():
        async with AsyncClient(live_site, token) as amal:
            playing = asyncio.create_task(amal.account.play(choose_again))
            for match in table:
                async for _ in amal.matches.stream(match.code):
                    assert not playing.done()
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing

    with (
        played_by(live_site, table[0].code, *NAMES[1:]),
        played_by(live_site, table[1].code, *NAMES[1:]),
        Client(live_site, token) as amal,
    ):
        with pytest.raises(Stop):
            amal.account.play(choose)
        assert set(chosen) == {match.code for match in table}
        asyncio.run(play_on())
    assert {match.status for match in Match.objects.all()} == {"finished"}


def test_four_async_players_of_one_program_play_a_match(live_site):
    match = arranged(over=6)
    tokens = [token_of(name) for name in NAMES]

    async def choose(match):
        return at_random(match)

    async def play(token):
        async with AsyncClient(live_site, token) as client:
            return await client.matches.play(match.code, choose)

    async def main():
        return await asyncio.gather(*map(play, tokens))

    ends = asyncio.run(main())
    assert {end["status"] for end in ends} == {"finished"}
    assert len({tuple(end["totals"].values()) for end in ends}) == 1
