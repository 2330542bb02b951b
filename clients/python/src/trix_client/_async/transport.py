"""HTTP with the token, the retries and the errors of this client."""

import uuid
from asyncio import sleep
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import httpx

from ..errors import ApiError, TransportError, TrixError, api_error
from ..retries import Retries, may_be_done, retry_after, transport_error

API = "/api/v1"
SILENCE = 45.0  # seconds without a keep-alive after which a stream is broken; the server sends one every 15
NDJSON = "application/x-ndjson"
Read = Callable[[httpx.Response], Any]


class AsyncTransport:
    """One server and one token. Paths are given in parts: `get("matches", code)`."""

    def __init__(self, base_url: str, token: str | None, timeout: float, retries: Retries) -> None:
        self.http = httpx.AsyncClient(
            base_url=base_url.rstrip("/").removesuffix(API) + API + "/", timeout=timeout
        )
        self.retries = retries
        self.use(token)

    def use(self, token: str | None) -> None:
        """Send this token from now on. Raises TrixError for what cannot be one, without showing it."""
        if token and not (token.isascii() and token.isalnum()):
            raise TrixError("A token has letters and digits only.")
        self.signed = {"Authorization": f"Bearer {token}"} if token else {}

    async def get(self, *path: object, **query: Any) -> Any:
        return await self.call("GET", path, query=query)

    async def text(self, *path: object, **query: Any) -> str:
        text: str = await self.call("GET", path, query=query, read=_text)
        return text

    async def post(self, *path: object, body: Any = None, safe: bool = True) -> Any:
        """POST something that may be sent again; with ``safe=False``, something that may not."""
        return await self.call("POST", path, body=body or {}, safe=safe)

    async def put(self, *path: object, body: Any) -> Any:
        return await self.call("PUT", path, body=body)

    async def patch(self, *path: object, body: Any, safe: bool = True) -> Any:
        """PATCH what may be changed twice to the same; with ``safe=False``, what may not: its own address."""
        return await self.call("PATCH", path, body=body, safe=safe)

    async def ask(self, *path: object, body: Any) -> Any:
        """POST something that needs no token, and must not be sent twice."""
        return await self.call("POST", path, body=body, safe=False, signed=False)

    async def create(self, *path: object, body: Any = None) -> Any:
        """POST something new, with a key that lets the server know it again."""
        key = {"Idempotency-Key": str(uuid.uuid4())}
        return await self.call("POST", path, body=body or {}, headers=key)

    async def step(
        self,
        method: str,
        *path: object,
        body: Any = None,
        done: Callable[[ApiError], bool],
        then: tuple[object, ...] = (),
    ) -> Any:
        """Do what can be done once. Where an answer was lost, a refusal that says `done` is as good as one:
        the answer is then what GET says of `then`.
        """
        try:
            return await self.call(method, path, body=body, safe=False)
        except TrixError as error:
            if self.retries.tries == 1 or not may_be_done(error):
                raise
        try:
            return await self.call(method, path, body=body)
        except ApiError as error:
            if not done(error):
                raise
        return await self.get(*then) if then else None

    async def delete(self, *path: object) -> None:
        await self.step("DELETE", *path, done=lambda error: error.status == 404)

    async def call(
        self,
        method: str,
        path: tuple[object, ...],
        *,
        body: Any = None,
        query: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        safe: bool = True,
        signed: bool = True,
        retries: Retries | None = None,
        read: Read | None = None,
    ) -> Any:
        """What the server answers, read by `read` (JSON without it). Raises ApiError or TransportError."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        headers = (headers or {}) | (self.signed if signed else {})
        request = self.http.build_request(method, _address(path), json=body, params=given, headers=headers)
        tries = (retries or self.retries).start(safe)
        while True:
            try:
                return await self._once(request, read or _json)
            except TrixError as error:
                wait = tries.wait(error)
            await sleep(wait)

    async def _once(self, request: httpx.Request, read: Read) -> Any:
        try:
            response = await self.http.send(request)
            if response.is_success:
                return read(response)
        except httpx.RequestError as error:
            raise transport_error(error, _name(request)) from error
        except ValueError as error:  # cut off, or a proxy's page
            told = f"{_name(request)}: The answer is no JSON: cut off, or not a Trix server's."
            raise TransportError(told, sent=True) from error
        raise _refusal(request, response)

    @asynccontextmanager
    async def stream(self, *path: object, after: int | None = None) -> AsyncIterator[httpx.Response]:
        """One connection of a stream. Raises ApiError, and TransportError when it breaks or falls silent."""
        headers = {"Accept": NDJSON} | self.signed | ({} if after is None else {"Last-Event-ID": str(after)})
        timeout = httpx.Timeout(self.http.timeout.connect, read=SILENCE)
        request = self.http.build_request("GET", _address(path), headers=headers, timeout=timeout)
        try:
            response = await self.http.send(request, stream=True)
            try:
                if not response.is_success:
                    await response.aread()
                    raise _refusal(request, response)
                yield response
            finally:
                await response.aclose()
        except httpx.RequestError as error:
            raise transport_error(error, _name(request)) from error


def _address(path: tuple[object, ...]) -> str:
    return "".join(f"{quote(str(part), safe='')}/" for part in path)


def _name(request: httpx.Request) -> str:
    return f"{request.method} {request.url}"


def _refusal(request: httpx.Request, response: httpx.Response) -> ApiError:
    wait = retry_after(response.headers.get("Retry-After"))
    return api_error(_name(request), response.status_code, response.content, wait)


def _json(response: httpx.Response) -> Any:
    """None where the server has nothing to say; an answer of which nothing came is no JSON."""
    return None if response.status_code in (202, 204) and not response.content else response.json()


def _text(response: httpx.Response) -> str:
    return response.text
