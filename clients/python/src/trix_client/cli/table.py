"""The table in the middle of the screen: four seats, the trick or the rows of trix, or what is to be chosen.

Everything follows from the match's document alone, as lines for a width in cells.
"""

from itertools import zip_longest

from rich.text import Text

from .cards import GOLD, PAPER, RANKS, box, card_text, cards_line, choices, in_order, layout_lines
from .words import CONTRACTS, SEATS, TITLES, Document, clock, count, points, shortened, sitter

ROWS = 12
SIDE = 14  # cells for West and East
NOTHING = Text()
PENALTIES = {"king": ("KH",), "queens": tuple(f"Q{suit}" for suit in "SHDC")}
COSTS = {
    "king": ("king_value", 75, "who takes K♥"),
    "queens": ("queen_value", 25, "each queen taken"),
    "diamonds": ("diamond_value", 10, "each diamond taken"),
    "ltoosh": ("trick_value", 15, "each trick taken"),
}

Play = tuple[str, str]  # seat, card


def table_lines(match: Document, width: int) -> list[Text]:
    """`ROWS` lines."""
    right, top, left, bottom = round_the_table(match)
    middle = middle_lines(match)
    if max(line.cell_len for line in middle) > width - 2 * SIDE:
        half = (width - 1) // 2
        sides = _rows(_seat(match, left, half), [], _seat(match, right, half), width)
        centre = [*(_centred(line, width) for line in middle), NOTHING][: ROWS - 5]
        centre += sides[: ROWS - 3 - len(centre)]
    else:
        west, east = ([NOTHING, NOTHING, *_seat(match, seat, SIDE)] for seat in (left, right))
        centre = _rows(west, middle, east, width)
    above = [_centred(line, width) for line in [*_seat_above(match, top, width), *centre]]
    below = _centred(_seat_below(match, bottom, width), width)
    return [*above, *[NOTHING] * (ROWS - len(above) - 1), below]


def round_the_table(match: Document) -> tuple[str, str, str, str]:
    """The seats to the right of the reader, across, to the left, and his own (South for who watches)."""
    own = SEATS.index(match["you"] or "S")
    right, top, left, bottom = (SEATS[(own + step) % 4] for step in (1, 2, 3, 4))
    return right, top, left, bottom


def _rows(left: list[Text], middle: list[Text], right: list[Text], width: int) -> list[Text]:
    """Three columns beside one another, the second in the middle, the third against the right edge."""
    rows = zip_longest(left, middle, right, fillvalue=NOTHING)
    return [_row(west, centre, east, width) for west, centre, east in rows]


def _row(left: Text, middle: Text, right: Text, width: int) -> Text:
    line = left.copy()
    line.append(" " * max(0, (width - middle.cell_len) // 2 - line.cell_len))
    line.append_text(middle)
    line.append(" " * (width - right.cell_len - line.cell_len))
    line.append_text(right)
    return line


def _centred(line: Text, width: int) -> Text:
    return _row(NOTHING, line, NOTHING, width)


# Seats


def seat_name(match: Document, seat: str, width: int) -> Text:
    """ "▶ ♔ basil bot (away)": ▶ is to act, ♔ owns the kingdom."""
    shown, view = match["seats"][SEATS.index(seat)], match["view"]
    line = Text()
    if view and not view["over"] and view["to_act"] == seat:
        line.append("▶ ", "bold green")
    if view and view["deal"]["owner"] == seat:
        line.append("♔ ", "bold yellow")
    line.append(f"{seat} ", "bright_black")
    after = _after_name(match, shown, seat)
    line.append(
        shortened(sitter(shown), width - line.cell_len - len(after)), "bold" if shown["player"] else "italic"
    )
    return line.append(after, "bright_black")


def _after_name(match: Document, shown: Document, seat: str) -> str:
    program = " bot" if shown["player"] and shown["player"]["is_bot"] else ""
    if seat == match["you"]:
        return f"{program} (you)"
    partners = match["you"] and match["view"] and match["view"]["teams"]
    return f"{program} (partner)" if partners and seat == round_the_table(match)[1] else program


def seat_facts(match: Document, seat: str) -> list[Text]:
    """What there is to know of a seat, the most important first: points, tricks or cards, what it took."""
    view, shown = match["view"], match["seats"][SEATS.index(seat)]
    if not view:
        return [Text(TITLES[seat], "bright_black")]
    deal = view["deal"]
    facts = [Text(state, "red") for state in ("resigned", "away", "gone") if shown.get(state)][:1]
    facts += [Text.assemble((points(view["totals"][seat] + _running(view)[seat]), "cyan"), " points")]
    if deal["tricks"] is not None and view["phase"] == "play":
        facts.append(Text(count(deal["tricks"][seat], "trick"), "bright_black"))
    elif view["phase"] == "play":
        facts.append(_cards_left(deal, seat))
    taken = _penalties(deal, seat)
    if taken:
        facts.append(taken)
    doubled = [card for card, by in deal["doubled"].items() if by == seat]
    if doubled:
        facts.append(Text("×2 ", "magenta") + cards_line(doubled))
    exposed = deal["exposed"] and deal["exposed"][seat]
    if exposed:
        facts.append(Text("holds ", "bright_black") + cards_line(exposed))
    bank = (match["banks"] or {}).get(seat)
    if bank is not None and bank < match["clock"]["bank"]:
        facts.append(Text(f"bank {clock(bank)}", "bright_black"))
    return facts


def _running(view: Document) -> Document:
    """Points of a deal that is not among the results yet."""
    deal = view["deal"]
    finished = any(result["number"] == deal["number"] for result in view["results"])
    return dict.fromkeys(SEATS, 0) if finished else deal["scores"]


def _cards_left(deal: Document, seat: str) -> Text:
    if seat in deal["out"]:
        place = ("first", "second", "third", "last")[deal["out"].index(seat)]
        return Text(f"out {place}", "green")
    return Text(count(deal["counts"][seat], "card"), "bright_black")


def _penalties(deal: Document, seat: str) -> Text | None:
    """The cards that cost something, of those that a seat took; many diamonds as their number."""
    taken = (deal["taken"] or {}).get(seat) or []
    wanted = [card for card in in_order(list(taken)) if costs(deal["contract"], card)]
    if not wanted:
        return None
    diamonds = [card for card in wanted if card[1] == "D"]
    if len(diamonds) < 3:
        return cards_line(wanted)
    others = [card for card in wanted if card[1] != "D" or (card == "QD" and deal["contract"] == "complex")]
    return Text(" ").join([*map(card_text, others), Text(f"{len(diamonds)}×♦", "bold bright_red")])


def costs(contract: str | None, card: str) -> bool:
    """Whether who takes the card pays for it."""
    if contract == "complex":
        return card == "KH" or card[0] == "Q" or card[1] == "D"
    return card[1] == "D" if contract == "diamonds" else card in PENALTIES.get(contract or "", ())


def _seat(match: Document, seat: str, width: int) -> list[Text]:
    return [seat_name(match, seat, width), *seat_facts(match, seat)]


def _seat_above(match: Document, seat: str, width: int) -> list[Text]:
    return [seat_name(match, seat, width), Text(" · ", "bright_black").join(seat_facts(match, seat))]


def _seat_below(match: Document, seat: str, width: int) -> Text:
    """A name and as many facts as there is room for."""
    name = seat_name(match, seat, 2 * SIDE)
    facts = seat_facts(match, seat)
    while len(facts) > 1 and name.cell_len + sum(fact.cell_len + 3 for fact in facts) > width:
        facts.pop()
    return Text("  ").join([name, Text(" · ", "bright_black").join(facts)])


# The middle


def middle_lines(match: Document) -> list[Text]:
    """Up to nine lines between West and East."""
    view = match["view"]
    if not view:
        return _waiting(match)
    if view["over"]:
        return _result(match)
    if view["phase"] == "play":
        return [NOTHING, *layout_lines(view["deal"]["layout"])] if view["deal"]["layout"] else _trick(match)
    return _contracts(match) if view["phase"] == "choose" else _doubling(match)


def _trick(match: Document) -> list[Text]:
    view = match["view"]
    plays, current = shown_trick(view["deal"])
    cards, doubled = dict(plays), view["deal"]["doubled"]
    best = winner(plays) if plays else None

    def drawn(seat: str) -> list[Text]:
        card = cards.get(seat)
        if card is None and not (current and view["to_act"] == seat):
            return [Text("     ")] * 3
        if card is None:
            return box(None, edge="green")
        paper = (GOLD if seat == best else PAPER) if current else ""
        return box(card, paper, dim=not current, edge="bold magenta" if card in doubled else "bright_black")

    right, top, left, bottom = map(drawn, round_the_table(match))
    gaps = map(Text, ("     ", "     " if current else "last ", "     "))
    beside = [gap.join(pair) for gap, pair in zip(gaps, zip(left, right, strict=True), strict=True)]
    return [*top, *beside, *bottom]


def shown_trick(deal: Document) -> tuple[list[Play], bool]:
    """The trick on the table, or, before the next one is led, the last; and whether it is still going on."""
    plays = [(play["seat"], play["action"][5:]) for play in deal["plays"]]
    begun = len(plays) % 4
    if begun:
        return plays[-begun:], True
    return plays[-4:], not plays


def winner(trick: list[Play]) -> str:
    """The seat whose card is the highest of the suit that was led."""
    led = trick[0][1][1]
    return max((play for play in trick if play[1][1] == led), key=lambda play: RANKS.index(play[1][0]))[0]


def _contracts(match: Document) -> list[Text]:
    """The contracts left in this kingdom; numbered for who chooses."""
    view = match["view"]
    mine = bool(view["legal"])
    options = choices(view) if mine else [f"choose {contract}" for contract in view["deal"]["remaining"]]
    lines = [Text("Choose a contract" if mine else "Contracts left", "bold"), NOTHING]
    for number, option in enumerate(options, 1):
        lines.append(_option(number if mine else None, *_contract_words(option, match["options"])))
    return _block(lines)


def _contract_words(option: str, options: Document) -> tuple[str, str]:
    """A contract's name and its price."""
    if option == "redeal":
        return "Deal anew", "throw these hands in, once"
    contract = option.removeprefix("choose ")
    if contract == "trix":
        values = options.get("trix_values", "200/150/100/50")
        return "Trix", values if isinstance(values, str) else "/".join(map(str, values))
    if contract == "complex":
        return "Complex", "all four at once"
    name, usual, words = COSTS[contract]
    return CONTRACTS[contract], f"−{options.get(name, usual)} {words}"


def _option(number: int | None, name: str, words: str) -> Text:
    mark = Text(f"{number} " if number else "  ", "bold cyan")
    return Text.assemble(mark, (f"{name:<10}"[:14], "bold"), (f" {words}", "bright_black"))


def _doubling(match: Document) -> list[Text]:
    """The reader's own question, or that others may be asked: which, nobody is told."""
    view = match["view"]
    if view["legal"]:
        return _block([Text("Double?", "bold magenta"), NOTHING, *_double_options(choices(view))])
    answered = view["my_double"]
    own = Text("Your answer: ") + (cards_line(list(answered)) if answered else Text("no doubling"))
    words = ("Whoever holds such", "cards is asked,", "in secret. All is", "revealed at once.")
    said = [NOTHING, own] if answered is not None else []
    return _block(
        [NOTHING, Text("Doubling", "bold magenta"), *(Text(line, "bright_black") for line in words), *said]
    )


def _double_options(options: list[str]) -> list[Text]:
    """Each option with its number, while that is a short list; else the cards to choose from."""
    if len(options) > 5:
        cards = max(options, key=len).split()[1:]
        return [Text("None, one or more of "), cards_line(cards)]
    lines = []
    for number, option in enumerate(options, 1):
        cards = option.split()[1:]
        words = Text("none") if cards == ["none"] else cards_line(cards)
        lines.append(Text(f"{number} ", "bold cyan") + words)
    return lines


def _padded(line: Text, width: int) -> Text:
    padded = line.copy()
    padded.pad_right(max(0, width - line.cell_len))
    return padded


def _block(lines: list[Text]) -> list[Text]:
    """Lines of one width, so that they stand under one another."""
    width = max(line.cell_len for line in lines)
    return [_padded(line, width) for line in lines]


def _waiting(match: Document) -> list[Text]:
    if match["status"] == "cancelled":
        return [NOTHING, NOTHING, Text("This table was called off.", "bold")]
    free = sum(not (seat["player"] or seat["bot"]) for seat in match["seats"])
    free_words = f"{count(free, 'seat')} free" if free else "Everyone is here"
    lines = [NOTHING, Text(free_words, "bold"), NOTHING]
    if not free:
        return lines
    if match["join_code"]:
        lines += [Text(f"trix join {match['code']}", "cyan"), Text(f"  --code {match['join_code']}", "cyan")]
    else:
        lines += [Text(f"trix join {match['code']}", "cyan")]
    if match["invited"]:
        lines.append(Text(f"invited: {shortened(', '.join(match['invited']), 20)}", "bright_black"))
    return lines


def _result(match: Document) -> list[Text]:
    """The table of the end: who won with how much, the highest first."""
    view = match["view"]
    order = sorted(SEATS, key=lambda seat: -view["totals"][seat])
    lines = [Text("The match is over", "bold"), NOTHING]
    for seat in order:
        won = seat in view["winners"]
        name = shortened(sitter(match["seats"][SEATS.index(seat)]), 14)
        line = Text("★ " if won else "  ", "bold yellow")
        line.append(name, "bold" if won else "")
        line = _padded(line, 17)
        line.append(points(view["totals"][seat]).rjust(6), "bold cyan" if won else "")
        lines.append(line)
    if view["tie"]:
        lines += [Text("A draw" if view["tie"] == "draw" else "They share the win", "bright_black")]
    return _block(lines)
