"""Records of matches: downloading and verifying; and what a bot thinks of a match."""

import time
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Group

from .. import Client, NotFound, TrixError, VerificationError, verify_record
from .app import AsJson, Code, app, check_login, client, console, errors, show
from .lists import decisions_table, sums_table
from .words import count, safe

LOOK_AGAIN = 1.0  # seconds
Side = Literal["S", "E", "N", "W"]


@app.command()
def record(
    code: Code,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file; printed if not given.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check that its deals follow from its seed.")
    ] = False,
) -> None:
    """Download a match's record: whole once it is over."""
    with client(needs_login=False) as trix:
        text = trix.matches.record(code)
    if output:
        output.write_text(text, encoding="utf-8", newline="\n")
    else:
        typer.echo(text, nl=False)
    if verify:
        errors.print(_verified(text), markup=False, soft_wrap=True)


@app.command()
def analysis(
    code: Code,
    seat: Annotated[Side | None, typer.Option(help="One seat alone.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All decisions, not only mistakes.")] = False,
    as_json: AsJson = False,
) -> None:
    """What a bot thinks of the decisions of a match that is over: mistakes, and the points that they lost."""
    with client(needs_login=False) as trix:
        _have_analysed(trix, code)
        found = trix.matches.analysis(code, seat=seat, mistakes=not everything)
    decisions = decisions_table(found) if found["decisions"] else "No mistakes."
    show(found, Group(sums_table(found), decisions), as_json)


def _have_analysed(trix: Client, code: str) -> None:
    """Return once the match is analysed: that takes some seconds where nobody has asked before."""
    state, done = _analysis_state(trix, code)
    if state in (None, "failed"):
        check_login()
        trix.matches.analyse(code)
        state = "asked"
    with errors.status("") as told:
        while state == "asked":
            told.update(f"Being analysed: {count(done, 'deal')} done")
            time.sleep(LOOK_AGAIN)
            state, done = _analysis_state(trix, code)
    if state == "failed":
        raise TrixError("The match could not be analysed.")


def _analysis_state(trix: Client, code: str) -> tuple[str | None, int]:
    """Its state, None if there is none, and how many deals are analysed."""
    try:
        found = trix.matches.analysis(code, mistakes=True)
        return found["state"], found["deals"]
    except NotFound as error:
        if error.code != "no_analysis":
            raise
        return None, 0


@app.command("verify")
def verify_files(files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Check that the deals of records follow from the seeds to which their matches were committed."""
    failed = False
    for file in files:
        try:
            console.print(
                f"{file}: {_verified(file.read_text(encoding='utf-8'))}", markup=False, soft_wrap=True
            )
        except (VerificationError, UnicodeDecodeError) as error:
            failed = True
            errors.print(f"{file}: {safe(str(error))}", markup=False, style="red", soft_wrap=True)
    if failed:
        raise typer.Exit(1)


def _verified(text: str) -> str:
    matches = verify_record(text)
    deals = sum(match.deals for match in matches)
    return f"verified: {count(deals, 'deal')} of {count(len(matches), 'match')}"
