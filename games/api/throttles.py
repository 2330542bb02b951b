"""Limits on what anyone may ask without a token: making accounts, and guessing passwords."""

import hashlib

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from games.models import Player


class Throttle(SimpleRateThrottle):
    """Base: counts by whoever it is that a request is made for."""

    def who(self, request: Request) -> str:
        raise NotImplementedError

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """Hashed: a header or a name may be longer than a key of the cache, and hold anything."""
        digest = hashlib.sha256(self.who(request).encode(errors="replace")).hexdigest()
        return f"throttle-{self.scope}-{digest}"


class ByAddress(Throttle):
    def who(self, request: Request) -> str:
        return self.get_ident(request)


class RegisterThrottle(ByAddress):
    scope, rate = "register", "120/min"


class TokenThrottle(ByAddress):
    scope, rate = "token", "120/min"


class GuessThrottle(Throttle):
    """By the account asked for, however it is written and from wherever the guesses come."""

    scope, rate = "guess", "20/min"

    def who(self, request: Request) -> str:
        name = dict(request.data).get("username")
        return Player.normalize_username(str(name)).casefold()
