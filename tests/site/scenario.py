"""A story that makes every call of the API, in every way that the description says it may end.

Each step names the status that it expects. What every operation refuses alike (no token, no JSON, too many
calls …) is not told here: `refusals` asks that of all of them.
"""

import json
from typing import Any
from unittest import mock

from django.contrib.auth.tokens import default_token_generator
from django.test import override_settings
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from games.models import Analysis, Match, Player, Scope
from games.selectors import match_record, stored_match
from games.services import analyses, matches
from tests.games.play import act, act_until, bots_play_deals, in_play, play_out, secret_where
from tests.ratings.tables import finished
from tests.site.calls import Call, Caller, Calls
from trix_site.common import throttling
from trix_site.common.middleware import body_limit

PASSWORD = "seven of hearts"
NAMES = ("amal", "basil", "كارلا", "daoud", "elias", "olga")


class Story:
    """Its people: four at a table, a stranger (elias) and an organiser (olga). `worker`: one is at work."""

    def __init__(self, worker: bool = False, **calls: Any) -> None:
        self.worker = worker
        self.calls = Calls(**calls)
        self.players = {name: Player.objects.create_user(name, password=PASSWORD) for name in NAMES}
        self.callers = {name: self.calls.of(player) for name, player in self.players.items()}
        self.four = [self.callers[name] for name in NAMES[:4]]
        self.nobody = self.calls.of()

    def match(self, **options: Any) -> Match:
        """A running match of the four, South to choose first."""
        seats = [self.players[name] for name in NAMES[:4]]
        secret = secret_where(owner=0, preset="cardkings")
        return matches.create_match(rules="cardkings", options={}, seats=seats, secret=secret, **options)


def tell(story: Story) -> None:
    # Play comes first: later matches have the same cards, which would hide its events from others.
    parts = (
        accounts,
        play,
        tables,
        endings,
        chat,
        webhooks,
        tournaments,
        entrants,
        stages,
        exchange,
        leagues,
        ratings,
    )
    for part in parts:
        part(story)


def accounts(story: Story) -> None:
    nobody = story.nobody
    wanted = {"username": "farah", "password": PASSWORD, "email": "farah@example.com"}
    nobody.post("auth/register/", wanted, 201)
    nobody.post("auth/register/", wanted, 409)
    nobody.post("auth/register/", {"username": "ghada", "password": "123"}, 400)
    login = {"username": "farah", "password": PASSWORD, "name": "laptop", "scopes": ["play", "read"]}
    token = nobody.post("auth/tokens/", login, 201)
    nobody.post("auth/tokens/", login | {"password": "wrong"}, 401)
    player = Player.objects.get(username="farah")
    farah, second = (story.calls.of(player) for _ in range(2))
    farah.get("auth/tokens/")
    farah.get("auth/tokens/current/")
    second.delete("auth/tokens/current/")
    story.calls.of(player, [Scope.READ]).delete(f"auth/tokens/{token['code']}/", 403)
    farah.delete(f"auth/tokens/{token['code']}/")
    farah.get("account/")
    farah.patch("account/", {"email": "farah@example.org", "password": PASSWORD})
    farah.patch("account/", {"email": "farah@example.org", "password": "wrong"}, 403)
    farah.post("account/password/", {"password": "wrong", "new_password": "ten of diamonds"}, 403)
    farah.post("account/password/", {"password": PASSWORD, "new_password": "ten of diamonds"}, 204)
    nobody.post("auth/password/reset/", {"email": "farah@example.org"}, 202)
    player.refresh_from_db()
    uid = urlsafe_base64_encode(force_bytes(player.pk))
    reset = {"uid": uid, "token": default_token_generator.make_token(player), "password": PASSWORD}
    nobody.post("auth/password/reset/confirm/", reset, 204)
    nobody.post("auth/password/reset/confirm/", reset, 400)
    farah = story.calls.of(player)
    farah.delete("account/", 403, {"password": "wrong"})
    farah.delete("account/", 204, {"password": PASSWORD})
    chief = story.calls.of(Player.objects.create_superuser("chief", password=PASSWORD))
    chief.delete("account/", 409, {"password": PASSWORD})


def tables(story: Story) -> None:
    amal, basil, carla, daoud = story.four
    elias, nobody = story.callers["elias"], story.nobody
    clock = {"choose": 30, "double": 30, "play": 30, "bank": 300}
    wanted = {"rules": "cardkings", "clock": clock, "visibility": "code", "invite": ["basil"]}
    table = amal.post("matches/", wanted, 201, Idempotency_Key="evening")
    amal.post("matches/", wanted, 201, Idempotency_Key="evening")
    amal.post("matches/", wanted | {"rated": False}, 422, Idempotency_Key="evening")
    amal.post("matches/", wanted | {"rules": "chess"}, 400)
    amal.post("matches/", wanted | {"invite": ["amal"]}, 409)
    amal.post("matches/", wanted | {"invite": ["nobody"]}, 404)
    one = f"matches/{table['code']}/"
    nobody.get("matches/")
    amal.get("matches/?mine=true")
    amal.get(one)
    nobody.get(one)
    amal.post(f"{one}invitations/", {"player": "كارلا"}, 201, Idempotency_Key="carla")
    amal.post(f"{one}invitations/", {"player": "elias"}, 422, Idempotency_Key="carla")
    amal.post(f"{one}invitations/", {"player": "كارلا"}, 409)
    basil.post(f"{one}invitations/", {"player": "daoud"}, 403)
    carla.get("account/")
    amal.post(f"{one}invitations/", {"player": "elias"}, 201)
    amal.delete(f"{one}invitations/elias/")
    daoud.delete(f"{one}invitations/basil/", 403)
    elias.post(f"{one}join/", {}, 403)
    basil.post(f"{one}join/", {"seat": "N"})
    basil.post(f"{one}join/", {}, 409)
    carla.post(f"{one}leave/", {}, 403)
    basil.post(f"{one}start/", {}, 403)
    basil.post(f"{one}leave/")
    amal.post(f"{one}start/", {"bots": "chess player"}, 400)
    amal.post(f"{one}start/", {"bots": "random"})
    amal.get("account/")
    amal.post(f"{one}start/", {}, 409)
    private = amal.post("matches/", {"rules": "eram", "visibility": "private"}, 201)
    elias.get(f"matches/{private['code']}/", 404)
    closed = f"matches/{private['code']}/"
    amal.post(f"{closed}leave/")
    amal.post(f"{closed}leave/", {}, 409)


def endings(story: Story) -> None:
    amal, basil, *_ = story.four
    elias = story.callers["elias"]
    arranged = f"matches/{story.match().code}/"
    amal.post(f"{arranged}abort/", {}, 409)
    elias.post(f"{arranged}abort/", {}, 403)
    table = amal.post("matches/", {"rules": "cardkings", "bots": ["random", "random", "random"]}, 201)
    amal.post(f"matches/{table['code']}/start/")
    amal.post(f"matches/{table['code']}/abort/", {"agree": True})
    match = story.match()
    one = f"matches/{match.code}/"
    elias.post(f"{one}return/", {}, 403)
    elias.post(f"{one}resign/", {}, 403)
    elias.post(f"{one}rematch/", {}, 403)
    basil.post(f"{one}leave/")
    basil.post(f"{one}return/")
    basil.post(f"{one}rematch/", {}, 409)
    basil.post(f"{one}resign/")
    basil.post(f"{one}return/", {}, 409)
    over = story.match()
    bots_play_deals(over)
    basil.post(f"matches/{over.code}/resign/", {}, 409)
    again = f"matches/{over.code}/rematch/"
    amal.post(again, {}, 201, Idempotency_Key="again")
    amal.post(again.replace(over.code, match.code), {}, 422, Idempotency_Key="again")
    basil.post(again)


def play(story: Story) -> None:
    amal, *_ = story.four
    elias, nobody = story.callers["elias"], story.nobody
    match = story.match(clock_choose=30, clock_double=30, clock_play=30, clock_bank=300)
    one = f"matches/{match.code}/"
    amal.post(f"{one}actions/", {"action": "choose queens", "version": 0})
    amal.post(f"{one}actions/", {"action": "choose queens", "version": 0})
    amal.post(f"{one}actions/", {"action": "choose king", "version": 0}, 409)
    amal.post(f"{one}actions/", {"action": "sing", "version": 1}, 400)
    amal.post(f"{one}actions/", {"action": "play ZZ", "version": 1}, 400)
    elias.post(f"{one}actions/", {"action": "choose king", "version": 1}, 403)
    for caller in story.four:
        caller.get(one)  # While doubling.
    state = act_until(match, in_play)
    other = story.four[(state.turn + 1) % 4]
    other.post(f"{one}actions/", {"action": "play 2S", "version": state.version}, 422)
    turn = story.four[state.turn]
    legal = turn.get(one)["view"]["legal"]
    turn.post(f"{one}actions/", {"action": "pass", "version": state.version}, 422)
    turn.post(f"{one}actions/", {"action": legal[0], "version": state.version})
    act_until(match, lambda state: sum(state.tricks) == 5)
    for caller in (*story.four, elias, nobody):
        caller.get(one)
    nobody.get(f"{one}events/?after=3")
    for media in ("text/event-stream", "application/x-ndjson"):
        for path in (f"{one}events/", "events/"):
            amal.open_stream(path, media)
    amal.get("account/")
    bots_play_deals(match, 2)
    amal.get(f"{one}record/")
    bots_play_deals(match, 5)
    for _ in range(12):  # Every contract, each at some point of its deal.
        act_until(match, in_play)
        for _ in range(9):
            act(match)
        amal.get(one)
        bots_play_deals(match, 1)
    amal.get(f"{one}record/")
    bots_play_deals(match)
    nobody.get(one)
    nobody.get(f"{one}events/")
    nobody.get(f"{one}record/")
    nobody.get("matches/?status=finished&page_size=1")
    amal.post(f"{one}actions/", {"action": "play 2S", "version": 5000}, 409)
    analysis(story, match)


def analysis(story: Story, match: Match) -> None:
    amal, nobody = story.callers["amal"], story.nobody
    one = f"matches/{match.code}/analysis/"
    nobody.get(one, 404)
    story.calls.of(story.players["amal"], [Scope.READ]).post(one, {}, 403)
    amal.post(one, {}, 202)
    amal.get(one)
    if not story.worker:  # Who may be done by now.
        nobody.get(f"matches/{match.code}/record/?analysis=true", 409)
    while (made := Analysis.objects.get(match=match)).state == "asked":
        analyses.make_next_deal(match.pk, len(made.deals), made.tries)
    amal.post(one)
    nobody.get(f"{one}?mistakes=true")
    nobody.get(f"{one}?seat=S&deal=1")
    nobody.get(f"matches/{match.code}/record/?analysis=true")
    amal.post("matches/none/analysis/", {}, 404)
    amal.post(f"matches/{story.match().code}/analysis/", {}, 409)


def chat(story: Story) -> None:
    amal, basil, *_ = story.four
    elias = story.callers["elias"]
    match = story.match()
    talk = f"matches/{match.code}/chat/"
    said = amal.post(talk, {"text": "Good luck, and mind the king."}, 201, Idempotency_Key="hello")
    amal.post(talk, {"text": "Good evening"}, 422, Idempotency_Key="hello")
    elias.post(talk, {"text": "Hello"}, 403)
    elias.get(talk, 403)
    basil.get(talk)
    basil.post(f"{talk}{said['id']}/report/", {"reason": "He tells me what to play."}, 204)
    basil.post(f"{talk}{said['id']}/report/", {}, 409)
    elias.post(f"{talk}{said['id']}/report/", {}, 403)
    amal.put("account/mutes/basil/")
    amal.get("account/mutes/")
    amal.put("account/mutes/amal/", {}, 409)
    amal.delete("account/mutes/basil/")
    cancelled = amal.post("matches/", {"rules": "eram"}, 201)["code"]
    amal.post(f"matches/{cancelled}/leave/")
    amal.post(f"matches/{cancelled}/chat/", {"text": "Hello"}, 409)


def webhooks(story: Story) -> None:
    _webhooks(story, story.callers["amal"], "account/webhooks/", "match_finished")


def _webhooks(story: Story, owner: Caller, hooks: str, event: str) -> None:
    wanted = {"url": "https://hooks.example/trix", "events": [event]}
    hook = owner.post(hooks, wanted, 201, Idempotency_Key=hooks)
    owner.post(hooks, {"url": "https://hooks.example/"}, 422, Idempotency_Key=hooks)
    owner.post(hooks, {"url": "http://127.0.0.1/"}, 400)
    one = f"{hooks}{hook['code']}/"
    owner.get(hooks)
    owner.get(one)
    owner.post(f"{one}test/", {}, 202)
    if not story.worker:  # Who may have tried the first one by now.
        owner.post(f"{one}test/", {}, 409)
    owner.get(f"{one}deliveries/")
    while len(owner.get(hooks)) < 10:
        owner.post(hooks, wanted, 201)
    owner.post(hooks, wanted, 409)
    owner.delete(f"{hooks}{owner.get(hooks)[-1]['code']}/")


def tournaments(story: Story) -> None:
    olga, elias, nobody = story.callers["olga"], story.callers["elias"], story.nobody
    wanted = {
        "name": "Amman League",
        "rules": "cardkings-complex",
        "seed": 1,
        "stages": [{"format": "swiss", "rounds": 2}],
    }
    olga.post("tournaments/", wanted, 201, Idempotency_Key="league")
    olga.post("tournaments/", wanted | {"seed": 2}, 422, Idempotency_Key="league")
    olga.post("tournaments/", wanted | {"slug": "amman-league"}, 409)
    one = "tournaments/amman-league/"
    olga.post(f"{one}start/", {}, 409)
    elias.post(f"{one}open/", {}, 404)
    olga.post(f"{one}open/")
    olga.post(f"{one}open/", {}, 409)
    for step in ("open", "start", "finish", "cancel", "rounds"):
        elias.post(f"{one}{step}/", {}, 403)
    olga.post(f"{one}start/", {}, 422)
    for caller in (*story.four, elias):
        caller.post(f"{one}entries/", {}, 201, Idempotency_Key="entry")
    elias.post(f"{one}entries/", {"player": "elias"}, 422, Idempotency_Key="entry")
    elias.post(f"{one}entries/", {}, 409)
    elias.post(f"{one}entries/", {"player": "amal"}, 403)
    elias.post(f"{one}withdraw/", {"player": "amal"}, 403)
    elias.post(f"{one}withdraw/")
    elias.post(f"{one}withdraw/", {}, 409)
    olga.post(f"{one}start/")
    olga.post(f"{one}finish/", {}, 409)
    olga.post(f"{one}rounds/", {}, 201)
    olga.post(f"{one}rounds/", {}, 409)
    first, tables = f"{one}rounds/1/", f"{one}rounds/1/tables/"
    result = {"scores": [100, -50, -25, -25], "reason": "Played with real cards."}
    olga.post(f"{tables}1/result/", result, 409)
    olga.post(f"{first}close/", {}, 409)
    elias.post(f"{first}publish/", {}, 404)
    olga.delete(first)
    olga.post(f"{one}rounds/", {}, 201)
    _swap(story, f"{first}swap/")
    olga.post(f"{first}publish/")
    olga.post(f"{first}publish/", {}, 409)
    olga.delete(first, 409)
    for caller, status in ((elias, 403),):
        caller.post(f"{first}publish/", {}, status)
        seats = {"first": {"table": 1, "seat": "S"}, "second": {"table": 1, "seat": "E"}, "version": 1}
        caller.post(f"{first}swap/", seats, status)
        caller.post(f"{first}close/", {}, status)
        caller.delete(first, status)
        caller.post(f"{tables}1/result/", result, status)
        caller.get(f"{one}log/", status)
    nobody.get("tournaments/")
    story.callers["amal"].get(one)
    nobody.get(f"{one}entries/")
    nobody.get(f"{one}rounds/")
    nobody.get(first)
    nobody.get(tables)
    story.callers["amal"].get(f"{tables}1/")
    olga.post(f"{tables}1/result/", result)
    _at_tables(story, f"{tables}1/")
    olga.post(f"{first}close/")
    nobody.get(f"{one}standings/")
    nobody.get(f"{one}ranking/")
    nobody.get(f"{one}performance/")
    nobody.get(f"{one}standings/?format=csv")
    _compare(nobody, one)
    nobody.get(f"{tables}1/")
    olga.get(f"{one}log/")
    _webhooks(story, olga, f"{one}webhooks/", "round_published")
    elias.get(f"{one}webhooks/", 403)
    elias.post(f"{one}webhooks/", {"url": "https://hooks.example/"}, 403)
    code = olga.get(f"{one}webhooks/")[0]["code"]
    elias.get(f"{one}webhooks/{code}/", 403)
    elias.delete(f"{one}webhooks/{code}/", 403)
    elias.post(f"{one}webhooks/{code}/test/", {}, 403)
    elias.get(f"{one}webhooks/{code}/deliveries/", 403)
    for caller in story.four:
        caller.post(f"{one}withdraw/")
    olga.post(f"{one}rounds/", {}, 422)
    olga.post(f"{one}finish/")
    olga.post("tournaments/", {"name": "Ramadan Cup", "rules": "eram"}, 201)
    olga.post("tournaments/ramadan-cup/cancel/", {"reason": "Too few players."})
    olga.post("tournaments/ramadan-cup/cancel/", {}, 409)


def _compare(who: Caller, one: str) -> None:
    at = f"{one}standings/compare/?first=amal&second="
    who.get(f"{at}basil")
    who.get(f"{at}amal", 400)
    who.get(f"{at}olga", 404)


def _swap(story: Story, swap: str) -> None:
    olga = story.callers["olga"]
    seats = {"first": {"table": 1, "seat": "S"}, "second": {"table": 1, "seat": "E"}, "version": 0}
    story.callers["elias"].post(swap, seats, 404)
    olga.post(swap, seats | {"preview": True})
    olga.post(swap, seats)
    olga.post(swap, seats, 409)
    olga.post(swap, seats | {"second": {"bye": "elias"}, "version": 1}, 404)
    olga.post(swap, seats | {"second": {"table": 1, "seat": "S"}, "version": 1}, 422)


def _at_tables(story: Story, table: str) -> None:
    """Corrections and substitutes at a table that has a result; it ends with the same result."""
    olga, elias = story.callers["olga"], story.callers["elias"]
    why = {"reason": "A revoke."}
    counting = olga.get(table)["result"]["id"]
    elias.post(f"{table}annul/", why, 403)
    olga.post(f"{table}annul/", why, 409)
    annulled = olga.post(f"{table}annul/", why | {"replaces": counting})["result"]["id"]
    elias.post(f"{table}replay/", why, 403)
    olga.post(f"{table}replay/", why, 409)
    code = olga.post(f"{table}replay/", why | {"replaces": annulled})["match"]
    for caller, seat, body, status in (
        (elias, "S", {"player": "elias"}, 403),
        (olga, "S", {"player": "elias"}, 200),
        (olga, "E", {"player": "elias"}, 409),
        (olga, "S", {"player": None}, 200),
        (olga, "E", {"player": "elias"}, 422),
    ):
        caller.post(f"{table}seats/{seat}/substitute/", body, status)
    elias.post(f"{table}seats/S/no-show/", {}, 403)
    olga.post(f"{table}seats/S/no-show/")
    story.nobody.get(f"{table}record/", 404)
    record = {"record": _played(code), "reason": "Played elsewhere."}
    elias.post(f"{table}record/", record, 403)
    imported = olga.post(f"{table}record/", record)["result"]["id"]
    olga.post(f"{table}record/", record | {"record": "[Rules"}, 400)
    story.nobody.get(f"{table}record/")
    olga.post(f"{table}seats/S/no-show/", {}, 409)
    result = {"scores": [100, -50, -25, -25], "reason": "Played with real cards.", "replaces": imported}
    olga.post(f"{table}result/", result)
    olga.post(f"{table}record/", record, 409)
    _of_three(story)


def _played(code: str) -> str:
    """The record of a match of the same players and rules, played to its end elsewhere."""
    match = Match.objects.get(code=code)
    four = [seat.player for seat in match.seats.all() if seat.player]
    other = matches.create_match(rules=match.rules, options=match.options, seats=four, rated=False)
    play_out(other)
    return match_record(stored_match(other.code), None)


def _of_three(story: Story) -> None:
    olga = story.callers["olga"]
    short = {"name": "Short Cup", "rules": "eram", "fill": "short"}
    olga.post("tournaments/", short, 201)
    one = "tournaments/short-cup/"
    for name in NAMES[:3]:
        olga.post(f"{one}entries/", {"player": name}, 201)
    for step in ("open", "start"):
        olga.post(f"{one}{step}/")
    olga.post(f"{one}rounds/", {}, 201)
    olga.post(f"{one}rounds/1/publish/")
    olga.post(f"{one}rounds/1/tables/1/replay/", {"reason": "Somebody came."}, 422)
    olga.post(f"{one}cancel/")


def stages(story: Story) -> None:
    """A cup of two stages, its rounds on dates."""
    olga, elias = story.callers["olga"], story.callers["elias"]
    first = {"format": "swiss", "rounds": 2}
    cup = {"name": "Dated Cup", "rules": "eram", "stages": [first, {"format": "knockout", "cut": 2}]}
    olga.post("tournaments/", cup, 201)
    one = "tournaments/dated-cup/"
    elias.get(f"{one}dates/", 404)
    olga.post(f"{one}open/")
    for caller in story.four:
        caller.post(f"{one}entries/", {}, 201)
    olga.post(f"{one}start/")
    dates = {"dates": [{"number": 1, "starts_at": "2027-01-30T19:00:00+02:00"}]}
    olga.put(f"{one}dates/", dates)
    story.nobody.get(f"{one}dates/")
    elias.put(f"{one}dates/", dates, 403)
    over_before = dates["dates"][0] | {"ends_at": "2027-01-30T17:00:00Z"}
    olga.put(f"{one}dates/", {"dates": [over_before]}, 400)
    olga.put(f"{one}dates/", {"dates": [{"number": 1, "starts_at": "2027-01-30T19:00:00"}]}, 400)
    olga.patch(one, {"stages": [{"format": "knockout"}]}, 409)
    elias.post(f"{one}stages/start/", {}, 403)
    olga.post(f"{one}stages/start/", {}, 409)
    olga.post(f"{one}rounds/", {}, 201)
    olga.post(f"{one}rounds/1/publish/")
    olga.put(f"{one}dates/", {"dates": []}, 409)
    olga.post(f"{one}rounds/1/tables/1/result/", {"scores": [3, 2, 1, 0], "reason": "Played at home."})
    olga.post(f"{one}rounds/1/close/")
    for caller in story.four[:3]:
        caller.post(f"{one}withdraw/")
    olga.post(f"{one}stages/start/", {}, 422)
    olga.post(f"{one}entries/", {"player": NAMES[0]}, 201)
    olga.post(f"{one}stages/start/")
    olga.post(f"{one}stages/start/", {}, 409)
    olga.post(f"{one}entries/", {"player": "elias"}, 409)
    olga.post(f"{one}cancel/", {})
    _arena(olga)


def _arena(olga: Caller) -> None:
    hour = {"name": "Arena", "rules": "eram", "stages": [{"format": "arena", "minutes": 60}]}
    olga.post("tournaments/", hour, 201)
    for name in NAMES[:4]:
        olga.post("tournaments/arena/entries/", {"player": name}, 201)
    for step in ("open", "start"):
        olga.post(f"tournaments/arena/{step}/")
    olga.post("tournaments/arena/rounds/", {}, 409)
    olga.post("tournaments/arena/cancel/")


def exchange(story: Story) -> None:
    """The tournament that was finished before, out and in again."""
    olga, elias = story.callers["olga"], story.callers["elias"]
    elias.get("tournaments/amman-league/export/", 403)
    document = olga.get("tournaments/amman-league/export/")
    wanted = {"document": document, "slug": "amman-again"}
    olga.post("tournaments/import/", wanted, 201)
    olga.post("tournaments/import/", wanted, 409)
    olga.post("tournaments/import/", wanted | {"document": document | {"version": 0}}, 400)
    olga.post("tournaments/import/", wanted | {"players": {"amal": "nobody"}}, 404)
    olga.post("tournaments/", {"name": "Open Cup", "rules": "eram"}, 201)
    for name in NAMES[:4]:
        olga.post("tournaments/open-cup/entries/", {"player": name}, 201)
    for step in ("open/", "start/"):
        olga.post(f"tournaments/open-cup/{step}")
    olga.post("tournaments/open-cup/rounds/", {}, 201)
    olga.get("tournaments/open-cup/export/", 409)
    olga.post("tournaments/open-cup/cancel/")


def leagues(story: Story) -> None:
    olga, elias, nobody = story.callers["olga"], story.callers["elias"], story.nobody
    wanted = {
        "name": "Aleppo",
        "divisions": 2,
        "division_size": 2,
        "promoted": 1,
        "settings": {"rules": "eram"},
    }
    olga.post("leagues/", wanted, 201, Idempotency_Key="aleppo")
    olga.post("leagues/", wanted | {"promoted": 0}, 422, Idempotency_Key="aleppo")
    olga.post("leagues/", wanted | {"slug": "aleppo"}, 409)
    one = "leagues/aleppo/"
    nobody.get("leagues/")
    nobody.get(one)
    olga.patch(one, {"description": "Fridays"})
    elias.patch(one, {"description": "Mondays"}, 403)
    olga.patch(one, {"slug": "damascus"})
    olga.post("leagues/", wanted, 201)
    olga.patch("leagues/damascus/", {"slug": "aleppo"}, 409)
    seasons = f"{one}seasons/"
    players = {"players": ["amal", "basil", "daoud"]}
    olga.post(seasons, players | {"preview": True}, 200)
    olga.post(seasons, players, 201, Idempotency_Key="season")
    olga.post(seasons, {}, 422, Idempotency_Key="season")
    olga.post(seasons, {}, 409)
    elias.post(seasons, {}, 403)
    nobody.get(seasons)
    nobody.get(f"{seasons}1/")
    olga.post("leagues/", wanted | {"settings": {"rules": "chess"}}, 400)
    olga.post("leagues/damascus/seasons/", {"players": ["amal", "amal"]}, 400)
    olga.post("leagues/damascus/seasons/", {"players": ["nobody"]}, 404)
    olga.post("leagues/damascus/seasons/", {"players": list(NAMES)}, 422)


def entrants(story: Story) -> None:
    """Who takes part: waiting list, check-in, files, penalties, officials."""
    olga, elias = story.callers["olga"], story.callers["elias"]
    wanted = {"name": "Zarqa Cup", "rules": "eram", "cap": 2, "visibility": "code"}
    one = f"tournaments/{olga.post('tournaments/', wanted, 201)['slug']}/"
    olga.patch(one, {"description": "On Fridays.", "clock": {"play": 60}})
    olga.put(f"{one}officials/", {"assistants": ["amal"], "referees": ["basil"]})
    olga.put(f"{one}officials/", {"organisers": []}, 409)
    olga.post(f"{one}check-in/open/", {}, 409)
    olga.post(f"{one}open/")
    olga.patch(one, {"rules": "dananeer"}, 409)
    elias.patch(one, {"cap": 3}, 403)
    elias.put(f"{one}officials/", {"organisers": ["elias"]}, 403)
    code = olga.post(f"{one}code/")["join_code"]
    elias.post(f"{one}code/", {}, 403)
    olga.post("tournaments/amman-league/code/", {}, 409)
    elias.post(f"{one}entries/", {"code": "guess"}, 403)
    elias.post(f"{one}entries/", {"code": code}, 201)
    file = {"csv": "player,seed_rating\nbasil,1650\nكارلا,\nnobody,"}
    olga.post(f"{one}entries/import/", file | {"preview": True})
    olga.post(f"{one}entries/import/", file, 400)
    elias.post(f"{one}entries/import/", file, 403)
    file["csv"] = file["csv"].replace("nobody", "daoud")
    olga.post(f"{one}entries/import/", file, Idempotency_Key="file")
    olga.post(f"{one}entries/import/", file | {"preview": True}, 422, Idempotency_Key="file")
    olga.patch(f"{one}entries/basil/", {"seed_rating": 1700})
    olga.patch(f"{one}entries/basil/", {"seed_rating": -1}, 400)
    elias.patch(f"{one}entries/elias/", {"seed_rating": 3000}, 403)
    elias.get(f"{one}entries/?state=waiting")
    olga.post(f"{one}entries/daoud/admit/")
    olga.post(f"{one}entries/daoud/admit/", {}, 409)
    elias.post(f"{one}entries/elias/admit/", {}, 403)
    elias.post(f"{one}check-in/", {}, 409)
    olga.post(f"{one}check-in/open/")
    elias.post(f"{one}check-in/open/", {}, 403)
    elias.post(f"{one}check-in/")
    elias.post(f"{one}check-in/", {}, 409)
    elias.post(f"{one}check-in/", {"player": "basil"}, 403)
    elias.get(one)
    olga.post("tournaments/ramadan-cup/entries/import/", file, 409)
    _gone(story, one, code)
    _pairs(olga)
    _judged(olga, elias)
    _misfits(olga)


def _gone(story: Story, one: str, code: str) -> None:
    """Who is out, or never was in."""
    olga, carla = story.callers["olga"], story.callers["كارلا"]
    olga.post(f"{one}check-in/open/", {}, 409)
    olga.post(f"{one}withdraw/", {}, 404)
    olga.post(f"{one}entries/", {"player": "nobody"}, 404)
    olga.post(f"{one}entries/كارلا/disqualify/", {"reason": "Two accounts."})
    carla.post(f"{one}entries/", {"code": code}, 403)


def _pairs(olga: Caller) -> None:
    """Entries of two, in a tournament of fixed pairs."""
    wanted = {"name": "Double Cup", "rules": "cardkings-partners", "pairs": True}
    olga.post("tournaments/", wanted | {"rules": "eram"}, 400)
    one = f"tournaments/{olga.post('tournaments/', wanted, 201)['slug']}/"
    olga.post(f"{one}entries/", {"player": "amal"}, 400)
    olga.post(f"{one}entries/", {"player": "amal", "partner": "amal"}, 400)
    olga.post(f"{one}entries/", {"player": "amal", "partner": "كارلا"}, 201)
    olga.post(f"{one}entries/", {"player": "basil", "partner": "كارلا"}, 409)
    olga.patch(f"{one}entries/amal/", {"partner": "daoud"})


def _judged(olga: Caller, elias: Caller) -> None:
    """Penalties, bonuses and who is disqualified, in a tournament that runs."""
    one = f"tournaments/{olga.post('tournaments/', {'name': 'Irbid Cup', 'rules': 'eram'}, 201)['slug']}/"
    olga.post(f"{one}open/")
    for name in ("basil", "daoud", "elias"):
        olga.post(f"{one}entries/", {"player": name}, 201)
    olga.post(f"{one}entries/", {"player": "amal", "partner": "كارلا"}, 400)
    olga.post(f"{one}start/")
    late = {"player": "elias", "points": -1.5, "reason": "Came late."}
    olga.patch(f"{one}entries/basil/", {"seed_rating": 1500}, 409)
    given = olga.post(f"{one}penalties/", late, 201, Idempotency_Key="penalty")
    olga.post(f"{one}penalties/", late | {"points": -2}, 422, Idempotency_Key="penalty")
    olga.post(f"{one}penalties/", late | {"points": 0.1}, 400)
    elias.post(f"{one}penalties/", late, 403)
    olga.post("tournaments/ramadan-cup/penalties/", late, 409)
    revoke = f"{one}penalties/{given['id']}/revoke/"
    elias.post(revoke, {"reason": "I was there."}, 403)
    olga.post(revoke, {"reason": "He was there."})
    olga.post(revoke, {"reason": "He was there."}, 409)
    elias.get(f"{one}penalties/")
    disqualify = f"{one}entries/daoud/disqualify/"
    elias.post(disqualify, {"reason": "Slow."}, 403)
    olga.post(disqualify, {"reason": "Looked into a hand."})
    olga.post(disqualify, {"reason": "Looked into a hand."}, 409)
    olga.post(f"{one}rounds/", {}, 201)
    round_ = olga.post(f"{one}rounds/1/publish/")
    olga.post(f"{one}rounds/1/close/", {}, 409)
    table = f"{one}rounds/1/tables/1/"
    bot = next(seat["seat"] for seat in round_["tables"][0]["seats"] if seat["bot"])
    olga.post(f"{table}seats/{bot}/no-show/", {}, 409)
    olga.post(f"{table}result/", {"scores": [None, 50, -25, -25], "reason": "Three of us."}, 400)
    olga.post(f"{table}annul/", {"reason": "\u2060"}, 400)


def _misfits(olga: Caller) -> None:
    """What cannot be a tournament, and standings that there are not."""
    wanted = {"name": "Jenin Cup", "rules": "eram"}
    for field, value in (
        ("stages", [{"format": "knockout", "rounds": 3}]),
        ("metrics", ["luck"]),
        ("place_points", [1, 2, 3, 4]),
        ("bye_points", 1.1),
        ("weights", {"luck": 3}),
        ("time_zone", "Moon/Sea of Tranquility"),
        ("bot_level", "genius"),
    ):
        olga.post("tournaments/", wanted | {field: value}, 400)
    for query in ("stage=5", "group=9"):
        olga.get(f"tournaments/amman-league/standings/?{query}", 404)


def ratings(story: Story) -> None:
    from ratings import recalculations
    from ratings.services import rate_finished

    nobody = story.nobody
    seats = [story.players[name] for name in NAMES[:4]]
    rated = [finished(seats, totals) for totals in ((300, 100, -100, -300), (-50, 250, -150, -50))]
    rate_finished(since_ever=True)
    pool = next(pool["pool"] for pool in nobody.get("ratings/") if not pool["programs"])
    nobody.get(f"ratings/{pool}/?all=true")
    nobody.raw("GET", f"ratings/{pool}/?format=csv&all=true", b"", 200, {})
    nobody.get("players/amal/")
    nobody.get(f"players/amal/ratings/{pool}/history/")
    nobody.get(f"ratings/{pool}/distribution/?player=amal")
    nobody.get(f"ratings/{pool}/expected/?player=amal&player=basil&player=elias&player=olga")
    nobody.get(f"ratings/{pool}/expected/?player=amal&player=AMAL", 400)
    nobody.get("players/amal/against/basil/")
    nobody.get("players/amal/against/amal/", 400)
    nobody.get(f"matches/{rated[0].code}/rating/")
    nobody.get(f"matches/{story.match().code}/rating/")
    recalculations.annul([rated[1].ledger_match], story.players["olga"], "The cards were known.")
    recalculations.recalculate()
    nobody.get(f"ratings/{pool}/recalculations/?player=amal")
    nobody.get(f"matches/{rated[1].code}/rating/")


# What all operations refuse alike


def refusals(story: Story, schema: dict[str, Any]) -> None:
    """Ask every operation that the story has called for what the description says that it refuses."""
    reader = story.calls.of(story.players["amal"], [Scope.READ])
    for (method, template), call in story.calls.succeeded().items():
        operation = schema["paths"][template][method.lower()]
        documented = {int(status) for status in operation["responses"]}
        who = call.who if call.who in (*story.callers.values(), story.nobody) else story.callers["amal"]
        _without_a_token(story, call, {} in operation["security"])
        who.raw(method, call.url, b"", 406, {**who.headers, "Accept": "application/xml"})
        who.raw(method, f"{call.url.partition('?')[0]}?%00", b"", 400, who.headers)
        if 411 in documented:
            _bodies(who, call)
        if method == "GET":
            _queries(who, call, operation)
        if any(parameter["name"] == "format" for parameter in operation.get("parameters", ())):
            _unknown_format(who, call)
        if 404 in documented:
            _nothing_there(who, call, operation)
        if "with the scope" in operation["description"]:
            reader.raw(method, call.url, b"{}", 403, reader.headers)


def _without_a_token(story: Story, call: Call, public: bool) -> None:
    wrong = Caller(story.calls, "0123456789abcdef")
    wrong.raw(call.method, call.url, b"", 401, wrong.headers)
    with override_settings(THROTTLE_ADDRESS=1), mock.patch.object(throttling, "use", return_value=30.0):
        wrong.raw(call.method, call.url, b"", 429, wrong.headers)
    if not public:
        story.nobody.raw(call.method, call.url, b"", 401, {})


def _bodies(who: Caller, call: Call) -> None:
    who.raw(call.method, call.url, b'{"surprise": true}', 400, who.headers)
    who.raw(call.method, call.url, b"{", 400, who.headers)
    who.raw(call.method, call.url, b"", 411, who.headers, environ={"HTTP_TRANSFER_ENCODING": "chunked"})
    who.raw(call.method, call.url, b" " * (body_limit(call.url) + 1), 413, who.headers)
    who.raw(call.method, call.url, b"rules=eram", 415, who.headers, "application/x-www-form-urlencoded")


def _queries(who: Caller, call: Call, operation: dict[str, Any]) -> None:
    url = call.url.partition("?")[0]
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "query" and parameter["name"] != "format":
            a_name = parameter["name"] == "player" and parameter["schema"]["type"] == "string"
            status = 404 if a_name else 400  # Any text may be looked for as a name.
            who.raw(call.method, f"{url}?{parameter['name']}=-1x", b"", status, who.headers)


def _unknown_format(who: Caller, call: Call) -> None:
    who.raw(call.method, f"{call.url.partition('?')[0]}?format=xml", b"", 404, who.headers)


def _nothing_there(who: Caller, call: Call, operation: dict[str, Any]) -> None:
    address = call.url.partition("?")[0]
    body = b"" if call.request is None else json.dumps(call.request).encode()
    for value in call.path.values():
        other = call.url.replace(f"/{value}/", "/9999/" if isinstance(value, int) else "/nothing-there/", 1)
        who.raw(call.method, other, body, 404, who.headers)
    if any(parameter["name"] == "page" for parameter in operation.get("parameters", ())):
        who.raw(call.method, f"{address}?page=9999", b"", 404, who.headers)
