"""A token does what its scopes say, at every door."""

import re

import pytest
from django.urls import get_resolver

from games.models import ApiToken, Scope
from tests.games.answers import refusal
from tournaments.services import life

# Doors that take no token, or ask for the password as well.
OPEN = {
    "register",
    "tokens",
    "current-token",
    "account",
    "account-password",
    "password-reset",
    "password-confirm",
}


def patterns(resolver):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from patterns(pattern)
        elif hasattr(getattr(pattern.callback, "cls", None), "permission_classes"):
            yield pattern


def addresses():
    """Every view under /api/v1/ with its route, and an address of it that names things that are not there."""
    for pattern in patterns(get_resolver("trix_site.urls")):
        route = str(pattern.pattern)
        if not route.startswith("api/"):
            path = re.sub(r"<(\w+):\w+>", lambda found: "1" if found[1] == "int" else "nothing", route)
            yield pattern, route, path


def doors():
    """Every call of the API that writes, its address naming things that are not there."""
    for pattern, route, path in addresses():
        for method in sorted({"POST", "PUT", "PATCH", "DELETE"}):
            if hasattr(pattern.callback.cls, method.lower()) and pattern.name not in OPEN:
                yield pytest.param(method, path, id=f"{method} {route}")


@pytest.fixture
def token(cast, api):
    """A client whose token has these scopes alone."""

    def make(*scopes: str):
        client = api()
        _, text = ApiToken.objects.create(user=cast[0], scopes=list(scopes))
        client.headers = {"Authorization": f"Bearer {text}"}
        return client

    return make


def call(client, method, path, body=None):
    return client.client.generic(
        method, f"/api/v1/{path}", body or "{}", content_type="application/json", headers=client.headers
    )


@pytest.fixture
def tournament(cast):
    """What every address of a tournament leads to here; its first player organises it."""
    made = life.create_tournament(actor=cast[0], name="Nothing", rules="cardkings")
    return life.open_registration(slug=made.slug, actor=cast[0])


@pytest.mark.parametrize(("method", "path"), list(doors()))
def test_a_token_that_may_only_read_changes_nothing_anywhere(token, tournament, method, path):
    answer = call(token(Scope.READ), method, path)
    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
    assert answer.json()["scope"] in (Scope.PLAY, Scope.ORGANISE)


@pytest.mark.parametrize("who", ["nobody", "read", "organise"])
def test_a_method_that_a_door_does_not_have_is_said_whatever_the_token(api, token, who):
    client = api() if who == "nobody" else token(who)
    for pattern, route, path in addresses():
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
            if not hasattr(pattern.callback.cls, method.lower()):
                assert refusal(call(client, method, path)) == (405, "method_not_allowed"), f"{method} {route}"
        if hasattr(pattern.callback.cls, "get"):
            assert call(client, "HEAD", path).status_code != 405, route


def test_what_is_missing_is_said_and_how_to_get_it(token):
    answer = token(Scope.READ, Scope.ORGANISE).post("matches/", rules="eram").json()
    assert answer["scope"] == "play"
    assert answer["detail"] == (
        "This takes a token with the scope play; yours has read, organise."
        ' Make one by POST /api/v1/auth/tokens/ with "scopes": ["play"], or without "scopes" for all of them.'
    )


def test_every_token_reads_what_its_player_may_see(token, tournament):
    reading = token(Scope.READ)
    for path in ("account/", "auth/tokens/", "matches/", f"tournaments/{tournament.slug}/log/"):
        assert reading.get(path).status_code == 200, path


def test_a_token_to_play_plays_and_runs_no_tournament(token, tournament):
    playing = token(Scope.PLAY)
    opened = playing.post("matches/", rules="eram")
    assert opened.status_code == 201
    assert playing.post(f"matches/{opened.json()['code']}/start/").status_code == 200
    assert playing.post("tournaments/", name="Mine", rules="eram").json()["scope"] == "organise"
    assert playing.post(f"tournaments/{tournament.slug}/start/").json()["scope"] == "organise"


def test_a_token_to_organise_runs_a_tournament_and_plays_nothing(token):
    organising = token(Scope.ORGANISE)
    slug = organising.post("tournaments/", name="Mine", rules="eram").json()["slug"]
    assert organising.post(f"tournaments/{slug}/open/").status_code == 200
    assert organising.post("matches/", rules="eram").json()["scope"] == "play"


@pytest.mark.parametrize("call", ["entries/", "withdraw/"])
def test_taking_part_is_playing_and_entering_others_is_organising(token, cast, tournament, call):
    entries = f"tournaments/{tournament.slug}/{call}"
    playing, organising = token(Scope.PLAY), token(Scope.ORGANISE)
    if call == "withdraw/":
        for name in ("amal", "basil"):
            organising.post(f"tournaments/{tournament.slug}/entries/", player=name)
            playing.post(f"tournaments/{tournament.slug}/entries/")
    assert organising.post(entries).json()["scope"] == "play"
    assert organising.post(entries, player="Amal").json()["scope"] == "play"
    assert playing.post(entries, player="basil").json()["scope"] == "organise"
    assert playing.post(entries).status_code in (200, 201)
    assert organising.post(entries, player="basil").status_code in (200, 201)


def test_without_a_token_it_is_still_401(api, db):
    assert api().post("matches/", rules="eram").status_code == 401
