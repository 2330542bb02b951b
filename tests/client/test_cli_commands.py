"""The commands of `trix` against the real server: what they print, what they keep, how they end."""

import json
import re
import shlex
import stat
import sys
import time
from collections.abc import Callable
from threading import Event

import pytest
import typer

from games.engine import to_act
from games.models import Analysis, Match, Player
from games.services import matches
from games.services.analyses import make_next_deal
from games.services.invitations import invite
from ratings.models import Pool
from tests.client.conftest import token_of
from tests.client.flaky import Proxy, flaky
from tests.client.terminals import TerminalProgram
from tests.games.play import act, play_out, state_of
from tests.processes import ROOT
from trix_client import TrixError, cli
from trix_client.cli.bot import LEVELS, Program, choose_careful
from trix_client.cli.login import Login, login_file, store
from trix_client.cli.tables import clock_of

CLIENT = str(ROOT / "clients" / "python" / "src")
PASSWORD = "seven of hearts"
Trix = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _settings(monkeypatch, tmp_path):
    """Nobody is logged in, and nothing of this machine's settings counts."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("TRIX_SERVER", "TRIX_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def trix(capsys, monkeypatch) -> Trix:
    """Run a command line: its exit code, what it printed, and its errors."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["trix", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return ended.value.code or 0, printed.out, printed.err  # type: ignore[return-value]

    return run


@pytest.fixture
def amal(live_api) -> Player:
    """Somebody who is logged in on this machine."""
    store(Login(live_api, token_of("amal"), "amal"))
    return Player.objects.get(username="amal")


def test_an_account_is_made_and_logged_in_with_a_token_that_only_its_owner_can_read(trix, live_api):
    trix("register", "--name", "amal", "--password", PASSWORD, "--server", live_api)
    amal = Player.objects.get(username="amal")
    code, out, _ = trix("whoami")
    assert (code, f"amal at {live_api}, until 20" in out, out.endswith("may read, play\n")) == (0, True, True)
    assert stat.S_IMODE(login_file().stat().st_mode) == 0o600
    assert PASSWORD not in login_file().read_text()
    assert amal.auth_token_set.get().name.startswith("trix on ")


def test_logging_out_revokes_the_token_and_forgets_it(trix, amal):
    assert trix("logout")[:2] == (0, "Logged out.\n")
    assert not amal.auth_token_set.exists()
    code, out, err = trix("whoami")
    assert (code, out) == (1, "")
    assert err.startswith("You are not logged in at ")


def test_who_is_logged_in_nowhere_any_more_can_still_log_out(trix, amal):
    amal.auth_token_set.all().delete()
    assert trix("logout")[0] == 0


def test_a_token_is_sent_to_its_own_server_alone(trix, amal, monkeypatch):
    monkeypatch.setenv("TRIX_SERVER", "http://127.0.0.1:9")
    code, _, err = trix("whoami")
    assert (code, err) == (1, "You are not logged in at http://127.0.0.1:9: trix login, or trix register\n")


def test_a_slash_behind_the_address_makes_no_other_server_of_it(trix, amal, live_api, monkeypatch):
    monkeypatch.setenv("TRIX_SERVER", f"{live_api}/")
    assert trix("whoami")[0] == 0
    monkeypatch.delenv("TRIX_SERVER")
    store(Login(f"{live_api}/", token_of("amal"), "amal"))
    assert trix("whoami")[0] == 0


def test_a_program_is_told_who_it_is_by_the_environment(trix, live_api, monkeypatch):
    monkeypatch.setenv("TRIX_SERVER", live_api)
    monkeypatch.setenv("TRIX_TOKEN", token_of("basil"))
    assert json.loads(trix("whoami", "--json")[1])["player"] == {"name": "basil", "is_bot": False}
    assert not login_file().exists()


def test_a_password_is_asked_for_and_not_shown(live_api, tmp_path):
    Player.objects.create_user("basil", password=PASSWORD)
    basil = TerminalProgram("login", "--server", live_api, PYTHONPATH=CLIENT)
    try:
        basil.wait_for("Name: ")
        basil.type("basil\n")
        basil.wait_for("Password: ")
        basil.type(f"{PASSWORD}\n")
        basil.wait_for("as basil.")
        assert basil.ends() == 0
        assert PASSWORD not in basil.raw
    finally:
        basil.kill()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["register", "--name", "amal", "--password", PASSWORD], "There is a player amal already."),
        (["register", "--name", "basil", "--password", "short"], "password"),
        (["login", "--name", "amal", "--password", "wrong"], "password"),
        (["join", "nosuchcode"], "There is no such match."),
        (["open", "poker"], "poker"),
        (["standings", "nosuchleague"], "There is no tournament"),
        (["ratings", "nosuchpool"], "pool"),
        (["chat", "nosuchcode"], "There is no such match."),
    ],
)
def test_what_the_server_refuses_ends_with_1_and_the_servers_words(trix, amal, arguments, words):
    code, out, err = trix(*arguments)
    assert (code, out) == (1, "")
    assert words in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["join"],
        ["open", "eram", "--clock", "soon"],
        ["bot", "--level", "genius"],
        ["login", "--name", "amal", "--password", PASSWORD, "--server", "localhost:8000"],
        ["verify", "nosuchfile"],
    ],
)
def test_a_wrong_command_line_ends_with_2(trix, amal, arguments):
    code, _, err = trix(*arguments)
    assert code == 2
    assert "Usage" in err


def test_a_server_that_is_not_there_is_said_in_a_sentence(trix):
    code, _, err = trix("login", "--name", "amal", "--password", PASSWORD, "--server", "http://127.0.0.1:9")
    assert code == 1
    assert err.count("\n") == 1 and "127.0.0.1:9" in err


def test_a_table_is_opened_found_joined_and_left(trix, amal, live_api, monkeypatch):
    opened = json.loads(trix("open", "eram", "--clock", "20+5m", "--bots", "random", "--json")[1])
    assert opened["clock"] == {"choose": 20, "double": 20, "play": 20, "bank": 300}
    assert [bool(seat["player"] or seat["bot"]) for seat in opened["seats"]] == [True, True, False, False]
    lobby = trix("matches")[1]
    assert re.search(rf"{opened['code']} +eram +open +20 s \+ 5:00 +amal, random bot, free, free", lobby)
    monkeypatch.setenv("TRIX_SERVER", live_api)
    monkeypatch.setenv("TRIX_TOKEN", token_of("basil"))
    assert f"You sit at {opened['code']}, seat N" in trix("join", opened["code"])[1]
    assert trix("leave", opened["code"])[0] == 0
    assert trix("leave", opened["code"])[0] == 1


def test_an_empty_lobby_says_so(trix, amal):
    assert "Nothing here yet." in trix("matches")[1]


def test_a_private_table_is_shown_with_what_others_need_to_join(trix, amal):
    out = trix("open", "cardkings", "--private")[1]
    match = Match.objects.get()
    assert f"trix join {match.code} --code {match.join_code}" in out


def test_a_match_is_started_called_off_and_resigned(trix, amal):
    first = json.loads(trix("open", "eram", "--start", "--json")[1])
    assert first["status"] == "running"
    assert "called off" in trix("abort", first["code"])[1]
    second = json.loads(trix("open", "eram", "--json")[1])
    assert "is running" in trix("start", second["code"])[1]
    assert "a bot plays on" in trix("resign", second["code"])[1]
    assert trix("matches", "--mine")[1].count("eram") == 2


def test_a_refusal_is_said_once(trix, amal):
    assert trix("matches", "--status", "lost")[2].count("status:") == 1


def test_a_token_that_cannot_be_one_is_not_shown(trix, live_api, monkeypatch):
    monkeypatch.setenv("TRIX_SERVER", live_api)
    for token in ("secretpart\nmore", "secretparté"):
        monkeypatch.setenv("TRIX_TOKEN", token)
        code, _, err = trix("whoami")
        assert (code, err) == (1, "A token has letters and digits only.\n")


def test_players_are_invited_and_talk(trix, amal):
    Player.objects.create_user("هالة")
    code = json.loads(trix("open", "eram", "--invite", "هالة", "--json")[1])["code"]
    assert json.loads(trix("matches", "--mine", "--json")[1])["results"][0]["code"] == code
    assert trix("chat", code, "مرحبا")[0] == 0
    assert trix("chat", code)[1] == "amal: \u2068مرحبا\u2069\n"


def test_who_is_invited_finds_the_table_and_joins_or_declines(trix, amal):
    host = Player.objects.create_user("هالة")
    table = matches.open_match(player=host, rules="eram", options={}, visibility="private", invite=["amal"])
    assert re.search(rf"{table.code} +eram \(private\) .*هالة", trix("invitations")[1])
    assert f"trix join {table.code}" in trix("play")[2]
    assert trix("decline", table.code)[0] == 0
    assert "Nothing here yet." in trix("invitations")[1]


def test_a_rematch_is_opened_by_a_player_of_the_match(trix, amal):
    first = json.loads(trix("open", "eram", "--start", "--json")[1])["code"]
    assert trix("rematch", first)[0] == 1
    play_out(Match.objects.get(code=first))
    again = json.loads(trix("rematch", first, "--json")[1])
    assert (again["rules"], again["you"], again["code"] != first) == ("eram", "S", True)


def finished() -> Match:
    match = matches.open_match(player=Player.objects.create_user("basil"), rules="eram", options={})
    matches.start(match_code=match.code, player=Player.objects.get(username="basil"))
    play_out(match)
    return match


def test_a_record_that_cannot_be_written_is_said_in_a_sentence(trix, amal, tmp_path):
    code, _, err = trix("record", finished().code, "-o", str(tmp_path / "nowhere" / "x.trix"))
    assert (code, err.count("\n"), "No such file" in err) == (1, 1, True)


def test_a_record_is_downloaded_and_its_deals_verified(trix, amal, tmp_path):
    match, file = finished(), tmp_path / "a.trix"
    code, out, err = trix("record", match.code, "-o", str(file), "--verify")
    assert (code, out, err) == (0, "", "verified: 20 deals of 1 match\n")
    assert trix("verify", str(file))[:2] == (0, f"{file}: verified: 20 deals of 1 match\n")
    assert trix("record", match.code)[1] == file.read_text()


def test_a_match_is_analysed_and_its_mistakes_shown(trix, amal, monkeypatch):
    match = matches.create_match(rules="cardkings-complex", options={}, seats=["random"] * 4)
    play_out(match)

    def analysed_meanwhile(seconds: float) -> None:
        for done in range(8):
            make_next_deal(match.pk, done, 0)

    monkeypatch.setattr(time, "sleep", analysed_meanwhile)
    code, out, err = trix("analysis", match.code, "--seat", "E")
    assert (code, err) == (0, "")
    assert "South" in out and "points lost" in out and " ± " in out
    found = json.loads(trix("analysis", match.code, "--all", "--json")[1])
    assert len(found["decisions"]) == sum(of["decisions"] for of in found["seats"].values())


def test_a_seat_that_there_is_not_is_refused_before_anything_is_asked(trix, amal):
    code, _, err = trix("analysis", finished().code, "--seat", "X")
    assert code == 2 and "'X'" in err
    assert not Analysis.objects.exists()


def test_asking_for_an_analysis_takes_a_login(trix, live_api, monkeypatch):
    monkeypatch.setenv("TRIX_SERVER", live_api)
    code, _, err = trix("analysis", finished().code)
    assert code == 1 and err.startswith("You are not logged in at ")


def test_a_match_that_is_not_over_is_not_analysed(trix, amal):
    code = matches.open_match(player=amal, rules="eram", options={}).code
    assert trix("analysis", code)[::2] == (1, "The match is open, not finished.\n")


def test_a_record_with_other_hands_is_found_out(trix, amal, tmp_path):
    file = tmp_path / "a.trix"
    trix("record", finished().code, "-o", str(file))
    text = file.read_text()
    south, east = re.search(r"hands S:(\S+) E:(\S+)", text).groups()
    file.write_text(text.replace(f"S:{south} E:{east}", f"S:{east} E:{south}", 1))
    code, out, err = trix("verify", str(file))
    assert (code, out) == (1, "")
    assert "deal 1" in err


def test_pools_tournaments_and_leagues_are_listed_without_an_account(trix, live_api, connect, monkeypatch):
    monkeypatch.setenv("TRIX_SERVER", live_api)
    amal = connect("amal")
    amal.leagues.create("Amman", settings={"rules": "eram"})
    assert "amman" in trix("leagues")[1]
    amal.tournaments.create("Friday", "eram", stages=[{"format": "knockout"}])
    amal.tournaments.open("friday")
    assert re.search(r"friday +Friday +registration +eram +open", trix("tournaments")[1])
    assert trix("ratings")[0] == 0
    assert Pool.objects.count() == len(json.loads(trix("ratings", "--json")[1]))


def test_the_standings_of_pairs_name_both(trix, live_api, connect, monkeypatch):
    monkeypatch.setenv("TRIX_SERVER", live_api)
    for name in ("basil", "كارلا", "daoud"):
        Player.objects.create_user(name)
    league = connect("amal").tournaments
    slug = league.create("Friday", "cardkings-partners", pairs=True)["slug"]
    league.enter(slug, "amal", partner="basil")
    league.enter(slug, "كارلا", partner="daoud")
    league.open(slug)
    league.start(slug)
    out = trix("standings", slug)[1]
    assert "amal & basil" in out and "كارلا\u2069 & daoud" in out


@pytest.mark.parametrize(
    ("text", "play", "bank"), [("30", 30, None), ("2m+1h", 120, 3600), ("3d", 259200, None), ("0", 0, None)]
)
def test_clocks(text, play, bank):
    assert (clock_of(text)["play"], clock_of(text).get("bank")) == (play, bank)


PROGRAM = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"action": json.loads(line)["view"]["legal"][0]}), flush=True)
"""


def test_a_bot_plays_by_a_program_of_ones_own(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    with Program(shlex.join([sys.executable, str(file)])) as program:
        for action in ("play KH", "pass"):
            assert program.choose({"view": {"legal": [action, "play 2S"]}}) == action


@pytest.mark.parametrize("code", ["pass", "print('play KH')", "print('[]')", "print('{}')"])
def test_a_program_that_answers_something_else_is_told_so(code):
    long = {"view": {"legal": []}, "more than a pipe holds": "." * 200_000}
    with (
        pytest.raises(TrixError, match=r"ended without an answer|not as in"),
        Program(shlex.join([sys.executable, "-c", code])) as program,
    ):
        program.choose(long)


def careful(contract: str, trick: list[str], *cards: str) -> str:
    deal = {"contract": contract, "layout": None, "trick": {"leader": "S", "cards": trick} if trick else None}
    legal = [f"play {card}" for card in cards]
    return choose_careful({"view": {"legal": legal, "deal": deal}})  # type: ignore[typeddict-item]


def test_the_careful_bot_ducks_and_throws_what_costs():
    assert careful("queens", ["9S"], "KS", "4S", "TS") == "play 4S"
    assert careful("queens", ["9S"], "AH", "QD", "2C") == "play QD"
    assert careful("king", ["9S"], "AH", "KH", "2C") == "play KH"
    assert careful("ltoosh", [], "AH", "KH", "2C") == "play 2C"


@pytest.mark.parametrize("level", LEVELS)
def test_the_bot_plays_the_turns_of_its_account_where_it_is_invited(live_site, level):
    cast = [Player.objects.create_user(name) for name in ("basil", "carla", "daoud")]
    match = matches.open_match(player=cast[0], rules="dananeer", options={}, invite=[])
    environment = {"TRIX_SERVER": live_site, "TRIX_TOKEN": token_of("robot"), "PYTHONPATH": CLIENT}
    robot = TerminalProgram("bot", "--accept", "--level", level, TERM="dumb", **environment)
    try:
        robot.wait_for("Playing every match")
        invite(match_code=match.code, player=cast[0], name="robot")
        robot.wait_for(f"Joined {match.code}.")
        for player in cast[1:]:
            matches.join(match_code=match.code, player=player)
        matches.start(match_code=match.code, player=cast[0])
        others_play_a_deal(match, robot=match.seats.get(player__username="robot").index)
        robot.type("\x03")
        assert robot.ends() == 0
        assert "Stopped." in robot.raw
    finally:
        robot.kill()


def test_a_bot_goes_on_accepting_after_a_join_that_did_not_reach_the_server(live_site):
    basil, gone = Player.objects.create_user("basil"), Event()
    first, second = (matches.open_match(player=basil, rules="dananeer", options={}) for _ in range(2))
    with flaky(live_site, lambda _: "refuse" if gone.is_set() else "pass") as proxy:
        environment = {"TRIX_SERVER": proxy.url, "TRIX_TOKEN": token_of("robot"), "PYTHONPATH": CLIENT}
        robot = TerminalProgram("bot", "--accept", TERM="dumb", **environment)
        try:
            robot.wait_for("Playing every match")
            both_streams_begin(proxy)
            gone.set()
            invite(match_code=first.code, player=basil, name="robot")
            robot.wait_for(f"{first.code}: POST http")
            gone.clear()
            invite(match_code=second.code, player=basil, name="robot")
            robot.wait_for(f"Joined {second.code}.")
            assert "Traceback" not in robot.raw
        finally:
            robot.kill()


def both_streams_begin(proxy: Proxy, seconds: float = 20) -> None:
    """The bot has one for its turns, and one for invitations."""
    deadline = time.monotonic() + seconds
    while len(proxy.seen) < 2:
        assert time.monotonic() < deadline, "The bot asks for no streams."
        time.sleep(0.02)


def others_play_a_deal(match: Match, robot: int, seconds: float = 60) -> None:
    """All but the robot, who has to act by itself within that time."""
    deadline = time.monotonic() + seconds
    while (state := state_of(match)).number == 1:
        if to_act(state)[0] != robot:
            act(match)
        else:
            assert time.monotonic() < deadline, "The robot does not act."
            time.sleep(0.02)


def test_every_command_is_in_the_page_for_players_and_every_command_of_the_page_there():
    page = (ROOT / "docs" / "playing.md").read_text()
    commands = set(typer.main.get_command(cli.app).commands)
    assert set(re.findall(r"trix ([a-z]+)", page)) - {"is"} == commands
