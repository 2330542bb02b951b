"""`manage.py replay` and `manage.py verify`: their objects, their words, their exit status."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from threading import Timer

import pytest
from django.core.management import call_command

from games.engine import PRESETS, action_text, legal_actions, new_match, options_for
from games.engine.notation import Record, hands_text, write_record
from games.engine.replay import replay_report, report, verify_report
from games.engine.shuffle import commitment
from tests.engine.matches import FINAL, FRIDAY, RECORDS, good, random_record, refused
from tests.engine.test_notation_errors import BARE_ACE, NO_BARE

# Of the commands as people start them: Python buffers what goes into a pipe.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
MANAGE = str(Path(__file__).parents[2] / "manage.py")
HANDS = "hands S:A.KQ974.K72.QJT9 E:JT4.A865.63.AK63 N:K863.T2.QT954.85 W:Q9752.J3.AJ8.742\n"


def replay(text: str) -> dict:
    return replay_report(good(text))


# -- finished and unfinished matches -------------------------------------------------------------


def test_an_unfinished_match() -> None:
    assert report(good(FRIDAY), replay_report) == {
        "file": "a.trix",
        "match": 1,
        "rules": "dananeer",
        "status": "unfinished",
        "deals": [
            {
                "number": 1,
                "owner": "S",
                "contract": "trix",
                "scores": {"S": 50, "E": 100, "N": 200, "W": 150},
            },
            {
                "number": 2,
                "owner": "S",
                "contract": "queens",
                "scores": {"S": -25, "E": 0, "N": -25, "W": -50},
            },
        ],
        "totals": {"S": 25, "E": 100, "N": 175, "W": 100},
        "teams": None,
        "winners": [],
        "tie": None,
        "next": {
            "phase": "choose",
            "to_act": ["S"],
            "legal": ["choose king", "choose diamonds", "choose ltoosh"],
        },
    }


def test_a_finished_match_of_partners() -> None:
    found = replay(FINAL)
    assert len(found["deals"]) == 8
    assert found["totals"] == {"S": 280, "E": -245, "N": -135, "W": 0}
    assert found["teams"] == {"SN": 145, "EW": -245}
    assert (found["status"], found["winners"], found["tie"]) == ("finished", ["S", "N"], None)
    assert "next" not in found


@pytest.mark.parametrize(("preset", "tie"), [("dananeer", "shared"), ("eram", "draw")])
def test_a_tie_has_all_its_winners(preset: str, tie: str) -> None:
    nothing = dict.fromkeys(("king_value", "queen_value", "diamond_value", "trick_value"), "0")
    record = random_record(preset, nothing | {"trix_values": "0/0/0/0"}, 1)
    found = replay(write_record(record))
    assert (found["winners"], found["tie"]) == (["S", "E", "N", "W"], tie)


@pytest.mark.parametrize("preset", PRESETS)
def test_totals_add_up(preset: str) -> None:
    found = replay(write_record(random_record(preset, {}, 7)))
    assert found["totals"] == {seat: sum(deal["scores"][seat] for deal in found["deals"]) for seat in "SENW"}


def test_an_error() -> None:
    assert report(refused(FRIDAY.replace("E:100", "E:101")), replay_report) == {
        "file": "a.trix",
        "match": 1,
        "error": {
            "code": "wrong_score",
            "message": "What was played scores S:50 E:100 N:200 W:150.",
            "line": 15,
            "deal": 1,
            "play": None,
        },
    }


# -- what comes next -----------------------------------------------------------------------------


def next_of(text: str) -> tuple[str, list[str], list[str]]:
    step = replay(text)["next"]
    return step["phase"], step["to_act"], step["legal"]


def test_next_is_a_play() -> None:
    deal = f'[Rules "dananeer"]\ndeal 1 S trix\n{HANDS}'
    assert next_of(deal) == ("play", ["S"], ["play JC"])
    assert next_of(deal + "play JC JS\n") == ("play", ["N"], ["pass"])


def test_next_is_everyones_doubling() -> None:
    """South holds QH and QC, North QD, West QS; each answer is named once."""
    deal = f'[Rules "dananeer"]\ndeal 1 S queens\n{HANDS}'
    phase, seats, legal = next_of(deal)
    assert (phase, seats) == ("double", ["S", "N", "W"])
    assert sorted(legal) == [
        "double QC",
        "double QD",
        "double QH",
        "double QH QC",
        "double QS",
        "double none",
    ]
    assert next_of(deal + "double QS\n")[:2] == ("play", ["S"])


def test_next_before_the_first_deal_nobody_knows_who_chooses() -> None:
    assert next_of('[Rules "cardkings-complex"]') == ("choose", [], ["choose complex", "choose trix"])
    options = '[Options "redeal=first_owner"]'
    hands = good(FRIDAY).record.deals[0].hands or ()
    state = new_match(options_for("cardkings-complex", {"redeal": "first_owner"}), hands, hands)
    legal = [action_text(action) for action in legal_actions(state, 0)]
    assert next_of(f'[Rules "cardkings-complex"]\n{options}') == ("choose", [], legal)


def test_next_of_a_kingdom_is_the_contract_left_and_then_another_owner() -> None:
    starts = [FINAL.index(f"deal {number} ") for number in (2, 3)]
    assert next_of(FINAL[: starts[0]]) == ("choose", ["E"], ["choose trix"])
    assert next_of(FINAL[: starts[1]]) == ("choose", ["N"], ["choose complex", "choose trix"])


def test_next_without_cards() -> None:
    deal = '[Rules "dananeer"]\ndeal 1 S '
    assert next_of(deal + "trix") == ("play", ["S"], [])
    assert next_of(deal + "queens") == ("double", [], [])
    king = f'[Rules "cardkings"]\n[Options "redeal=bare_heart"]\ndeal 1 E king\nhands {BARE_ACE}'
    assert next_of(king) == ("play", ["E"], [])
    assert len(next_of(f"{king}\nredeal {NO_BARE}")[2]) == 13


# -- verifying -----------------------------------------------------------------------------------


def line_of(keyword: str, text: str) -> int:
    """The number of the first line that begins so."""
    return text[: text.index(f"\n{keyword} ")].count("\n") + 2


def verify(text: str) -> dict:
    return report(good(text), verify_report)


@pytest.mark.parametrize("redeal", ["none", "four_twos", "bare_heart", "first_owner"])
def test_deals_that_follow_from_the_seed(redeal: str) -> None:
    for seed in range(10):
        text = write_record(random_record("cardkings", {"redeal": redeal}, seed))
        assert verify(text) == {
            "file": "a.trix",
            "match": 1,
            "rules": "cardkings",
            "status": "verified",
            "deals": 20,
        }


def test_deals_that_do_not_follow() -> None:
    honest, stranger = (random_record("cardkings", {}, seed, 400) for seed in (3, 4))
    forged = write_record(Record("cardkings", honest.options, honest.tags, stranger.deals))
    error = verify(forged)["error"]
    assert (error["code"], error["deal"], error["line"]) == ("wrong_hands", 1, line_of("hands", forged))
    assert error["message"] == f"The seed deals {hands_text(honest.deals[0].hands or ())}, not these hands."


def test_second_hands_that_do_not_follow() -> None:
    record = next(
        record
        for record in (random_record("eram", {"redeal": "first_owner"}, seed, 2) for seed in range(99))
        if record.deals and record.deals[0].redealt
    )
    record.deals[0].redealt = record.deals[0].hands
    text = write_record(record)
    error = verify(text)["error"]
    assert (error["code"], error["line"]) == ("wrong_hands", line_of("redeal", text))


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ({}, "commitment_missing"),
        ({"Commitment": "0" * 64}, "seed_missing"),
        ({"Seed": "0" * 64}, "commitment_missing"),
        ({"Commitment": "0" * 64, "Seed": "0" * 64}, "wrong_commitment"),
    ],
)
def test_a_seed_that_nobody_committed_to(tags: dict[str, str], code: str) -> None:
    record = Record("eram", options_for("eram"), tags)
    assert verify(write_record(record))["error"]["code"] == code


def test_what_seed_and_commitment_say() -> None:
    tags = {"South": "amal", "Commitment": "0" * 64, "Seed": "0" * 64}
    error = verify(write_record(Record("eram", options_for("eram"), tags)))["error"]
    assert error["message"] == f"Seed has the SHA-256 {commitment(bytes(32))}; Commitment says {'0' * 64}."
    assert error["line"] == 3


@pytest.mark.parametrize("rest", ["", "\ndeal 1 {owner} king\n"])
def test_without_hands_nothing_is_verified(rest: str) -> None:
    text = write_record(random_record("eram", {}, 5))
    owner = text[text.index("deal 1 ") + 7]
    found = verify(text[: text.index("\ndeal 1")] + rest.format(owner=owner))
    assert found["error"]["code"] == "nothing_to_verify"


def test_only_deals_with_hands_are_counted_as_verified() -> None:
    text = write_record(random_record("eram", {}, 5))
    assert verify(text[: text.index("hands", text.index("deal 3 "))])["deals"] == 2


# -- the commands --------------------------------------------------------------------------------


def run(command: str, *arguments: str | Path) -> tuple[int, list[str]]:
    """Exit status and lines of a command, called in this process; pytest-django lets it reach no
    database."""
    out = io.StringIO()
    try:
        call_command(command, *map(str, arguments), stdout=out, no_color=True)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def test_a_line_a_match_of_many_files(tmp_path: Path) -> None:
    (tmp_path / "b.trix").write_text(FRIDAY + "\n" + FRIDAY.replace("play JC", "play KC") + "\n" + FINAL)
    status, lines = run("replay", "--json", RECORDS / "friday.trix", tmp_path / "b.trix")
    found = [json.loads(line) for line in lines]
    assert status == 1
    assert [(Path(one["file"]).name, one["match"], one.get("status")) for one in found] == [
        ("friday.trix", 1, "unfinished"),
        ("b.trix", 1, "unfinished"),
        ("b.trix", 2, None),
        ("b.trix", 3, "finished"),
    ]
    assert found[2]["error"]["code"] == "not_your_card"


def test_status_is_0_when_all_is_well() -> None:
    assert run("replay", RECORDS / "friday.trix", RECORDS / "final.trix")[0] == 0
    assert run("verify", RECORDS / "final.trix")[0] == 0


def test_words_for_people(tmp_path: Path) -> None:
    (tmp_path / "bad.trix").write_text('[Rules "eram"]\n\nplay JC\n')
    _, lines = run("replay", RECORDS / "friday.trix", RECORDS / "final.trix", tmp_path / "bad.trix")
    assert lines[0].endswith(
        "friday.trix: match 1 (dananeer): unfinished, 2 deals, S 25 E 100 N 175 W 100; next: choose S"
    )
    assert lines[1].endswith("finished, 8 deals, S 280 E -245 N -135 W 0; won by S N")
    assert lines[2].startswith(f"{tmp_path}/bad.trix:3: match 1: A play line cannot stand here")
    assert run("verify", RECORDS / "final.trix")[1][0].endswith(
        "match 1 (cardkings-complex-partners): verified, 8 deals follow from the seed committed to"
    )


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_file_that_cannot_be_read_is_an_error_among_others(command: str, tmp_path: Path) -> None:
    status, lines = run(command, "--json", tmp_path / "missing.trix", tmp_path, RECORDS / "final.trix")
    missing, directory, good_one = map(json.loads, lines)
    assert status == 1
    assert missing["match"] is None
    assert missing["error"] == {
        "code": "unreadable_file",
        "message": "It cannot be read: No such file or directory.",
        "line": None,
        "deal": None,
        "play": None,
    }
    assert directory["error"]["code"] == "unreadable_file"
    assert "error" not in good_one


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_standard_input_without_a_database(command: str) -> None:
    """A process of its own whose database does not exist."""
    done = subprocess.run(
        [sys.executable, MANAGE, command, "--json", "-", "\udcff.trix"],
        input=FINAL.encode(),
        capture_output=True,
        env=ENVIRONMENT | {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"},
        timeout=60,
    )
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["file"], first["match"]) == ("-", 1)
    assert second["error"]["code"] == "unreadable_file"
    assert (done.returncode, done.stderr) == (1, b"")


@contextmanager
def ended_in_time(process: subprocess.Popen) -> Iterator[None]:
    """A process that waits for us while we wait for it is killed, and what we wait for ends."""
    timer = Timer(60, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def test_matches_come_out_as_they_come_in() -> None:
    """The first match is printed while the second is still being written to the pipe."""
    command = [sys.executable, MANAGE, "replay", "--json", "-"]
    with (
        subprocess.Popen(command, stdin=PIPE, stdout=PIPE, env=ENVIRONMENT) as process,
        ended_in_time(process),
    ):
        assert process.stdin and process.stdout
        process.stdin.write(FRIDAY.encode() + b'[Rules "eram"]\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["rules"] == "dananeer"
        process.stdin.close()
        assert json.loads(process.stdout.readline())["rules"] == "eram"
    assert process.returncode == 0


def test_nobody_reads_on() -> None:
    command = [sys.executable, MANAGE, "replay", "-"]
    with (
        subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=ENVIRONMENT) as process,
        ended_in_time(process),
    ):
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(FRIDAY.encode() * 2)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def manage(line: str, folder: Path, **environment: str) -> tuple[int, str, str]:
    """Exit status, output and errors of a line of the shell in which $MANAGE is manage.py."""
    done = subprocess.run(
        ["sh", "-c", line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=ENVIRONMENT
        | {"MANAGE": f"{sys.executable} {MANAGE}", "FINAL": str(RECORDS / "final.trix")}
        | environment,
        cwd=folder,
        timeout=60,
    )
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


@pytest.mark.parametrize(
    ("line", "out", "errors"),
    [
        (
            "$MANAGE replay - <&-",
            "standard input: It cannot be read: standard input is closed. [unreadable_file]\n",
            "",
        ),
        ("$MANAGE replay $FINAL >&-", "", "CommandError: Standard output is closed.\n"),
        (
            "$MANAGE verify $FINAL >/dev/full",
            "",
            "CommandError: Standard output cannot be written: No space left on device.\n",
        ),
    ],
)
def test_streams_that_fail(line: str, out: str, errors: str, tmp_path: Path) -> None:
    assert manage(line, tmp_path) == (1, out, errors)


def test_a_terminal_that_knows_no_unicode(tmp_path: Path) -> None:
    (tmp_path / "آمال.trix").write_text(FRIDAY.replace("E:100", "E:…"))
    status, out, errors = manage("$MANAGE replay *.trix", tmp_path, PYTHONIOENCODING="latin1")
    assert (status, errors) == (1, "")
    assert out.startswith(r"\u0622\u0645\u0627\u0644.trix:15: match 1, deal 1: ")


def test_file_names_control_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[31m\nb\x85.trix").write_text(FRIDAY)
    (line,) = run("replay", *tmp_path.iterdir())[1]
    assert line.startswith(rf"{tmp_path}/a\x1b[31m\nb\x85.trix: match 1 (dananeer): unfinished")


def test_standard_input_is_named_and_read_once(tmp_path: Path) -> None:
    status, out, _ = manage("$MANAGE replay - - <$FINAL", tmp_path)
    first, second = out.splitlines()
    assert status == 1
    assert first.startswith("standard input: match 1 (cardkings-complex-partners): finished")
    assert second == "standard input: It cannot be read: standard input was already read. [unreadable_file]"


def test_a_trial_needs_no_folder_to_write_in(tmp_path: Path) -> None:
    """Neither the command nor the settings of a trial leave anything behind."""
    (tmp_path / "file").touch()
    trial = {"DJANGO_SETTINGS_MODULE": "trix_site.settings.local", "SECRET_KEY": ""}
    line = "TRIX_DATA_DIR=file/data $MANAGE replay $FINAL && TRIX_DATA_DIR=data $MANAGE verify $FINAL"
    status, out, errors = manage(line, tmp_path, **trial)
    assert (status, errors, out.count("\n")) == (0, "", 2)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
