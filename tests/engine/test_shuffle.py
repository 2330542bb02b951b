"""Deals follow from the secret by the derivation of docs/notation.md, and by nothing else."""

import hashlib
import hmac
from collections import Counter

import pytest

from games.engine import new_match, options_for
from games.engine.apply import has_bare_heart
from games.engine.cards import CARD_TEXTS, FULL_DECK, TWOS, cards_of
from games.engine.shuffle import commitment, deal_hands, shuffled_hands

SECRET = bytes(range(32))
PLAIN = options_for("dananeer")


def by_the_book(secret: bytes, deal: int, attempt: int) -> list[set[str]]:
    """The derivation written a second time from its description, with cards as texts."""
    stream = b"".join(
        hmac.new(secret, f"trix deal v1:{deal}:{attempt}:{k}".encode("ascii"), hashlib.sha256).digest()
        for k in range(20)
    )
    deck = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
    at = 0
    for i in range(51, 0, -1):
        n = i + 1
        while stream[at] >= 256 - 256 % n:
            at += 1
        j = stream[at] % n
        at += 1
        deck[i], deck[j] = deck[j], deck[i]
    return [set(deck[13 * seat : 13 * seat + 13]) for seat in range(4)]


@pytest.mark.parametrize("deal", [1, 2, 7, 20])
@pytest.mark.parametrize("attempt", [0, 1, 30])
@pytest.mark.parametrize("secret", [SECRET, b"\xff" * 32, b"short"])
def test_hands_are_those_of_the_description(secret: bytes, deal: int, attempt: int) -> None:
    dealt = shuffled_hands(secret, deal, attempt)
    assert [{CARD_TEXTS[card] for card in cards_of(hand)} for hand in dealt] == by_the_book(
        secret, deal, attempt
    )


def test_commitment_is_the_sha256_of_the_secret() -> None:
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_every_deal_and_every_secret_gives_other_hands() -> None:
    deals = {deal_hands(SECRET, number, PLAIN).hands for number in range(1, 21)}
    others = {deal_hands(bytes([n]) * 32, 1, PLAIN).hands for n in range(20)}
    assert len(deals | others) == 40


def test_cards_fall_evenly_on_the_seats() -> None:
    """Each card lies with South in a quarter of 2,000 deals, within five standard deviations."""
    south = Counter(card for n in range(2000) for card in cards_of(shuffled_hands(SECRET, n, 0)[0]))
    assert all(abs(south[card] - 500) < 5 * (2000 * 3 / 16) ** 0.5 for card in range(52))


def test_four_twos_takes_the_first_attempt_without_them() -> None:
    options = options_for("dananeer", {"redeal": "four_twos"})
    number = next(n for n in range(1, 5000) if any(h & TWOS == TWOS for h in shuffled_hands(SECRET, n, 0)))
    dealt = deal_hands(SECRET, number, options)
    assert dealt.redealt is None
    assert dealt.hands == shuffled_hands(SECRET, number, 1)
    assert deal_hands(SECRET, number, PLAIN).hands == shuffled_hands(SECRET, number, 0)


def test_bare_heart_keeps_the_first_hands_and_adds_acceptable_ones() -> None:
    options = options_for("dananeer", {"redeal": "bare_heart"})
    number = next(n for n in range(1, 5000) if has_bare_heart(shuffled_hands(SECRET, n, 1)))
    dealt = deal_hands(SECRET, number, options)
    assert dealt.hands == shuffled_hands(SECRET, number, 0)
    assert dealt.redealt == shuffled_hands(SECRET, number, 2)


def test_first_owner_gets_attempts_nought_and_one() -> None:
    dealt = deal_hands(SECRET, 1, options_for("dananeer", {"redeal": "first_owner"}))
    assert (dealt.hands, dealt.redealt) == (shuffled_hands(SECRET, 1, 0), shuffled_hands(SECRET, 1, 1))


@pytest.mark.parametrize("redeal", ["none", "four_twos", "bare_heart", "first_owner"])
def test_the_engine_takes_what_is_dealt(redeal: str) -> None:
    options = options_for("cardkings", {"redeal": redeal})
    for n in range(200):
        dealt = deal_hands(n.to_bytes(32), 1, options)
        assert sum(dealt.hands) == FULL_DECK
        assert new_match(options, dealt.hands, dealt.redealt).hands == list(dealt.hands)
