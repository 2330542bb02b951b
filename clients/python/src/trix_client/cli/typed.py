"""What a player types, as an action: a number of the list, a card, or words. Pure functions."""

import re
from dataclasses import dataclass

from .cards import RANKS, choices
from .words import CONTRACTS, SYMBOLS, Document, face, safe

COMMANDS = {"?": "help", "help": "help", "h": "help", "q": "quit", "quit": "quit", "exit": "quit"}
WORDS = ("start", "rematch", "return", "scores")
RESIGN = "resign for good"
SUIT_OF = {symbol: suit for suit, symbol in SYMBOLS.items()}
LONGEST_LIST = 13

HELP = (
    "a number       the action with that number",
    "KH, 10s, k♥    play that card; while doubling, double it (several: QS QH)",
    "queens         choose that contract",
    "Enter          the only thing that you can do, such as “pass” in trix",
    "none           double nothing",
    "say TEXT       speak to the table",
    "start          fill the free seats with bots and begin (who opened the table)",
    "scores         all deals so far",
    "return         take your seat back from the bot that plays for you",
    "resign         leave the match to a bot until its end (asks once more)",
    "rematch        once more, when the match is over",
    "q, Ctrl-C      leave the screen; the match goes on, “trix play” comes back",
)


@dataclass(frozen=True)
class Typed:
    """kind: "action" (of the API, as text), "say", "wrong" (a sentence), "nothing", or a command."""

    kind: str
    text: str = ""


def read(line: str, view: Document | None) -> Typed:
    """What a line means for who sees ``view``. What is an action at all is left to the server to judge."""
    words = line.strip()
    lower = words.lower()
    if lower in COMMANDS:
        return Typed(COMMANDS[lower])
    if lower in WORDS:
        return Typed(lower)
    if lower == "resign":
        return Typed("wrong", f"There is no way back. If you mean it, type: {RESIGN}")
    if lower == RESIGN:
        return Typed("resign")
    if lower.split(" ")[0] == "say":
        said = words[3:].strip()
        return Typed("say", said) if said else Typed("wrong", "Say what? As in: say good luck")
    if view is None:
        return Typed("wrong", "The match has not started.") if words else Typed("nothing")
    return _action(lower, view)


def _action(words: str, view: Document) -> Typed:
    options = choices(view)
    if not words:
        return Typed("action", options[0]) if len(options) == 1 else Typed("nothing")
    if words.isdecimal() and words.isascii():
        return _numbered(int(words), options)
    for verb in ("choose ", "play ", "double "):
        words = words.removeprefix(verb)
    if words in ("pass", "redeal"):
        return Typed("action", words)
    if words == "none":
        return Typed("action", "double none")
    if words == "collections" or words in CONTRACTS:
        return Typed("action", f"choose {words}")
    cards = [card_of(word) for word in re.split(r"[\s,]+", words)]
    if None in cards:
        return Typed("wrong", f"“{safe(words)}” is nothing that you can do here. {legal_words(options)}")
    verb = "double" if view["phase"] == "double" else "play"
    return Typed("action", f"{verb} {' '.join(filter(None, cards))}")


def _numbered(number: int, options: list[str]) -> Typed:
    if not options:
        return Typed("wrong", "It is not your turn.")
    if not 1 <= number <= len(options):
        return Typed("wrong", f"There is no {number}. {legal_words(options)}")
    return Typed("action", options[number - 1])


def card_of(word: str) -> str | None:
    """ "TH" for any of TH, 10h, 10♥, th; None for what is no card."""
    rank, suit = word[:-1].upper().replace("10", "T"), SUIT_OF.get(word[-1:], word[-1:].upper())
    return rank + suit if len(rank) == 1 and rank in RANKS and suit in SYMBOLS else None


def legal_words(options: list[str]) -> str:
    """The legal actions in a sentence."""
    if not options:
        return "It is not your turn."
    shown = [f"{number} {action_words(option)}" for number, option in enumerate(options[:LONGEST_LIST], 1)]
    return f"You can: {', '.join(shown)}{' …' if len(options) > LONGEST_LIST else ''}. ? helps"


def action_words(action: str) -> str:
    """ "play KH" as "K♥", "double QS QH" as "Q♠ Q♥", "choose king" as "king"."""
    verb, _, rest = action.partition(" ")
    if verb in ("play", "double") and rest != "none":
        return " ".join(map(face, rest.split()))
    return rest or verb
