"""`trix play` and `trix watch` in real terminals and pipes, against a real server with streams."""

import shlex
from collections.abc import Callable, Iterator
from threading import Event

import pytest

from games.models import Match, Player
from games.services import matches
from games.services.chat import say
from tests.client.conftest import token_of
from tests.client.flaky import flaky
from tests.client.terminals import TRIX, TerminalProgram
from tests.games.play import act, act_until, bots_play_deals, in_play, play_out, secret_where
from tests.processes import ROOT, Process

CLIENT = str(ROOT / "clients" / "python" / "src")
Run = Callable[..., TerminalProgram]


@pytest.fixture
def table(live_site) -> Match:
    """Four people, and South, amal, owns the first kingdom. No doubling: cardkings."""
    cast = [Player.objects.create_user(name) for name in ("amal", "basil", "كارلا", "daoud")]
    secret = secret_where(0, "cardkings")
    match = matches.open_match(player=cast[0], rules="cardkings", options={}, secret=secret)
    for player in cast[1:]:
        matches.join(match_code=match.code, player=player)
    matches.start(match_code=match.code, player=cast[0])
    return Match.objects.get(pk=match.pk)


def environment(address: str, name: str) -> dict[str, str]:
    return {"TRIX_SERVER": address, "TRIX_TOKEN": token_of(name), "PYTHONPATH": CLIENT}


@pytest.fixture
def run(live_site) -> Iterator[Run]:
    """Start `trix` for an account in a terminal."""
    started: list[TerminalProgram] = []

    def start(name: str, *arguments: str, command: tuple[str, ...] = TRIX, **more: str) -> TerminalProgram:
        started.append(TerminalProgram(*arguments, command=command, **environment(live_site, name), **more))
        return started[-1]

    yield start
    for program in started:
        program.kill()


def test_a_player_chooses_plays_and_sees_what_others_do(table, run):
    amal = run("amal", "play", table.code)
    assert "5 Trix" in amal.wait_for("Choose a contract")
    amal.type("ltoosh\r")
    amal.wait_for("Your turn")
    amal.type("1\r")
    amal.wait_for("basil is to act")
    for _ in range(3):
        act(table)
    assert " 1 trick" in amal.wait_for("last")
    amal.type("q\r")
    assert amal.ends() == 0


def test_a_turn_that_arrives_while_a_player_types_shows_and_keeps_what_he_typed(table, run):
    basil = run("basil", "play", table.code)
    basil.wait_for("amal is to act")
    basil.type("som")
    basil.wait_for("› som")
    act(table, "choose ltoosh")
    act(table)
    assert "› som" in basil.wait_for("Your turn")


def test_a_wrong_move_is_answered_in_the_servers_words_and_changes_nothing(table, run):
    act(table, "choose ltoosh")
    amal = run("amal", "play", table.code)
    amal.wait_for("Your turn")
    amal.type("pass\r")
    assert "Legal" in amal.wait_for("cannot pass") or "legal" in amal.screen
    amal.type("77\r")
    amal.wait_for("There is no 77")
    table.refresh_from_db()
    assert table.version == 1


def test_players_talk_at_the_table(table, run):
    amal = run("amal", "play", table.code)
    amal.wait_for("Choose a contract")
    say(
        match_code=table.code,
        player=Player.objects.get(username="كارلا"),
        text="مرحبا",
    )
    amal.wait_for("مرحبا")
    amal.type("say hello\r")
    amal.wait_for("amal: hello")


def test_the_result_of_a_deal_is_told_when_the_next_one_lies_on_the_table(table, run):
    amal = run("amal", "play", table.code)
    amal.wait_for("Choose a contract")
    bots_play_deals(table, 1)
    assert "is over: " in amal.wait_for("deal 2 of 20")


def test_ctrl_c_leaves_the_screen_cleanly_and_not_the_match(table, run):
    amal = run("amal", "play", table.code)
    amal.wait_for("Choose a contract")
    amal.type("\x03")
    assert amal.ends() == 0
    assert amal.raw.rstrip().endswith("\x1b[?1049l")
    assert "Traceback" not in amal.raw
    table.refresh_from_db()
    assert table.status == Match.Status.RUNNING
    assert not table.seats.filter(away_since__isnull=False).exists()


def test_ctrl_z_gives_the_shell_its_terminal_back_and_fg_the_table(table, run):
    shell = run("amal", "--norc", "--noprofile", "-i", command=("bash",), PS1="$ ")
    shell.type(f"{shlex.join((*TRIX, 'play', table.code))}\r")
    shell.wait_for("Choose a contract")
    shell.type("\x1a")
    shell.wait_for("Stopped")
    after = shell.raw.rpartition("\x1b[?1049l")[2]
    assert "Choose a contract" not in after and "\x1b[?25h" in after
    shell.type("stty -a | grep -ow -e -*icanon -e -*echo | xargs echo modes:\r")
    shell.wait_for("modes: icanon echo")
    act(table, "choose ltoosh")
    drawn = len(shell.raw)
    shell.type("fg\r")
    shell.wait_for("Your turn")
    assert "\x1b[?1049h" in shell.raw[drawn:]
    shell.type("1\r")
    shell.wait_for("basil is to act")
    shell.type("q\r")
    shell.wait_for("$ ")
    shell.type("exit\r")
    assert shell.ends() == 0


def test_help_and_scores_hide_the_table_until_enter(table, run):
    amal = run("amal", "play", table.code)
    amal.wait_for("Choose a contract")
    amal.type("?\r")
    assert "Choose a contract" not in amal.wait_for("What you can type")
    amal.type("\r")
    amal.wait_for("Choose a contract")


def test_there_is_no_colour_where_nobody_wants_any(table, run):
    amal = run("amal", "play", table.code, NO_COLOR="1")
    amal.wait_for("Choose a contract")
    assert "\x1b[38" not in amal.raw and "\x1b[31" not in amal.raw


def test_who_watches_his_own_match_sees_no_hand_and_cannot_act(table, run):
    act(table, "choose ltoosh")
    amal = run("amal", "watch", table.code)
    assert "╭───╮╭───╮" not in amal.wait_for("amal (you)")
    amal.type("1\r")
    amal.wait_for("not your turn")
    amal.type("pass\r")
    amal.wait_for("You only watch here")


def test_play_without_a_code_goes_to_the_match_that_waits(table, run):
    run("amal", "play").wait_for("Choose a contract")


def test_a_lost_connection_is_said_and_what_was_missed_arrives(table, live_site):
    gone = Event()
    with flaky(live_site, lambda _: "refuse" if gone.is_set() else "pass") as proxy:
        basil = TerminalProgram("play", table.code, **environment(proxy.url, "basil"))
        try:
            basil.wait_for("amal is to act")
            say(match_code=table.code, player=Player.objects.get(username="daoud"), text="hi")
            basil.wait_for("daoud: hi")
            gone.set()
            proxy.cut_streams()
            basil.wait_for("connection lost")
            act(table, "choose ltoosh")
            act(table)
            basil.type("say hello\r")
            basil.wait_for("Sending …")
            basil.wait_for("The server does not answer.")
            gone.clear()
            basil.wait_for("Your turn")
            basil.wait_for("› ")
            assert "connection lost" not in basil.screen and "Sending" not in basil.screen
        finally:
            basil.kill()


def test_a_terminal_that_can_do_nothing_gets_lines(table, run):
    act(table, "choose ltoosh")
    amal = run("amal", "play", table.code, TERM="dumb")
    assert "Your hand: " in amal.wait_for("You can: 1 ")
    amal.type("1\n")
    amal.wait_for("You: ")
    act(table)
    amal.wait_for("basil: ")
    amal.type("\x04")
    assert amal.ends() == 0
    assert "\x1b" not in amal.raw


def test_a_match_is_watched_in_a_pipe_until_it_is_over(table, live_site):
    act_until(table, in_play)
    watch = ["-m", "trix_client.cli", "watch", table.code]
    basil = Process(watch, environment(live_site, "basil"), "Match ")
    basil.start()
    try:
        act(table)
        basil.wait_for("amal: ")
        play_out(table)
        assert basil.wait() == 0
    finally:
        basil.kill()
    assert basil.output.count("is over: ") == 20
    assert basil.output.splitlines()[-1].startswith("The match is over. Won by ")
    assert "\x1b" not in basil.output


def test_what_cannot_be_played_is_one_sentence(run):
    amal = run("amal", "play", "nosuchcode", NO_COLOR="1")
    assert amal.ends() == 1
    assert amal.raw.splitlines() == ["There is no such match."]
