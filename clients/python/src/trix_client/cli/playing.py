"""Playing and watching in the terminal, and letting a program play."""

import threading
from contextlib import ExitStack, suppress
from typing import Annotated

import typer
from rich.text import Text

from .. import AccountMessage, Client, InvitationMessage, TrixError
from ..payloads import TableSettings
from .app import app, client, console, error_text, errors
from .bot import LEVELS, Program
from .session import Session
from .tables import ClockOption, clock_of
from .terminal import terminal

PACE = 0.8  # seconds between moves of bots, so that a person can follow
Watched = Annotated[str, typer.Argument(help="The match's code.")]


@app.command()
def play(
    code: Annotated[
        str | None, typer.Argument(help="Your match; without it, the one where it is your turn.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(help="Open a table by these rules, against bots, and begin.")
    ] = None,
    bots: Annotated[str, typer.Option(help="The level of these bots: strong, greedy or random.")] = "greedy",
    clock: ClockOption = None,
) -> None:
    """Play a match in the terminal. Leaving the screen (q) does not leave the match."""
    with client() as trix:
        if rules:
            code = _opened(trix, rules, bots, clock)
        Session(trix, code or _waiting(trix), terminal(console)).run()


def _opened(trix: Client, rules: str, bots: str, clock: str | None) -> str:
    settings: TableSettings = {"visibility": "private", "bot_delay": PACE}
    if clock:
        settings["clock"] = clock_of(clock)
    match = trix.matches.open(rules, **settings)
    return trix.matches.start(match["code"], bots)["code"]


def _waiting(trix: Client) -> str:
    """The caller's match where it is his turn, else his newest."""
    account = trix.account.get()
    mine = sorted(account["matches"], key=lambda match: (match["your_turn"], match["created_at"]))
    if not mine and account["invitations"]:
        raise TrixError(f"You are invited: trix join {account['invitations'][-1]['match']['code']}")
    if not mine:
        raise TrixError("You are at no table. Against bots: trix play --rules cardkings")
    return mine[-1]["code"]


@app.command()
def watch(code: Watched) -> None:
    """Watch a match live, without anyone's hand."""
    with client(needs_login=False) as trix:
        Session(trix, code, terminal(console), watch=True).run()


@app.command()
def bot(
    level: Annotated[str, typer.Option(help="How it plays: careful or random.")] = "careful",
    command: Annotated[
        str | None,
        typer.Option(
            help='A program that decides: reads a match as a line of JSON, answers a line {"action": …}.'
        ),
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Join the tables that it is invited to.")] = False,
) -> None:
    """Let a program play all matches of the account that is logged in, until Ctrl-C."""
    if level not in LEVELS:
        raise typer.BadParameter(f"There is no level {level}; there are {', '.join(LEVELS)}.")
    with ExitStack() as stack:
        choose = stack.enter_context(Program(command)).choose if command else LEVELS[level]
        trix = stack.enter_context(client())
        console.print("Playing every match of this account. Ctrl-C ends it.")
        if accept:
            threading.Thread(target=_accept, args=(trix,), daemon=True).start()
        stack.enter_context(suppress(KeyboardInterrupt))
        trix.account.play(choose)
    console.print("Stopped. Its matches go on without it.")


def _accept(trix: Client) -> None:
    try:
        for message in trix.account.stream():
            if isinstance(message, AccountMessage):
                for invitation in message.data["invitations"]:
                    _join(trix, invitation["match"]["code"])
            elif isinstance(message, InvitationMessage):
                _join(trix, message.data["match"]["code"])
    except TrixError as error:
        _tell("No invitation is accepted any more", error)


def _join(trix: Client, code: str) -> None:
    """Sit down, or say why not. After a break of the stream, all invitations come again."""
    try:
        trix.matches.join(code)
        console.print(f"Joined {code}.")
    except TrixError as error:
        _tell(code, error)


def _tell(what: str, error: TrixError) -> None:
    errors.print(Text.assemble(f"{what}: ", error_text(error)), soft_wrap=True)
