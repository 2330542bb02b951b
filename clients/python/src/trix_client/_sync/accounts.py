"""Accounts: their tokens, what waits for them, what they are told."""

from contextlib import closing
from typing import Any, Unpack

from .. import payloads
from ..messages import Choose, Message, Place, Stream, waiting_codes
from ..retries import FOREVER
from .matches import Matches
from .streams import follow
from .transport import Transport


class Auth:
    """Accounts are made here, tokens made and revoked."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def register(
        self, username: str, password: str, *, email: str = "", is_bot: bool = False
    ) -> payloads.Account:
        """Make an account; `is_bot` for a program, for good. Not sent twice by itself."""
        body: dict[str, Any] = {"username": username, "password": password, "is_bot": is_bot}
        if email:
            body["email"] = email
        account: payloads.Account = self._http.ask("auth", "register", body=body)
        return account

    def token(
        self, username: str, password: str, **options: Unpack[payloads.TokenOptions]
    ) -> payloads.NewToken:
        """Make a token: with a name, for some scopes only, for so many days. Not sent twice by itself."""
        body = {"username": username, "password": password, **options}
        token: payloads.NewToken = self._http.ask("auth", "tokens", body=body)
        return token

    def login(
        self, username: str, password: str, **options: Unpack[payloads.TokenOptions]
    ) -> payloads.NewToken:
        """Make a token as `token` does, and use it in this client from now on."""
        token = self.token(username, password, **options)
        self._http.use(token["token"])
        return token

    def tokens(self) -> list[payloads.Token]:
        """Your tokens, without their texts."""
        tokens: list[payloads.Token] = self._http.get("auth", "tokens")
        return tokens

    def current(self) -> payloads.CurrentToken:
        """The token in use and its player: the way to test one. Raises Unauthorized."""
        token: payloads.CurrentToken = self._http.get("auth", "tokens", "current")
        return token

    def revoke(self, code: str = "current") -> None:
        """End one of your tokens, or the one in use."""
        self._http.step("DELETE", "auth", "tokens", code, done=lambda error: error.status in (401, 404))

    def reset_password(self, email: str) -> None:
        """Have an e-mail sent that lets its reader choose a new password, if there is such an account."""
        self._http.ask("auth", "password", "reset", body={"email": email})

    def confirm_reset(self, uid: str, token: str, password: str) -> None:
        """Choose the new password, with what the e-mail says."""
        body = {"uid": uid, "token": token, "password": password}
        self._http.ask("auth", "password", "reset", "confirm", body=body)


class Account:
    """The caller's own account."""

    def __init__(self, transport: Transport, matches: Matches) -> None:
        self._http = transport
        self._matches = matches

    def get(self) -> payloads.Me:
        """You, your unfinished matches and whose turn it is, and who invites you."""
        me: payloads.Me = self._http.get("account")
        return me

    def change_password(self, password: str, new_password: str) -> None:
        """A new password. It ends all your tokens, this one too."""
        body = {"password": password, "new_password": new_password}
        self._http.post("account", "password", body=body, safe=False)

    def change_email(self, email: str, password: str) -> payloads.AccountEmail:
        body = {"email": email, "password": password}
        account: payloads.AccountEmail = self._http.patch("account", body=body)
        return account

    def delete(self, password: str) -> None:
        """Delete the account for good. Its results stay, without its name."""
        self._http.step(
            "DELETE", "account", body={"password": password}, done=lambda error: error.status == 401
        )

    def stream(self) -> Stream[Message]:
        """What concerns you, as it happens: first the whole account, and again after every break."""
        return follow(self._http, ("events",), Place())

    def play(self, choose: Choose) -> None:
        """Play all your matches, whenever it is your turn in one, until you are stopped.

        ``choose`` gets a match whose `view.legal` is not empty and gives one of these actions. Raises what it
        raises, and AgainstRules for what is not legal.
        """
        with closing(self.stream()) as messages:
            for message in messages:
                for code in waiting_codes(message):
                    self._play_turns(code, choose)

    def _play_turns(self, code: str, choose: Choose) -> None:
        while self._matches.take_turn(self._matches.get(code, retries=FOREVER), choose):
            pass
