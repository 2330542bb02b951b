"""Records checked by the client, which shares no code with the server."""

import hashlib
from itertools import count

import pytest

from games.engine import options_for, write_record
from games.engine.cards import cards_text
from games.engine.shuffle import commitment, deal_hands
from tests.engine.matches import random_record
from trix_client import VerificationError, verify_record
from trix_client.verify import dealt, shuffled

VECTOR = bytes(range(32))
HEAD = '[Rules "dananeer"]\n'
COMMITMENT, SEED = f'[Commitment "{commitment(VECTOR)}"]\n', f'[Seed "{VECTOR.hex()}"]\n'


def recorded(rules: str = "cardkings-complex", redeal: str = "none", seed: int = 1) -> str:
    """The record of a match at random."""
    return write_record(random_record(rules, {"redeal": redeal}, seed))


def test_the_published_vector():
    assert hashlib.sha256(VECTOR).hexdigest() == commitment(VECTOR)
    south = shuffled(VECTOR, 1, 0)[0]
    assert south == {"AS", "8S", "5S", "3S", "AH", "2H", "7D", "2D", "AC", "QC", "8C", "7C", "4C"}


@pytest.mark.parametrize("redeal", ["none", "four_twos", "bare_heart", "first_owner"])
def test_the_hands_are_the_server_s_under_every_option_of_redealing(redeal):
    options = options_for("dananeer", {"redeal": redeal})
    for number in range(1, 400):
        server = deal_hands(VECTOR, number, options)
        assert dealt(VECTOR, number, redeal) == [set(cards_text(hand)) for hand in server.hands]
        if server.redealt:
            again = dealt(VECTOR, number, redeal, again=True)
            assert again == [set(cards_text(hand)) for hand in server.redealt]


@pytest.mark.parametrize("redeal", ["none", "bare_heart", "first_owner"])
def test_a_record_of_a_whole_match_is_verified(redeal):
    wanted = "\nhands " if redeal == "none" else "\nredeal "
    text = next(text for seed in count(1) if wanted in (text := recorded("dananeer", redeal, seed)))
    (match,) = verify_record(text)
    assert match.deals == 20
    assert verify_record(text, match.commitment) == [match]


def test_a_file_of_two_matches_is_verified_match_by_match():
    found = verify_record(recorded(seed=1) + "\n" + recorded(seed=2))
    assert [match.deals for match in found] == [8, 8]
    assert found[0].commitment != found[1].commitment


def test_one_card_that_another_got_is_found_by_its_line():
    text = recorded()
    line = next(line for line in text.splitlines() if line.startswith("hands"))
    number = text.splitlines().index(line) + 1
    south, east, *rest = line.removeprefix("hands ").split()
    swapped = " ".join(["hands", "S:" + east[2:], "E:" + south[2:], *rest])
    with pytest.raises(VerificationError, match=f"Line {number}: these hands of deal 1"):
        verify_record(text.replace(line, swapped))


def test_a_seed_that_was_chosen_afterwards_is_found():
    honest, forged = recorded(seed=1), recorded(seed=2)
    (match,) = verify_record(honest)
    with pytest.raises(VerificationError, match="SHA-256 that was published"):
        verify_record(forged, match.commitment)


def test_a_seed_of_another_match_is_found():
    one, other = recorded(seed=1), recorded(seed=2)
    mine, another = (match.tags["Seed"] for text in (one, other) for match in verify_record(text))
    with pytest.raises(VerificationError, match="SHA-256"):
        verify_record(one.replace(mine, another))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no match"),
        ("# nothing\n", "no match"),
        (HEAD, "no Commitment"),
        (HEAD + COMMITMENT, "no Seed"),
        (HEAD + COMMITMENT + SEED, "no hands"),
        (HEAD + COMMITMENT + SEED + "deal one S king\nhands S\n", "Line 5"),
        (HEAD + COMMITMENT + SEED + "deal\nhands\n", "Line 5"),
    ],
)
def test_what_cannot_be_verified_is_said(text, says):
    with pytest.raises(VerificationError, match=says):
        verify_record(text)
