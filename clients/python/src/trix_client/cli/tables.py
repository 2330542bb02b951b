"""Tables: finding, opening, joining, leaving, and talking at them."""

import re
from typing import Annotated

import typer
from rich.text import Text

from ..payloads import ClockSettings, TableSettings
from .app import AsJson, Code, app, client, console, show
from .lists import invitations_table, matches_table
from .screen import chat_text
from .words import Document

UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
Rules = Annotated[
    str, typer.Argument(help="As in dananeer, eram, cardkings-complex-partners: docs/rules.md.")
]
Bots = Annotated[
    list[str] | None,
    typer.Option(help="A bot of this level sits down: strong, greedy or random. Again for more."),
]
ClockOption = Annotated[
    str | None, typer.Option(help="Time for an action, and a bank for the match: 30, 20+300, 2m+10m, 3d.")
]


@app.command()
def matches(
    mine: Annotated[bool, typer.Option("--mine", help="Yours, in any state.")] = False,
    status: Annotated[str | None, typer.Option(help="open, running, finished or cancelled.")] = None,
    as_json: AsJson = False,
) -> None:
    """The lobby: open tables, newest first; or matches of another status, or your own."""
    with client(needs_login=mine) as trix:
        page = trix.matches.list(status=status, mine=mine, page_size=30)  # type: ignore[arg-type]
    show(page, matches_table(page["results"]), as_json)


@app.command("open")
def open_table(
    rules: Rules,
    bots: Bots = None,
    invite: Annotated[
        list[str] | None, typer.Option(help="A player who may join without a code. Again for more.")
    ] = None,
    clock: ClockOption = None,
    private: Annotated[
        bool, typer.Option("--private", help="Not in the lobby; others need the join code.")
    ] = False,
    start: Annotated[bool, typer.Option("--start", help="Fill the free seats with bots and begin.")] = False,
    as_json: AsJson = False,
) -> None:
    """Open a table and sit down at it."""
    settings: TableSettings = {"bots": bots or [], "invite": invite or []}
    settings["visibility"] = "private" if private else "public"
    if clock:
        settings["clock"] = clock_of(clock)
    with client() as trix:
        match = trix.matches.open(rules, **settings)
        if start:
            match = trix.matches.start(match["code"], bots[-1] if bots else "greedy")
    show(match, _opened(match), as_json)


def _opened(match: Document) -> str:
    code = f" --code {match['join_code']}" if match["join_code"] else ""
    others = f"Others sit down with: trix join {match['code']}{code}\n" if match["status"] == "open" else ""
    return f"Table {match['code']} is {match['status']}.\n{others}Play: trix play {match['code']}"


def clock_of(text: str) -> ClockSettings:
    """Seconds by phase out of "20+300". Raises BadParameter."""
    found = re.fullmatch(r"(\d{1,7})([smhd]?)(?:\+(\d{1,7})([smhd]?))?", text)
    if not found:
        raise typer.BadParameter(
            "A clock is the time for an action and, after +, a bank: 30, 20+300, 2m+10m, 3d."
        )
    move = int(found[1]) * UNITS[found[2]]
    times: ClockSettings = {"choose": move, "double": move, "play": move}
    return {**times, "bank": int(found[3]) * UNITS[found[4]]} if found[3] else times


@app.command()
def join(
    code: Code,
    join_code: Annotated[str, typer.Option("--code", help="The join code, where the table wants one.")] = "",
    seat: Annotated[str | None, typer.Option(help="S, E, N or W; the first free one if not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Sit down at a table."""
    with client() as trix:
        match = trix.matches.join(code, join_code=join_code, seat=seat)  # type: ignore[arg-type]
    show(match, f"You sit at {match['code']}, seat {match['you']}. Play: trix play {match['code']}", as_json)


@app.command()
def start(
    code: Code,
    bots: Annotated[str, typer.Option(help="The level of the bots that fill free seats.")] = "greedy",
    as_json: AsJson = False,
) -> None:
    """Start the table that you opened; bots fill its free seats."""
    with client() as trix:
        match = trix.matches.start(code, bots)
    show(match, f"Table {match['code']} is running. Play: trix play {match['code']}", as_json)


@app.command()
def invite(code: Code, player: str, as_json: AsJson = False) -> None:
    """Let a named player see your table and sit down without its code."""
    with client() as trix:
        match = trix.matches.invite(code, player)
    show(match, f"Invited: {', '.join(match['invited'] or [])}", as_json)


@app.command()
def invitations(as_json: AsJson = False) -> None:
    """The tables that you are invited to: join one, or decline."""
    with client() as trix:
        invited = trix.account.get()["invitations"]
    show(invited, invitations_table(invited), as_json)


@app.command()
def decline(code: Code) -> None:
    """Decline an invitation."""
    with client() as trix:
        trix.matches.uninvite(code, trix.account.get()["name"])
    console.print(f"You have declined {code}.", markup=False)


@app.command()
def leave(code: Code, as_json: AsJson = False) -> None:
    """Get up. The table closes if you opened it; a running match goes to a bot until you come back."""
    with client() as trix:
        match = trix.matches.leave(code)
    show(match, f"You have left {match['code']}, which is {match['status']}.", as_json)


@app.command()
def resign(code: Code, as_json: AsJson = False) -> None:
    """Leave a running match to a bot until its end. There is no way back."""
    with client() as trix:
        match = trix.matches.resign(code)
    show(match, f"You have resigned from {match['code']}: a bot plays on.", as_json)


@app.command()
def rematch(code: Code, as_json: AsJson = False) -> None:
    """Once more with the same people: open the rematch of a finished match, or sit down at it."""
    with client() as trix:
        match = trix.matches.rematch(code)
    words = f"Table {match['code']} is {match['status']}, you sit at it. Play: trix play {match['code']}"
    show(match, words, as_json)


@app.command()
def abort(
    code: Code,
    refuse: Annotated[bool, typer.Option("--refuse", help="Play on after all.")] = False,
    as_json: AsJson = False,
) -> None:
    """Call a match off: before its first action alone, later once all who are there agree."""
    with client() as trix:
        match = trix.matches.abort(code, agree=not refuse)
    show(match, _aborted(match), as_json)


def _aborted(match: Document) -> str:
    if match["status"] == "cancelled":
        return f"Match {match['code']} is called off."
    agreed = [seat["seat"] for seat in match["seats"] if seat["agrees_to_abort"]]
    return f"Match {match['code']} goes on. Who would call it off: {', '.join(agreed) or 'nobody'}"


@app.command()
def chat(
    code: Code,
    text: Annotated[
        str | None, typer.Argument(help="What to say; without it, what was said is shown.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read what was said at your table, or say something."""
    with client() as trix:
        said = [trix.chat.send(code, text)] if text else trix.chat.messages(code)
    show(said, Text("\n").join(map(chat_text, said)) if said else "Nobody has said anything.", as_json)
