"""The whole screen of a match: header, table, scoreboard, log and chat, hand, prompt. Pure functions."""

from dataclasses import dataclass, replace
from datetime import datetime
from textwrap import wrap

from rich.text import Text

from .cards import card_text, cards_line, hand_lines
from .table import ROWS, Play, table_lines, winner
from .typed import HELP, action_words
from .words import (
    CONTRACTS,
    SEATS,
    Document,
    clock,
    named,
    points,
    remaining,
    safe,
)

WIDTH, HEIGHT = 80, 24  # the least that everything fits into
BOARD = 33  # cells of the scoreboard
NOTICE = 3  # lines
CHAT = 5  # lines of it under the scoreboard
TABLE = 64  # cells that the table takes at most
URGENT = 10  # seconds


@dataclass(frozen=True)
class Shown:
    """All that a screen follows from: the match's document, chat, what is typed.

    notice: what was said last, as an error in the server's words, made `safe`.
    page: "help" or "scores", which hides the table.
    sending: what was typed is on its way to the server.
    """

    match: Document
    chat: tuple[Document, ...] = ()
    typed: str = ""
    notice: str = ""
    connected: bool = True
    page: str = ""
    sending: bool = False

    def but(self, **changed: object) -> "Shown":
        return replace(self, **changed)  # type: ignore[arg-type]


def screen(shown: Shown, now: datetime, width: int = WIDTH, height: int = HEIGHT) -> Text:
    """At most ``height`` lines of ``width`` cells: in a low window the lower ones, hand and prompt."""
    match, view = shown.match, shown.match["view"]
    hand = hand_lines(view) if view and view["hand"] else []
    below = [
        _rule(width),
        *(_centre(hand, width)),
        Text("Sending …", "yellow") if shown.sending else _hint(match),
        *(notice_lines(shown.notice, width) or [Text()]),
        Text.assemble(("› ", "bold green"), shown.typed, ("█", "green")),
    ]
    if shown.page:
        return _cut([*page_lines(shown, width), *below[-1:]][-height:], width)
    room = max(ROWS, height - 1 - len(below))
    left_width = width - BOARD - 3
    left = _centre(table_lines(match, min(left_width, TABLE)), left_width)
    left += _last(log_lines(match), room - ROWS)
    said = chat_lines(shown.chat)[-CHAT:]
    board = _last(score_lines(match, room - len(said)), room - len(said), above=False) + said
    lines = [_header(shown, now, width), *_beside(left, board, left_width, room), *below]
    return _cut(lines[-height:], width)


def _cut(lines: list[Text], width: int) -> Text:
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Text("\n", no_wrap=True).join(lines)


def notice_lines(notice: str, width: int) -> list[Text]:
    return [Text(line, "yellow") for line in wrap(notice, width)[:NOTICE]]


def page_lines(shown: Shown, width: int) -> list[Text]:
    """What can be typed, or all deals so far."""
    if shown.page == "help":
        lines = [Text("What you can type", "bold"), Text(), *map(Text, HELP)]
    else:
        lines = score_lines(shown.match, 30)
    return [*lines, Text("Enter goes back to the table", "bright_black")]


def _rule(width: int) -> Text:
    return Text("─" * width, "bright_black")


def _centre(lines: list[Text], width: int) -> list[Text]:
    indent = " " * ((width - max((line.cell_len for line in lines), default=0)) // 2)
    return [Text(indent) + line for line in lines]


def _beside(left: list[Text], right: list[Text], width: int, height: int) -> list[Text]:
    lines = []
    for index in range(height):
        line = left[index].copy() if index < len(left) else Text()
        line.truncate(width, overflow="ellipsis")
        line.pad_right(width - line.cell_len)
        line.append(" │ ", "bright_black")
        lines.append(line + right[index] if index < len(right) else line)
    return lines


# The header


def _header(shown: Shown, now: datetime, width: int) -> Text:
    match, view = shown.match, shown.match["view"]
    line = Text.assemble(
        (" TRIX ", "bold white on dark_green"), f" {match['code']} ", (match["rules"], "bright_black")
    )
    if view:
        deal = view["deal"]
        line.append(f"  deal {deal['number']} of {deal['of']}")
        line.append(f"  {CONTRACTS.get(deal['contract'], '')}", "bold yellow")
    right = _time(match, now) if shown.connected else Text("connection lost: trying again ", "bold red")
    line.pad_right(max(1, width - line.cell_len - right.cell_len))
    return line + right


def _time(match: Document, now: datetime) -> Text:
    left = remaining(match["deadline"], now)
    if match["status"] != "running" or left is None:
        return Text(f"{match['status']} " if match["status"] != "running" else "")
    return Text(f"{clock(left)} left ", "bold red" if left <= URGENT else "bold")


# Below the table


def _hint(match: Document) -> Text:
    """What the reader may do now, in a sentence."""
    view = match["view"]
    if not view:
        return _hint_before(match)
    if view["over"]:
        return Text("q leaves" if not match["you"] else "“rematch” plays once more, q leaves", "bright_black")
    if view["legal"]:
        return Text(f"{_away(match)}{_question(view)}", "bold green")
    waiting = "Doubling is under way." if view["phase"] == "double" else f"{_actor(match)} to act."
    return Text(f"{_away(match)}{waiting}", "bright_black")


def _hint_before(match: Document) -> Text:
    if match["status"] != "open":
        return Text("q leaves", "bright_black")
    seat = match["seats"][SEATS.index(match["you"])] if match["you"] else None
    if seat and seat["player"]["name"] == match["opened_by"]:
        return Text("“start” fills free seats with bots and begins; ? for help, q leaves", "bold green")
    return Text(f"{safe(match['opened_by'] or 'Somebody')} will start; q leaves", "bright_black")


def _away(match: Document) -> str:
    seat = match["seats"][SEATS.index(match["you"])] if match["you"] else {}
    if seat.get("resigned"):
        return "A bot plays on for you. "
    return "A bot plays for you until you act, or “return”. " if seat.get("away") else ""


def _question(view: Document) -> str:
    if view["legal"] == ["pass"]:
        return "Nothing fits: Enter passes"
    if len(view["legal"]) == 1:
        return f"Your turn: Enter plays {action_words(view['legal'][0])}"
    return {
        "choose": "Your kingdom: choose by number or name, as in 1 or queens",
        "double": "Double in secret: a number, cards as in QS QH, or none",
        "play": "Your turn: a number, or a card as in KH or 10s",
    }[view["phase"]]


def _actor(match: Document) -> str:
    view = match["view"]
    name = named(match).get(view["to_act"], "")
    return "You are" if name == "you" else f"{name} is"


# Log and chat


def _last(lines: list[Text], room: int, above: bool = True) -> list[Text]:
    """``room`` lines: the last of these, and empty ones above or below where there are fewer."""
    kept = lines[-room:] if room > 0 else []
    empty = [Text()] * (room - len(kept))
    return [*empty, *kept] if above else [*kept, *empty]


def chat_lines(chat: tuple[Document, ...]) -> list[Text]:
    """Messages in the scoreboard's width, oldest first."""
    return [line for message in chat for line in _message_lines(message)]


def _message_lines(message: Document) -> list[Text]:
    rows = wrap(chat_text(message).plain, BOARD - 1)
    author, colon, words = rows[0].partition(":")
    return [Text.assemble((author + colon, "bold blue"), words), *map(Text, rows[1:])]


def chat_text(message: Document) -> Text:
    author = message["player"]["name"] if message["player"] else "someone"
    return Text.assemble((f"{safe(author)}:", "bold blue"), f" {safe(message['text'])}")


def log_lines(match: Document) -> list[Text]:
    """Everything that happened in this deal, and the results of those before, oldest first."""
    view = match["view"]
    if not view:
        return []
    names = named(match)
    lines = [_result_line(result) for result in view["results"]]
    deal = view["deal"]
    if any(result["number"] == deal["number"] for result in view["results"]):
        return lines
    if not deal["contract"]:
        return lines
    lines.append(Text(f"{_named(names, deal['owner'])} chose {CONTRACTS[deal['contract']]}", "yellow"))
    lines += [
        Text(f"{_named(names, seat)} doubled ", "magenta") + card_text(card)
        for card, seat in deal["doubled"].items()
    ]
    return lines + (_trix_log(deal) if deal["layout"] else _tricks_log(deal, names))


def _named(names: Document, seat: str) -> str:
    name = str(names[seat])
    return "You" if name == "you" else name


def _result_line(result: Document) -> Text:
    scored = [f"{seat} {points(result['scores'][seat])}" for seat in SEATS if result["scores"][seat]]
    return Text(f"Deal {result['number']}, {result['contract']}: {'  '.join(scored)}", "bright_black")


def deal_over(result: Document, match: Document) -> str:
    """A deal's result in a sentence, with names."""
    names, scores = named(match), result["scores"]
    scored = [f"{names[seat]} {points(scores[seat])}" for seat in SEATS if scores[seat]]
    return f"Deal {result['number']}, {CONTRACTS[result['contract']]}, is over: {', '.join(scored)}"


def _tricks_log(deal: Document, names: Document) -> list[Text]:
    plays: list[Play] = [(play["seat"], play["action"][5:]) for play in deal["plays"]]
    lines = []
    for start in range(0, len(plays) - 3, 4):
        trick = plays[start : start + 4]
        line = Text(f"{start // 4 + 1:>2} ", "bright_black") + cards_line([card for _, card in trick])
        taker = winner(trick)
        line.append(f"  {names[taker]} {'take' if names[taker] == 'you' else 'takes'} it", "bright_black")
        lines.append(line)
    return lines


def _trix_log(deal: Document) -> list[Text]:
    """Four plays a line, each with its seat."""
    moves = [_trix_move(play) for play in deal["plays"]]
    return [Text("  ").join(moves[start : start + 4]) for start in range(0, len(moves), 4)]


def _trix_move(play: Document) -> Text:
    seat = Text(f"{play['seat']} ", "bright_black")
    return seat + (Text("–") if play["action"] == "pass" else card_text(play["action"][5:]))


def event_text(event: Document, names: Document) -> Text:
    """An event of the server's in a sentence."""
    if event["doubled"] is not None:
        doubled = [
            Text(f"{_named(names, seat)} ") + card_text(card) for card, seat in event["doubled"].items()
        ]
        line = Text("Doubled: ") + (Text(", ").join(doubled) if doubled else Text("nothing"))
    else:
        line = Text(f"{_named(names, event['seat'])}: {action_words(event['action'])}")
    if event["next_deal"]:
        line.append(f"\nDeal {event['next_deal']['number']}, kingdom of {names[event['next_deal']['owner']]}")
    return line


# The scoreboard


def score_lines(match: Document, room: int) -> list[Text]:
    """The deals so far, the last ones where there is no room for all; what runs now; totals."""
    view = match["view"]
    lines = [_score_line("", dict(zip(SEATS, SEATS, strict=True)), match, "bold")]
    if not view:
        return lines
    rows = [_deal_line(result, match) for result in view["results"]]
    deal = view["deal"]
    if not view["over"] and not any(result["number"] == deal["number"] for result in view["results"]):
        rows.append(_deal_line(deal, match))
    foot = [_score_line("total", {seat: points(_total(view, seat)) for seat in SEATS}, match, "bold cyan")]
    if view["teams"]:
        teams = "   ".join(f"{pair[0]}+{pair[1]} {points(value)}" for pair, value in view["teams"].items())
        foot.append(Text(f"teams  {teams}", "cyan"))
    space = room - len(foot) - 1
    return [*lines, *rows[-space:], *foot]


def _total(view: Document, seat: str) -> int:
    finished = any(result["number"] == view["deal"]["number"] for result in view["results"])
    return int(view["totals"][seat]) + (0 if finished else int(view["deal"]["scores"][seat]))


def _deal_line(deal: Document, match: Document) -> Text:
    """A finished deal, or the one on the table: number, owner, contract, points."""
    running = "of" in deal
    label = f"{deal['number']:>2} {deal['owner']} {deal['contract'] or '…'}"
    scores = {seat: points(deal["scores"][seat]) for seat in SEATS}
    return _score_line(label, scores, match, "" if running else "bright_black")


def _score_line(label: str, values: Document, match: Document, style: str) -> Text:
    line = Text(f"{label:<13}"[:13], style)
    for seat in SEATS:
        own = seat == match["you"] and style != "bright_black"
        line.append(str(values[seat]).rjust(5), f"{style} bold" if own else style)
    return line
