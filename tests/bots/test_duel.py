"""`manage.py duel` and the figures behind it."""

import json
import os
import signal
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.bots import LEVELS
from games.bots.duel import Duel, Played, deal_figures, hero_seatings, play_matches, report
from games.bots.spread import spread
from games.engine import PRESETS, Contract
from tests.bots.table import QUICK
from tests.processes import Process

FIELDS = {
    "hero",
    "villain",
    "rules",
    "seed",
    "playouts",
    "deals",
    "matches",
    "advantage",
    "ci95",
    "by_contract",
    "pair_win_rate",
    "pair_win_ci95",
    "mean_place",
    "ms_per_decision",
    "illegal",
}


def duel(hero="greedy", villain="random", rules="cardkings", seed=1):
    return Duel(QUICK[hero], QUICK[villain], PRESETS[rules], seed)


def figures_of(played, rules="cardkings"):
    """The figures that come from matches."""
    one = duel(rules=rules)
    return report(one, list(deal_figures(one, [Contract.TRIX], 1)), played)


def run(capsys, *words):
    call_command("duel", "--processes", "1", *words)
    return capsys.readouterr()


def test_it_prints_one_json_object_and_a_progress_bar_beside_it(capsys):
    printed = run(capsys, "greedy", "random", "--deals", "2", "--matches", "1", "--json")
    found = json.loads(printed.out)
    assert found.keys() == FIELDS
    assert found["by_contract"].keys() == {"king", "queens", "diamonds", "ltoosh", "trix"}
    assert found["illegal"] == 0
    assert "2/2" in printed.err and "1/1" in printed.err


def test_it_prints_words(capsys):
    words = run(capsys, "greedy", "random", "--deals", "1", "--contract", "trix").out
    assert "greedy against random, cardkings, 1 deal" in words
    assert "trix" in words and "king " not in words


def test_matches_alone(capsys):
    words = ["greedy", "random", "--deals", "0", "--matches", "8"]
    found = json.loads(run(capsys, *words, "--json").out)
    assert (found["deals"], found["advantage"], found["ci95"], found["by_contract"]) == (0, None, None, {})
    assert found["pair_win_rate"] > 0.5
    printed = run(capsys, *words)
    low, high = found["pair_win_ci95"]
    won = f"{found['pair_win_rate']:.1%} of pairs [{low:.1%}, {high:.1%}]"
    assert printed.out.splitlines()[:2] == [
        "greedy against random, cardkings",
        f"  8 matches: wins {won}, mean place {found['mean_place']}",
    ]
    assert "deal" not in printed.err


def test_one_deal_or_the_matches_over_its_cards_have_no_interval(capsys):
    """They would have one without width."""
    words = ["greedy", "random", "--deals", "1", "--contract", "king", "--matches", "4"]
    found = json.loads(run(capsys, *words, "--json").out)
    assert (found["ci95"], found["by_contract"]["king"]["ci95"], found["pair_win_ci95"]) == (None, None, None)
    assert "[" not in run(capsys, *words).out


def test_the_same_seed_gives_the_same_figures(capsys):
    words = ("greedy", "random", "--deals", "3", "--matches", "2", "--json", "--seed")
    first, again, other = (json.loads(run(capsys, *words, seed).out) for seed in ("5", "5", "6"))
    for found in (first, again, other):
        del found["ms_per_decision"]
    assert first == again
    assert first["advantage"] != other["advantage"]


def test_any_number_of_processes_gives_the_same_figures(capsys):
    words = ["strong", "greedy", "--playouts", "40", "--deals", "3", "--matches", "2", "--contract", "ltoosh"]
    one, two = (json.loads(run(capsys, *words, "--json", "--processes", number).out) for number in "12")
    assert one["playouts"] == 40
    for found in (one, two):
        del found["ms_per_decision"]
    assert one == two


def test_a_budget_changes_how_strong_plays(capsys):
    words = ("strong", "greedy", "--deals", "4", "--contract", "ltoosh", "--json", "--playouts")
    small, large = (json.loads(run(capsys, *words, playouts).out) for playouts in ("2", "300"))
    assert small["advantage"] != large["advantage"]


@pytest.fixture
def long_duel():
    """A duel of two processes that will not end by itself, and has begun."""
    words = ["duel", "greedy", "random", "--deals", "1000000", "--processes", "2"]
    process = Process(["manage.py", *words], {}, "1/1000000 ")
    process.start()
    yield process
    process.kill()


def test_ctrl_c_ends_all_processes_with_a_word(long_duel):
    # A terminal sends it to all.
    os.killpg(long_duel.process.pid, signal.SIGINT)
    assert long_duel.wait() == 130
    assert "Stopped before the end; there are no figures." in long_duel.output
    assert "Traceback" not in long_duel.output


def test_no_process_outlives_a_duel_that_is_killed(long_duel):
    children = descendants(long_duel.process.pid)
    assert len(children) >= 2
    os.kill(long_duel.process.pid, signal.SIGKILL)
    long_duel.wait()  # Until nobody holds its output any more.
    assert "Traceback" not in long_duel.output
    assert not any(Path(f"/proc/{child}/exe").exists() for child in children)


def descendants(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_a_process_that_dies_ends_the_duel():
    with pytest.raises(ChildProcessError):
        list(spread(os._exit, 3, 2))


@pytest.mark.parametrize("level", QUICK)
@pytest.mark.parametrize("rules", ["dananeer", "cardkings-complex-partners"])
def test_a_level_against_itself_is_worth_nothing(level, rules):
    one = duel(level, level, rules)
    found = report(one, list(deal_figures(one, one.options.contracts, 3)), [])
    assert found["advantage"] == 0 and found["ci95"] == [0, 0]


def test_a_level_against_itself_wins_half_of_its_pairs():
    one = duel("greedy", "greedy")
    found = report(one, list(deal_figures(one, [Contract.TRIX], 1)), list(play_matches(one, 4)))
    assert (found["pair_win_rate"], found["mean_place"]) == (0.5, 2.5)


def test_the_advantage_sums_the_trick_contracts_alone():
    one = duel()
    deals = [{contract: float(10**contract) for contract in one.options.contracts}] * 2
    one.decisions = 1
    assert report(one, deals, [])["advantage"] == 1111
    assert report(one, [{Contract.TRIX: 5.0}], [])["advantage"] == 5


def test_the_interval_is_taken_over_deals():
    one = duel()
    one.decisions = 1
    found = report(one, [{Contract.KING: figure} for figure in (0.0, 10.0, 20.0, 30.0)], [])
    # Standard deviation 12.91, four deals: 1.96 * 12.91 / 2.
    assert (found["advantage"], found["ci95"]) == (15, [2.35, 27.65])


def test_pairs_and_places():
    found = figures_of([Played((1,), (10, 20, 20, -50))])
    assert found["pair_win_rate"] == round(2.5 / 3, 4)
    assert found["mean_place"] == 1.5


def test_the_interval_of_pairs_is_taken_over_cards():
    """Four matches over the same cards are one figure: here the hero is first in all of them, or last."""
    first, last = Played((0,), (30, -10, -10, -10)), Played((0,), (-30, 10, 10, 10))
    found = figures_of([*[first] * 8, *[last] * 4])
    # Three figures, 1, 1 and 0: standard deviation 0.577, 1.96 * 0.577 / 3**0.5 = 0.653; none is above 1.
    assert (found["pair_win_rate"], found["pair_win_ci95"]) == (0.6667, [0.0133, 1.0])
    # A match more, with other cards, in which the hero had one seat alone.
    found = figures_of([*[first] * 8, *[last] * 4, last])
    assert (found["pair_win_rate"], found["pair_win_ci95"]) == (0.6154, [0.0133, 1.0])


def test_with_partners_the_sides_are_the_pair():
    found = figures_of([Played((1, 3), (100, 0, -50, 40))], "cardkings-partners")
    assert (found["pair_win_rate"], found["mean_place"]) == (0, 2)


def test_the_hero_takes_every_seat_with_the_same_cards():
    assert hero_seatings(PRESETS["cardkings"]) == ((0,), (1,), (2,), (3,))
    assert hero_seatings(PRESETS["cardkings-partners"]) == ((0, 2), (1, 3))


def test_an_illegal_action_is_counted_and_the_deal_goes_on():
    one = Duel(lambda seen, legal, rng: 255, LEVELS["random"], PRESETS["cardkings"], 1)
    found = report(one, list(deal_figures(one, [Contract.LTOOSH], 1)), [])
    assert found["illegal"] == 4 * 13


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["greedy", "clever"], "invalid choice: 'clever'"),
        (["greedy", "random", "--deals", "0"], "at least one deal or one match"),
        (
            ["greedy", "random", "--deals", "0", "--matches", "4", "--contract", "king"],
            "--contract is for deals",
        ),
        (["greedy", "random", "--seed", "٣"], "'٣' should be a whole number of at most 18 digits"),
        (["greedy", "random", "--deals", "many"], "'many' should be a whole number"),
        (["greedy", "random", "--matches", "-1"], "'-1' should be a whole number, 0 or more"),
        (["greedy", "random", "--rules", "whist"], "invalid choice: 'whist'"),
        (["greedy", "random", "--contract", "complex"], "cardkings has no contract complex"),
        (["greedy", "random", "--processes", "0"], "'0' should be a whole number, 1 or more"),
        (["greedy", "random", "--processes", "257"], "there may be at most 256"),
        (["greedy", "random", "--deals", "1000001"], "there may be at most 1,000,000"),
        (["greedy", "random", "--matches", "9" * 5000], "there may be at most 1,000,000"),
        (["strong", "random", "--playouts", "1" + "0" * 30], "there may be at most 1,000,000"),
        (["strong", "random", "--playouts", "0"], "'0' should be a whole number, 1 or more"),
        (["greedy", "strong", "--playouts", "50"], "the hero is greedy, which has none"),
    ],
)
def test_what_it_refuses(words, complaint):
    with pytest.raises(CommandError, match=complaint):
        call_command("duel", *words)
