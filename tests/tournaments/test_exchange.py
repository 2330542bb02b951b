"""A tournament leaves as one document and comes back the same; a document that was changed does no harm."""

import copy
import io
import json
import random
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.reading import Replay, read_text
from games.models import Match, Player
from tests.games.play import play_out
from tests.tournaments.conftest import by_hand, draw_and_publish, play_round, swiss
from tournaments import selectors
from tournaments.models import AuditLog, Entry, Round, Table, TableResult, Tournament
from tournaments.seating import DrawInput, draw
from tournaments.services import entries, life, penalties, results, rounds
from tournaments.services.exports import export
from tournaments.services.imports import import_tournament
from trix_site.common.errors import ProblemError

pytestmark = pytest.mark.django_db


def exported(tournament: Tournament) -> Any:
    return json.loads("".join(export(slug=tournament.slug, actor=None)))


def imported(document: Any, actor: Player | None = None, **more: Any) -> Tournament:
    anyone = actor or Player.objects.get_or_create(username="importer")[0]
    return import_tournament(document, actor=anyone, **more)


def refused(call: Any) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        call()
    return caught.value


def standings(tournament: Tournament) -> list[Any]:
    """Of each stage that has begun: rank, names and values."""
    return [
        [(line.standing.rank, line.entry.name, line.standing.values) for line in lines]
        for stage in tournament.stages.filter(started_at__isnull=False)
        for lines in [selectors.standings_of(tournament, stage=stage)]
    ]


def comparable(document: Any) -> Any:
    """What must come back as it was: all but its own address and log, and the codes of its matches."""
    plain = copy.deepcopy(document)
    for name in ("slug", "exported_at", "log", "records", "officials"):
        del plain[name]
    for round_ in plain["rounds"]:
        for table in round_["tables"]:
            for result in table["results"]:
                result["match"] = result["record"] = None
    return plain


def seated(round_: Round) -> list[list[int | None]]:
    return [
        [seat.entry_id for seat in table.seats.order_by("index")]
        for table in round_.tables.order_by("number")
    ]


def check_same(original: Tournament, copy_: Tournament) -> None:
    assert standings(copy_) == standings(original)
    assert comparable(exported(copy_)) == comparable(exported(original))
    for round_ in copy_.rounds.all():
        edited = round_.version > 0
        if not edited and copy_.stages.get(pk=round_.stage_id).format == "swiss":
            groups = set(round_.tables.values_list("group", flat=True))  # Too small a group sits out.
            inputs = [stored for stored in round_.inputs if stored["group"] in groups]
            drawn = [draw(DrawInput.from_dict(stored)) for stored in inputs]
            assert [list(table) for each in drawn for table in each.tables] == seated(round_)


@pytest.fixture
def eventful(league, organiser, people) -> Tournament:
    """Two rounds with a correction, a penalty, an annulled table, a withdrawal and a late entry."""
    made = league(10, stages=swiss(3), description="دوري الجمعة", fill="byes", visibility="code")
    first = draw_and_publish(made)
    one, two = first.tables.order_by("number")
    by_hand(one, (-100, 50, 75, -25))
    by_hand(two, (300, 100, -100, -300))
    counting = two.results.get(superseded_at=None)
    by_hand(two, (100, 300, -100, -300), replaces=counting.pk, reason="العدّ كان خطأ")
    rounds.close_round(slug=made.slug, number=1, actor=organiser)
    penalties.give(slug=made.slug, actor=organiser, name="amal", points=Decimal("-1.5"), reason="late")
    entries.withdraw(slug=made.slug, actor=organiser, name="basil")
    people(11)
    entries.enter(slug=made.slug, actor=organiser, name="maha")
    second = draw_and_publish(made)
    for table in second.tables.all():
        by_hand(table)
    table = second.tables.get(number=1)
    results.annul(
        slug=made.slug, number=2, table_number=1, reason="a revoke", actor=organiser,
        replaces=table.results.get(superseded_at=None).pk,
    )  # fmt: skip
    rounds.close_round(slug=made.slug, number=2, actor=organiser)
    made.refresh_from_db()
    return made


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return {}


@pytest.fixture
def document(request, kept) -> Any:
    """That of the eventful tournament, made once: what does not fit is refused whatever rows are there."""
    if not kept:
        kept["document"] = exported(request.getfixturevalue("eventful"))
    return copy.deepcopy(kept["document"])


@pytest.fixture
def recorded(league) -> Tournament:
    """A round whose first table was played to its end here."""
    made = league(8)
    played = draw_and_publish(made)
    one, two = played.tables.order_by("number")
    assert one.match
    play_out(one.match)
    results.record_match(one.match.pk)
    by_hand(two)
    rounds.close_round(slug=made.slug, number=1, actor=None)
    return made


# There and back


def test_an_eventful_tournament_comes_back_the_same(eventful):
    check_same(eventful, imported(exported(eventful)))


def test_a_running_tournament_goes_on_after_its_import(eventful, organiser):
    made = imported(exported(eventful), organiser)
    assert made.slug != eventful.slug and list(made.organisers.all()) == [organiser]
    played = play_round(made)
    same = play_round(eventful)
    assert [[s.name for s in t.seats.all()] for t in played.tables.all()] == [
        [s.name for s in t.seats.all()] for t in same.tables.all()
    ]
    life.finish(slug=made.slug, actor=organiser)
    assert standings(made) == standings(eventful)


def test_records_of_played_tables_go_along_and_verify(recorded):
    made = imported(exported(recorded))
    check_same(recorded, made)
    results_of = TableResult.objects.filter(table__round__tournament=made, source="played")
    result = results_of.get()
    (replay,) = read_text(result.record)
    assert isinstance(replay, Replay) and replay.record.tags["Seed"]
    assert result.match is None and len(result.cards) == 64


def test_the_old_log_stays_and_cannot_be_taken_for_a_new_one(eventful, organiser):
    made = imported(exported(eventful), organiser)
    lines = list(made.log.order_by("pk"))
    assert (lines[0].action, lines[0].actor) == ("imported", organiser)
    old = list(eventful.log.order_by("pk"))
    assert [line.action for line in lines[1:]] == [f"imported_{line.action}" for line in old]
    assert [line.created_at for line in lines[1:]] == [line.created_at for line in old]
    assert [line.actor for line in lines[1:]] == [line.actor for line in old]


def test_a_table_can_be_corrected_and_replayed_after_the_import(eventful, organiser):
    made = imported(exported(eventful), organiser)
    table = Table.objects.get(round__tournament=made, round__number=1, number=2)
    by_hand(table, (0, 0, 0, 0), replaces=table.results.get(superseded_at=None).pk)
    assert table.results.count() == 3


def test_a_cancelled_tournament_is_exported_with_its_open_round(league):
    made = league(8)
    draw_and_publish(made)
    life.cancel(slug=made.slug, actor=None)
    made.refresh_from_db()
    check_same(made, imported(exported(made)))


def test_a_draft_and_a_registration_come_back(league):
    for state in ("draft", "registration"):
        made = league(5, state, name=state, cap=4)
        check_same(made, imported(exported(made)))


# What does not go along


def test_nothing_secret_is_in_it(eventful, recorded, organiser):
    Player.objects.update(email="amal@example.org")
    text = "".join(export(slug=eventful.slug, actor=organiser))
    assert eventful.join_code and eventful.join_code not in text
    assert "example.org" not in text and "password" not in text
    played = "".join(export(slug=recorded.slug, actor=organiser))
    both = Match.objects.filter(table__round__tournament__in=[eventful, recorded])
    told = {match.status for match in both if match.secret.hex() in text + played}
    assert told == {"finished"} and both.exclude(status="finished").exists()


def test_cards_that_are_still_played_elsewhere_are_not_told(league, organiser):
    made = league(8, same_cards=True)
    played = draw_and_publish(made)
    one, two = played.tables.order_by("number")
    by_hand(one, (-100, 50, 75, -25))
    Table.objects.filter(pk=two.pk).update(match=None)  # Played on beside the tournament.
    by_hand(Table.objects.get(pk=two.pk))
    rounds.close_round(slug=made.slug, number=1, actor=None)
    document = exported(made)
    assert document["records"] == {}
    assert one.match.secret.hex() not in json.dumps(document)


def test_it_is_refused_while_a_round_is_open(league, organiser, people):
    made = league(8)
    rounds.draw_round(slug=made.slug, actor=None)
    assert refused(lambda: exported(made)).code == "round_open"
    rounds.publish_round(slug=made.slug, number=1, actor=None)
    assert refused(lambda: exported(made)).code == "round_open"
    assert refused(lambda: export(slug=made.slug, actor=people(1)[0])).code == "not_organiser"


def test_it_is_refused_while_a_table_is_replayed(league, organiser):
    made = league(8)
    play_round(made)
    table = Table.objects.filter(round__tournament=made).first()
    known = table.results.get(superseded_at=None)
    results.replay_table(
        slug=made.slug,
        number=1,
        table_number=table.number,
        reason="again",
        actor=organiser,
        replaces=known.pk,
    )
    assert refused(lambda: exported(made)).code == "round_open"


# Accounts


def renamed(document: Any, old: str, new: str) -> Any:
    return json.loads(json.dumps(document).replace(f'"{old}"', f'"{new}"'))


def test_unknown_players_are_all_named_and_nothing_is_made(eventful):
    document = renamed(renamed(exported(eventful), "amal", "رانيا"), "dana", "zainab")
    error = refused(lambda: imported(document))
    assert (error.code, sorted(error.members["names"])) == ("no_such_player", ["zainab", "رانيا"])
    assert Tournament.objects.count() == 1


def test_names_are_led_to_accounts(eventful):
    document = renamed(exported(eventful), "amal", "رانيا")
    other = Player.objects.create_user("other")
    made = imported(document, players={"رانيا": "OTHER"})
    assert Entry.objects.filter(tournament=made, player=other).exists()
    assert [line[:1] + line[2:] for line in standings(made)[0]] == [
        line[:1] + line[2:] for line in standings(eventful)[0]
    ]
    assert refused(lambda: imported(document, players={"رانيا": "basil"})).code == "bad_export"
    assert refused(lambda: imported(document, players={"رانيا": "nobody"})).members["names"] == ["nobody"]


def test_missing_accounts_are_made_if_that_is_asked_for(eventful):
    document = renamed(exported(eventful), "amal", "رانيا")
    document["programs"] = ["رانيا"]
    made = imported(document, create_players=True)
    new = Player.objects.get(username="رانيا")
    assert new.is_bot and not new.has_usable_password()
    assert Entry.objects.filter(tournament=made, player=new).exists()


def test_who_only_ran_it_may_be_missing(eventful, organiser):
    document = renamed(exported(eventful), "olga", "nobody-here")
    made = imported(document, organiser)
    line = made.log.filter(action="imported_round_closed").first()
    assert (line.actor, line.data["by"]) == (None, "nobody-here")
    by_hand = TableResult.objects.filter(table__round__tournament=made).exclude(source="played")
    assert {result.entered_by for result in by_hand} == {organiser}


def test_an_address_that_is_taken_is_refused(eventful):
    document = exported(eventful)
    assert imported(document, slug="new-home").slug == "new-home"
    assert refused(lambda: imported(document, slug="new-home")).code == "slug_taken"


# Doors


def test_through_the_api(eventful, api, organiser):
    client = api(organiser)
    one = f"/api/v1/tournaments/{eventful.slug}/"
    answer = client.get(f"{one}export/")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{eventful.slug}.json"'
    document = json.loads(b"".join(answer.streaming_content))
    wanted = {"document": document, "slug": "again"}
    made = client.post("/api/v1/tournaments/import/", wanted)
    assert (
        made.status_code == 201 and made.json()["slug"] == "again" and made.json()["organisers"] == ["olga"]
    )
    assert client.post("/api/v1/tournaments/import/", wanted).json()["code"] == "slug_taken"
    document["entries"][0]["state"] = "lost"
    refusal = client.post("/api/v1/tournaments/import/", {"document": document}).json()
    assert (refusal["code"], refusal["problems"][0]["path"]) == ("bad_export", "entries[0].state")
    stranger = api(Player.objects.get(username="amal"))
    assert stranger.get(f"{one}export/").json()["code"] == "not_organiser"
    assert api(None).get(f"{one}export/").status_code == 401
    assert api(None).post("/api/v1/tournaments/import/", wanted).status_code == 401


def test_a_document_may_be_larger_than_other_bodies(eventful, api, organiser, settings):
    document = exported(eventful)
    document["log"] *= 1 + 3_000_000 // len(json.dumps(document["log"]))
    answer = api(organiser).post("/api/v1/tournaments/import/", {"document": document})
    assert answer.status_code == 201
    settings.API_DOCUMENT_LIMIT = 1_000_000
    answer = api(organiser).post("/api/v1/tournaments/import/", {"document": document})
    assert (answer.status_code, answer.json()["limit"]) == (413, 1_000_000)


def test_no_tournament_has_the_address_of_imports(organiser):
    assert life.create_tournament(actor=organiser, name="Import").slug.startswith("import-")
    taken = refused(lambda: life.create_tournament(actor=organiser, name="X", slug="import"))
    assert taken.code == "slug_taken"


def command(name: str, *words: str) -> str:
    out = io.StringIO()
    call_command(name, *words, stdout=out)
    return out.getvalue()


def test_by_commands(eventful, tmp_path):
    file = tmp_path / "دوري.json"
    file.write_text(command("export_tournament", eventful.slug))
    said = command(
        "import_tournament", str(file), "--organiser", "olga", "--slug", "moved", "--map", "amal=AMAL"
    )
    assert "moved" in said
    check_same(eventful, Tournament.objects.get(slug="moved"))
    file.write_text(json.dumps(renamed(json.loads(file.read_text()), "amal", "رانيا")))
    with pytest.raises(CommandError, match="رانيا"):
        command("import_tournament", str(file), "--organiser", "olga")
    command("import_tournament", str(file), "--organiser", "olga", "--create-players")
    assert Player.objects.filter(username="رانيا").exists()


@pytest.mark.parametrize(
    ("text", "more", "told"),
    [
        ("{", (), "not JSON"),
        ("[]", (), "JSON object"),
        ("{}", (), "format must be trix-tournament"),
        ("{}", ("--map", "x"), "OLD=NEW"),
        ("{}", ("--organiser", "nobody"), "no player"),
    ],
)
def test_commands_say_what_is_wrong(organiser, tmp_path, text, more, told):
    file = tmp_path / "file.json"
    file.write_text(text)
    with pytest.raises(CommandError, match=told):
        command("import_tournament", str(file), "--organiser", "olga", *more)
    with pytest.raises(CommandError, match="cannot be read"):
        command("import_tournament", str(tmp_path / "none"), "--organiser", "olga")
    with pytest.raises(CommandError, match="no tournament"):
        command("export_tournament", "nothing")


def test_at_the_desk(eventful, organiser, league):
    organiser.is_staff = True
    organiser.save()
    organiser.groups.add(Group.objects.get(name="Organisers"))
    client = Client()
    client.force_login(organiser)
    desk = f"/admin/tournaments/tournament/{eventful.pk}/desk/"
    assert "export/" in client.get(f"{desk}log/").content.decode()
    content = b"".join(client.get(f"{desk}export/").streaming_content)
    assert "import" in client.get("/admin/tournaments/tournament/").content.decode()
    form = "/admin/tournaments/tournament/import/"
    assert client.get(form).status_code == 200
    wrong = renamed(json.loads(content), "amal", "رانيا")
    page = client.post(form, {"file": io.BytesIO(json.dumps(wrong).encode())}).content.decode()
    assert "رانيا" in page and Tournament.objects.count() == 1
    for text, told in ((b"{", "not JSON"), (b"{}", "format must be")):
        assert told in client.post(form, {"file": io.BytesIO(text)}).content.decode()
    assert "name = account" in client.post(form, {"players": "x"}).content.decode()
    wanted = {"file": io.BytesIO(json.dumps(wrong).encode()), "players": "رانيا = amal", "slug": "moved"}
    assert "is imported" in client.post(form, wanted, follow=True).content.decode()
    check_same(eventful, Tournament.objects.get(slug="moved"))
    rounds.draw_round(slug=eventful.slug, actor=None)
    refusal = client.get(f"{desk}export/", follow=True).content.decode()
    assert "drop its draw first" in refusal


# Documents that were changed


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (["version"], 2, "version"),
        (["format"], "tabbycat", "format"),
        (["entries", 0, "player"], 5, "entries[0].player"),
        (["entries", 0, "state"], "lost", "entries[0].state"),
        (["rounds", 0, "tables", 0, "seats", 0, "entry"], 99, "rounds[0].tables[0].seats[0].entry"),
        (["rounds", 0, "tables", 1, "results", 1, "scores"], [1, 2, 3],
         "rounds[0].tables[1].results[1].scores"),
        (["rounds", 0, "state"], "published", "rounds[0].state"),
        (["rounds", 0, "stage"], 2, "rounds[0].stage"),
        (["rounds", 0, "tables", 1, "results", 1, "superseded_at"], "2026-01-01T00:00:00Z",
         "rounds[0].tables[1].results"),
        (["settings", "rules"], "chess", "settings"),
        (["stages", 0, "entrants", 0, "group"], 2, "stages[0].entrants[0].group"),
        (["seed"], None, "seed"),
    ],
)  # fmt: skip
def test_a_document_that_does_not_fit_is_refused_with_the_place(document, path, value, told):
    before = Tournament.objects.count()
    place: Any = document
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    error = refused(lambda: imported(document, create_players=True))
    assert (error.code, error.members["problems"][0]["path"]) == ("bad_export", told)
    assert Tournament.objects.count() == before


def test_a_second_of_a_pair_that_is_not_there_is_refused_in_the_stage_and_at_the_table(document):
    seat = document["rounds"][0]["tables"][0]["seats"][0]
    entrant = next(e for e in document["stages"][0]["entrants"] if e["entry"] == seat["entry"])
    entrant["entry"] = seat["entry"] = 99
    seat["member"] = 1
    paths = [problem["path"] for problem in refused(lambda: imported(document)).members["problems"]]
    assert any(path.startswith("stages[0].entrants") for path in paths)
    assert "rounds[0].tables[0].seats[0].entry" in paths


def test_a_result_that_is_not_that_of_its_record_is_refused(recorded):
    document = exported(recorded)
    document["rounds"][0]["tables"][0]["results"][0]["scores"] = [0, 0, 0, 0]
    problems = refused(lambda: imported(document)).members["problems"]
    assert problems[0]["path"] == "rounds[0].tables[0].results[0].record"


def test_a_match_has_one_result_or_a_small_document_would_be_stored_as_a_huge_one(eventful):
    document = exported(eventful)
    played, other = (table["results"][0] for table in document["rounds"][0]["tables"])
    played["match"] = other["match"] = "of-two"
    problem = refused(lambda: imported(document)).members["problems"][-1]
    assert problem["path"] == "rounds[0].tables[1].results[0].match"
    assert Tournament.objects.count() == 1


def test_a_plan_is_of_a_group_that_there_is(league):
    made = league(4, stages=[{"format": "round_robin", "rounds": 2}])
    play_round(made)
    document = exported(made)
    plan = document["stages"][0]["plan"]
    for other in ("0", "01", "2", "99999"):
        document["stages"][0]["plan"] = plan | {other: plan["1"]}
        problem = refused(lambda: imported(document)).members["problems"][0]
        assert problem == {"path": f"stages[0].plan.{other}", "wanted": "must be of one of 1 groups"}


ODD: list[Any] = [
    None, 0, -1, 1, 2, 3, 10**12, 1.5, "", "x", "amal", "played", "closed", "swiss", "arena", "\u202e", "\0",
    True, [], {}, [None], [[1, 2]], {"1": None}, "2026-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00",
]  # fmt: skip


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document: what holds it, and its key or index."""
    found = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        inside = list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder))
        found += [(holder, key) for key, _ in inside]
        waiting += [each for _, each in inside if isinstance(each, dict | list)]
    return found


@pytest.fixture
def whole(eventful) -> Any:
    return exported(eventful)


def change(document: Any, rng: random.Random) -> None:
    """One change by chance: a value odd or from elsewhere, something gone, or something twice."""
    holder, key = rng.choice(places(document))
    match rng.randrange(4):
        case 0:
            holder[key] = copy.deepcopy(rng.choice(ODD))
        case 1:
            other, at = rng.choice(places(document))
            holder[key] = copy.deepcopy(other[at])
        case 2:
            del holder[key]
        case 3 if isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))


def check_readable(made: Tournament, client: Any) -> None:
    """Whatever was imported can be looked at and played on; refusals are refusals."""
    one = f"/api/v1/tournaments/{made.slug}/"
    pages = [
        "",
        "entries/",
        "standings/",
        "rounds/",
        "log/",
        *(f"rounds/{r.number}/" for r in made.rounds.all()),
    ]
    for page in pages:
        assert client.get(one + page).status_code == 200, page
    for step in ("rounds/", "finish/"):
        assert client.post(one + step, {}).status_code < 500, step
    if not made.rounds.exclude(state="closed").exists():
        exported(made)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32), changes=st.integers(1, 3))
def test_a_document_changed_by_chance_is_refused_or_does_no_harm(whole, organiser, api, seed, changes):
    rng = random.Random(seed)
    document = copy.deepcopy(whole)
    for _ in range(changes):
        change(document, rng)
    with transaction.atomic():
        try:
            check_readable(imported(document, organiser), api(organiser))
        except ProblemError as refusal:
            assert refusal.status in (400, 404, 409)
            assert Tournament.objects.count() == 1 and not AuditLog.objects.filter(action="imported").exists()
        transaction.set_rollback(True)
