"""Logging in and out."""

import platform
from typing import Annotated

import typer

from .. import ApiError, Client
from .app import AsJson, app, client, console, show
from .login import Login, address, current, forget, store
from .words import Document, safe

Server = Annotated[str | None, typer.Option(help="The server's address, as in https://trix.example.org.")]
Name = Annotated[str, typer.Option(prompt=True, help="The account's name.")]
Password = Annotated[str, typer.Option(prompt=True, hide_input=True, help="Asked for if not given.")]
NewPassword = Annotated[
    str, typer.Option(prompt=True, hide_input=True, confirmation_prompt=True, help="Asked for if not given.")
]


@app.command()
def login(name: Name, password: Password, server: Server = None) -> None:
    """Log in on this machine: make a token and keep it in your settings' folder."""
    _log_in(address(server) if server else current().server, name, password)


@app.command()
def register(
    name: Name,
    password: NewPassword,
    server: Server = None,
    bot: Annotated[
        bool, typer.Option("--bot", help="A program plays here: for good, and everyone sees it.")
    ] = False,
) -> None:
    """Make an account, and log in."""
    chosen = address(server) if server else current().server
    with Client(chosen) as trix:
        trix.auth.register(name, password, is_bot=bot)
    _log_in(chosen, name, password)


def _log_in(server: str, name: str, password: str) -> None:
    token_name = f"trix on {platform.node()}"[:60]
    with Client(server) as trix:
        made = trix.auth.login(name, password, name=token_name, scopes=["play", "read"])
        player = trix.auth.current()["player"]
    store(Login(server, made["token"], player["name"]))
    console.print(f"Logged in at {server} as {safe(player['name'])}.", markup=False, soft_wrap=True)


@app.command()
def logout() -> None:
    """Revoke this machine's token and forget it."""
    with client() as trix:
        try:
            trix.auth.revoke()
        except ApiError as error:
            if error.status != 401:
                raise
    forget()
    console.print("Logged out.")


@app.command()
def whoami(as_json: AsJson = False) -> None:
    """Who is logged in, where, and until when."""
    with client() as trix:
        token = trix.auth.current()
    show(token, _whoami(token), as_json)


def _whoami(token: Document) -> str:
    name, scopes = safe(token["player"]["name"]), ", ".join(token["scopes"])
    until = f", until {token['expiry'][:10]}" if token["expiry"] else ""
    program = " (bot)" if token["player"]["is_bot"] else ""
    return f"{name}{program} at {current().server}{until}; may {scopes}"
