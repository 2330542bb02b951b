"""Records of matches: downloading and verifying."""

from pathlib import Path
from typing import Annotated

import typer

from .. import VerificationError, verify_record
from .app import Code, app, client, console, errors
from .words import count, safe


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
