"""Cards drawn: as text, as boxes, as a numbered hand, as the rows of trix."""

from rich.text import Text

from .words import SYMBOLS, Document, face

RANKS = "23456789TJQKA"
HAND_SUITS = "SHCD"  # black and red in turn
BOX = 5  # cells in width
PAPER, GOLD = "on grey93", "on wheat1"
RED, BLACK = "bold bright_red", "bold"


def colour(card: str, dim: bool = False) -> str:
    style = RED if card[1] in "HD" else BLACK
    return style.replace("bold", "dim").replace("bright_", "") if dim else style


def printed(suit: str, paper: str) -> str:
    return f"bold {'red3' if suit in 'HD' else 'grey11'} {paper}"


def card_text(card: str, dim: bool = False) -> Text:
    return Text(face(card), colour(card, dim))


def cards_line(cards: list[str], dim: bool = False) -> Text:
    return Text(" ").join(card_text(card, dim) for card in cards)


def in_order(cards: list[str]) -> list[str]:
    """A hand as it is held: by suit, in a suit the highest first."""
    return sorted(cards, key=lambda card: (HAND_SUITS.index(card[1]), -RANKS.index(card[0])))


def box(card: str | None, paper: str = "", dim: bool = False, edge: str = "bright_black") -> list[Text]:
    """Three lines of five cells, on ``paper`` (a background, as in "on white"). No card: an empty place."""
    if card is None:
        return [Text("╭┄┄┄╮", edge), Text("┆   ┆", edge), Text("╰┄┄┄╯", edge)]
    edge = f"{edge} {paper}"
    ink = printed(card[1], paper) if paper else colour(card, dim)
    middle = Text.assemble(("│", edge), (face(card).rjust(3), ink), ("│", edge))
    return [Text("╭───╮", edge), middle, Text("╰───╯", edge)]


def choices(view: Document) -> list[str]:
    """The reader's legal actions in the order in which they are numbered: cards as the hand shows them."""
    legal = list(view["legal"])
    plays = in_order([action[5:] for action in legal if action.startswith("play ")])
    return [f"play {card}" for card in plays] or legal


def hand_lines(view: Document) -> list[Text]:
    """Four lines: the hand in boxes, and under what may be played its number."""
    numbers = {action: str(number) for number, action in enumerate(choices(view), 1)}
    playing = any(action.startswith("play ") for action in numbers)
    lines = [Text() for _ in range(4)]
    before = None
    for card in in_order(view["hand"] or []):
        if before and before[1] != card[1]:
            for line in lines:
                line.append("  ")
        number = numbers.get(f"play {card}")
        drawn = box(card, PAPER if number else "", dim=number is None and playing)
        for line, piece in zip(lines, [*drawn, Text((number or "").center(BOX), "bold cyan")], strict=True):
            line.append_text(piece)
        before = card
    return lines


def layout_lines(layout: Document) -> list[Text]:
    """The four rows of trix, 41 cells: what is down, and beside it the cards that would fit."""
    return [_row(suit, layout[suit]) for suit in HAND_SUITS]


def _row(suit: str, ends: list[str] | None) -> Text:
    low, high = (RANKS.index(card[0]) for card in ends) if ends else (0, -1)
    fitting = {low - 1, high + 1} if ends else {RANKS.index("J")}
    line = Text(f"{SYMBOLS[suit]} ", colour(f"A{suit}"))
    for place, rank in enumerate(RANKS):
        shown = rank.replace("T", "10").rjust(2)
        if low <= place <= high:
            line.append(f"{shown} ", printed(suit, PAPER))
        elif place in fitting:
            line.append(f"{shown} ", colour(f"A{suit}", dim=True))
        else:
            line.append(" · ", "bright_black")
    return line
