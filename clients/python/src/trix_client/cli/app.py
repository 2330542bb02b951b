"""The program `trix`: its commands' common ground, and how it ends.

It ends with 0, with 1 when the server refuses or cannot be reached, and with 2 for a wrong command line.
"""

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from .. import ApiError, Client, TrixError
from .login import current
from .words import safe

app = typer.Typer(
    help="Play Trix in the terminal: log in, find a table, play, watch, and run a bot.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print the server's answer as JSON, for programs.")]
Code = Annotated[str, typer.Argument(help="The table's code, as `trix matches` lists it.")]


def client(needs_login: bool = True) -> Client:
    """A client of the server and the account of this machine's login. Raises TrixError."""
    if needs_login:
        check_login()
    login = current()
    return Client(login.server, login.token)


def check_login() -> None:
    """Raise TrixError where nobody is logged in."""
    login = current()
    if not login.token:
        raise TrixError(f"You are not logged in at {login.server}: trix login, or trix register")


def show(document: Any, drawn: RenderableType, as_json: bool) -> None:
    """What a command answers: for people, or for programs."""
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
    elif isinstance(drawn, Table) and not drawn.row_count:
        console.print("Nothing here yet.")
    else:
        console.print(drawn)


def error_text(error: TrixError) -> Text:
    """The server's words: its sentence, and what is wrong with each field."""
    if not isinstance(error, ApiError):
        return Text(safe(str(error)), "red")
    fields = [f"{name}: {_one_line(words)}" for name, words in error.errors.items()]
    news = [words for words in fields if words not in error.detail]
    return Text(safe(" ".join([error.detail, *news])), "red")


def _one_line(words: Any) -> str:
    return " ".join(map(_one_line, words)) if isinstance(words, list) else str(words)


def main() -> None:
    """Run a command line, and turn refusals into words and an exit code."""
    try:
        app()
    except TrixError as error:
        errors.print(error_text(error), soft_wrap=True)
        sys.exit(1)
    except OSError as error:  # a file that cannot be read or written, a full disk
        errors.print(Text(safe(str(error)), "red"), soft_wrap=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
