"""Accounts: their tokens, what waits for them, what they are told."""

from contextlib import aclosing
from typing import Any, Unpack

from .. import payloads
from ..messages import AsyncChoose, AsyncStream, Message, Place, waiting_codes
from ..retries import FOREVER
from .matches import AsyncMatches
from .streams import follow
from .transport import AsyncTransport


class AsyncAuth:
    """Accounts are made here, tokens made and revoked."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._http = transport

    async def register(
        self, username: str, password: str, *, email: str = "", is_bot: bool = False
    ) -> payloads.Account:
        """Make an account; `is_bot` for a program, for good. Not sent twice by itself."""
        body: dict[str, Any] = {"username": username, "password": password, "is_bot": is_bot}
        if email:
            body["email"] = email
        account: payloads.Account = await self._http.ask("auth", "register", body=body)
        return account

    async def token(
        self, username: str, password: str, **options: Unpack[payloads.TokenOptions]
    ) -> payloads.NewToken:
        """Make a token: with a name, for some scopes only, for so many days. Not sent twice by itself."""
        body = {"username": username, "password": password, **options}
        token: payloads.NewToken = await self._http.ask("auth", "tokens", body=body)
        return token

    async def login(
        self, username: str, password: str, **options: Unpack[payloads.TokenOptions]
    ) -> payloads.NewToken:
        """Make a token as `token` does, and use it in this client from now on."""
        token = await self.token(username, password, **options)
        self._http.use(token["token"])
        return token

    async def tokens(self) -> list[payloads.Token]:
        """Your tokens, without their texts."""
        tokens: list[payloads.Token] = await self._http.get("auth", "tokens")
        return tokens

    async def current(self) -> payloads.CurrentToken:
        """The token in use and its player: the way to test one. Raises Unauthorized."""
        token: payloads.CurrentToken = await self._http.get("auth", "tokens", "current")
        return token

    async def revoke(self, code: str = "current") -> None:
        """End one of your tokens, or the one in use."""
        await self._http.step("DELETE", "auth", "tokens", code, done=lambda error: error.status in (401, 404))

    async def reset_password(self, email: str) -> None:
        """Have an e-mail sent that lets its reader choose a new password, if there is such an account."""
        await self._http.ask("auth", "password", "reset", body={"email": email})

    async def confirm_reset(self, uid: str, token: str, password: str) -> None:
        """Choose the new password, with what the e-mail says."""
        body = {"uid": uid, "token": token, "password": password}
        await self._http.ask("auth", "password", "reset", "confirm", body=body)


class AsyncAccount:
    """The caller's own account."""

    def __init__(self, transport: AsyncTransport, matches: AsyncMatches) -> None:
        self._http = transport
        self._matches = matches

    async def get(self) -> payloads.Me:
        """You, your unfinished matches and whose turn it is, and who invites you."""
        me: payloads.Me = await self._http.get("account")
        return me

    async def change_password(self, password: str, new_password: str) -> None:
        """A new password. It ends all your tokens, this one too."""
        body = {"password": password, "new_password": new_password}
        await self._http.post("account", "password", body=body, safe=False)

    async def change_email(self, email: str, password: str) -> payloads.AccountEmail:
        body = {"email": email, "password": password}
        account: payloads.AccountEmail = await self._http.patch("account", body=body)
        return account

    async def delete(self, password: str) -> None:
        """Delete the account for good. Its results stay, without its name."""
        await self._http.step(
            "DELETE", "account", body={"password": password}, done=lambda error: error.status == 401
        )

    def stream(self) -> AsyncStream[Message]:
        """What concerns you, as it happens: first the whole account, and again after every break."""
        return follow(self._http, ("events",), Place())

    async def play(self, choose: AsyncChoose) -> None:
        """Play all your matches, whenever it is your turn in one, until you are stopped.

        ``choose`` gets a match whose `view.legal` is not empty and gives one of these actions. Raises what it
        raises, and AgainstRules for what is not legal.
        """
        async with aclosing(self.stream()) as messages:
            async for message in messages:
                for code in waiting_codes(message):
                    await self._play_turns(code, choose)

    async def _play_turns(self, code: str, choose: AsyncChoose) -> None:
        while await self._matches.take_turn(await self._matches.get(code, retries=FOREVER), choose):
            pass
