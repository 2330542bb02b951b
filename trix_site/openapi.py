"""How the API is described: names, areas and scopes of its operations, and examples out of real answers.

`examples.json` holds what tests/site/test_openapi.py recorded; with WRITE_EXAMPLES=1 it writes them anew.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import SAFE_METHODS, AllowAny

from games.api.permissions import PlayersOnly, Scoped
from games.models import Scope

EXAMPLES = Path(__file__).with_name("examples.json")
PROBLEM = "application/problem+json"
TAGS = {
    "auth": "Accounts, tokens and their scopes, forgotten passwords.",
    "account": "You, your matches and invitations.",
    "events": "The stream of what happens to you.",
    "matches": "Tables, moves, events and records.",
    "chat": "What players say at their tables, and whom they mute.",
    "tournaments": "Entering, following and organising tournaments.",
    "leagues": "Divisions, seasons, promotion and relegation.",
    "ratings": "Pools and their leaderboards.",
    "players": "Profiles and histories.",
    "webhooks": "Addresses of yours that are told what happens.",
}
WITHIN = {"webhooks": "webhooks", "chat": "chat", "mutes": "chat"}  # Wherever their addresses begin.


class Schema(AutoSchema):
    """The description of one operation."""

    def get_operation_id(self) -> str:
        """Method and address, as in `post_matches_code_join`."""
        names = (part.strip("{}").replace("-", "_") for part in self._parts)
        return "_".join([self.method.lower(), *names])

    def get_tags(self) -> list[str]:
        within = [WITHIN[part] for part in self._parts if part in WITHIN]
        return within[:1] or self._parts[:1]

    def get_summary(self) -> str:
        """The first sentence of the docstring."""
        return _first_sentence(super().get_description())

    def get_description(self) -> str:  # type: ignore[override]
        """The docstring, and what scope it takes."""
        text = super().get_description()
        scope = self._scope
        return f"{text}\n\nTakes a token with the scope `{scope}`." if scope else text

    def get_auth(self) -> list[dict[str, list[Any]]]:
        nobody = self._scope is None and not self._for_players
        return [{"token": []}, {}] if nobody else [{"token": []}]

    @property
    def _parts(self) -> list[str]:
        return [part for part in self.path.removeprefix("/api/v1/").split("/") if part]

    @property
    def _scope(self) -> str | None:
        """What a token must be good for, where that is one thing for every caller."""
        scoped = any(isinstance(permission, Scoped) for permission in self.view.get_permissions())
        if not scoped or self.method in SAFE_METHODS:
            return None
        return getattr(self.view, "scope", Scope.PLAY)

    @property
    def _for_players(self) -> bool:
        permissions = self.view.get_permissions()
        if any(isinstance(permission, AllowAny) for permission in permissions):
            return False
        return self.method not in SAFE_METHODS or any(
            isinstance(permission, PlayersOnly) for permission in permissions
        )


def add_examples(result: dict[str, Any], **of: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: put the areas and the recorded examples into the description."""
    kept = json.loads(EXAMPLES.read_text())
    result["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    result["components"]["examples"] = {
        code: {"value": problem} for code, problem in kept["problems"].items()
    }
    for operation in operations(result):
        if found := kept["operations"].get(operation["operationId"]):
            _add(operation, found)
    return result


def operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in schema["paths"].values():
        yield from methods.values()


def _add(operation: dict[str, Any], found: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path":
            parameter["example"] = found["path"][parameter["name"]]
    if "requestBody" in operation and found["request"] is not None:
        operation["requestBody"]["content"]["application/json"]["example"] = found["request"]
    for status, answer in operation["responses"].items():
        for media, content in answer.get("content", {}).items():
            if media == PROBLEM:
                codes = found["problems"].get(status, ())
                content["examples"] = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
            elif media in found["answers"].get(status, {}):
                content["example"] = found["answers"][status][media]


def _first_sentence(text: str) -> str:
    line = " ".join(text.partition("\n\n")[0].split())
    for end in (". ", ": ", "; "):
        line = line.partition(end)[0]
    return line.rstrip(".")
