"""Actions as single bytes, and their text at every border.

===========  ==================================================================
0..51        play that card
52           pass (trix)
53           redeal (the first owner's choice, option ``redeal=first_owner``)
54..59       choose contract ``action - 54``
64..191      double: ``64 + 32 * seat + cards``; bits 0..3 of ``cards`` are the
             queens of spades, hearts, diamonds, clubs, bit 4 is KH
===========  ==================================================================

So a deal's log is ``bytes``. Doubles alone name their seat: they are simultaneous, while the seat
of any other action follows from the position.
"""

from .cards import CARD_OF_TEXT, CARD_TEXTS, KH, QUEEN_OF
from .errors import MalformedAction, MalformedCard, shown
from .options import CONTRACT_OF_TEXT, Contract

PASS = 52
REDEAL = 53
CHOOSE = 54
DOUBLE = 64

# The doublable cards, in the order of their bits; written in the order of the rule pages' lists.
DOUBLABLE = (*QUEEN_OF, KH)

FORMS = "'play KH', 'pass', 'choose queens', 'double QS QH', 'double none' or 'redeal'"


def choose_action(contract: Contract) -> int:
    """The action of choosing a contract."""
    return CHOOSE + contract


def double_action(seat: int, cards: int) -> int:
    """The action of a seat that doubles just the cards of the set ``cards`` (none: 0)."""
    return DOUBLE + 32 * seat + sum(1 << bit for bit, card in enumerate(DOUBLABLE) if cards >> card & 1)


def double_seat(action: int) -> int:
    """The seat that gave this double answer."""
    return (action - DOUBLE) >> 5


def double_cards(action: int) -> int:
    """The set of cards that this answer doubles."""
    bits = (action - DOUBLE) & 31
    return sum(1 << card for bit, card in enumerate(DOUBLABLE) if bits >> bit & 1)


def action_text(action: int) -> str:
    """The text of an action, as the API, the records and the views write it.

    Raises MalformedAction for a number that is no action.
    """
    text = _TEXTS.get(action)
    if text is None:
        raise MalformedAction(f"{action} is no action: those are 0..59 and 64..191.")
    return text


def parse_action(text: str, seat: int) -> int:
    """The action that ``text`` names when ``seat`` says it.

    Raises MalformedAction if it is no action in any position, MalformedCard if it plays what is no
    card. Whether it is legal here is for `submit` to say.
    """
    action = _ACTIONS.get(text)
    if action is not None:
        return action
    verb, _, rest = text.partition(" ")
    if verb == "play" and rest:
        raise MalformedCard(rest)
    if verb == "double":
        return _parse_double(text, rest.split(" "), seat)
    if verb == "choose":
        raise MalformedAction(f"{shown(text)} names no contract: it is one of {', '.join(CONTRACT_OF_TEXT)}.")
    raise MalformedAction(f"{shown(text)} is no action: write {FORMS}.")


def _parse_double(text: str, words: list[str], seat: int) -> int:
    if words == ["none"]:
        return double_action(seat, 0)
    cards = [CARD_OF_TEXT.get(word) for word in words]
    if len(set(cards)) < len(cards) or not all(card in DOUBLABLE for card in cards):
        raise MalformedAction(
            f"{shown(text)} should be 'double none' or 'double' and some of KH QS QH QD QC, each once."
        )
    return double_action(seat, sum(1 << card for card in cards if card is not None))


def _double_text(action: int) -> str:
    cards = double_cards(action)
    return "double " + (" ".join(CARD_TEXTS[card] for card in DOUBLABLE if cards >> card & 1) or "none")


_ACTIONS = (
    {f"play {text}": card for text, card in CARD_OF_TEXT.items()}
    | {"pass": PASS, "redeal": REDEAL}
    | {f"choose {text}": CHOOSE + contract for text, contract in CONTRACT_OF_TEXT.items()}
)
_TEXTS = {action: text for text, action in reversed(_ACTIONS.items()) if text != "choose collections"} | {
    action: _double_text(action) for action in range(DOUBLE, DOUBLE + 128)
}
