"""Limits on what anyone may ask without a token: making accounts, and guessing passwords."""

import hashlib

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class ByAddress(SimpleRateThrottle):
    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"throttle-{self.scope}-{self.get_ident(request)}"


class RegisterThrottle(ByAddress):
    scope, rate = "register", "120/min"


class TokenThrottle(ByAddress):
    scope, rate = "token", "120/min"


class GuessThrottle(SimpleRateThrottle):
    """By the account asked for, from wherever the guesses come."""

    scope, rate = "guess", "20/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        name = str(dict(request.data).get("username")).casefold()
        return f"throttle-guess-{hashlib.sha256(name.encode()).hexdigest()}"
