"""Who deletes his account is gone: results stay, under a name that says nothing."""

import re
from threading import Event
from time import monotonic

import pytest
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from games import signals, tasks
from games.models import (
    ApiToken,
    ChatMessage,
    ChatReport,
    IdempotentAnswer,
    Invitation,
    Match,
    Mute,
    Player,
    Seat,
    Webhook,
)
from games.services import chat, closing, matches, webhooks
from tests.games.play import act, bots_play_deals, secret_where, state_of
from tests.games.test_races import at_once, somebody_waits
from tournaments.models import Entry
from tournaments.services import entries, life
from tournaments.tasks import sweep as sweep_tournaments
from trix_site.common.errors import Conflict

PASSWORD = "seven of hearts"
ANONYMOUS = re.compile(r"deleted-[0-9A-Za-z]{10}")


@pytest.fixture
def amal(cast):
    cast[0].set_password(PASSWORD)
    cast[0].email = "amal@trix.example"
    cast[0].save()
    return cast[0]


@pytest.fixture
def delete(api, amal, django_capture_on_commit_callbacks):
    """Amal deletes her account; what follows the commit is done."""

    def call(password=PASSWORD):
        with django_capture_on_commit_callbacks(execute=True):
            return api(amal).delete("account/", password=password)

    return call


def test_nothing_of_the_account_stays_but_that_there_was_one(api, amal, delete):
    client = api(amal)
    amal.groups.add(Group.objects.create(name="Friends"))
    answer = delete()
    assert (answer.status_code, answer.content) == (204, b"")
    amal.refresh_from_db()
    assert ANONYMOUS.fullmatch(amal.username)
    assert (amal.email, amal.is_active, amal.has_usable_password()) == ("", False, False)
    assert amal.closed_at is not None
    assert not amal.groups.exists()
    assert client.get("account/").status_code == 401
    assert api().post("auth/tokens/", username="amal", password=PASSWORD).status_code == 401
    assert not ApiToken.objects.filter(user=amal).exists()


def test_it_takes_the_password(amal, delete):
    assert delete("?").json()["code"] == "wrong_password"
    assert delete(None).status_code == 400
    amal.refresh_from_db()
    assert (amal.username, amal.closed_at) == ("amal", None)


def test_the_name_is_free_again_and_nobody_takes_one_of_the_deleted(api, amal, delete):
    delete()
    amal.refresh_from_db()
    assert api().post("auth/register/", username="amal", password=PASSWORD).status_code == 201
    for name in ("deleted-x", "DELETED-X", "ｄｅｌｅｔｅｄ-x", amal.username):
        answer = api().post("auth/register/", username=name, password=PASSWORD)
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["username"]), name
    with pytest.raises(ValidationError, match="was deleted"):
        Player(username="deleted-x", password="x").full_clean()
    amal.full_clean()


def test_what_others_said_stays_and_what_the_account_said_goes(api, cast, match, amal, delete):
    basil = cast[1]
    said = ChatMessage.objects.create(match=match, author=basil, text="Salaam")
    ChatMessage.objects.create(match=match, author=amal, text="I am Amal of Amman")
    ChatReport.objects.create(message=said, reporter=amal)
    Mute.objects.create(player=amal, muted=basil)
    Mute.objects.create(player=basil, muted=amal)
    Webhook.objects.create(owner=amal, topic="account", url="https://amal.example/")
    IdempotentAnswer.objects.create(player=amal, key="k", request=b"", answer="amal")
    opened = matches.open_match(player=basil, rules="eram", options={})
    Invitation.objects.create(match=opened, player=amal, invited_by=basil)
    delete()
    assert [message.text for message in ChatMessage.objects.all()] == ["Salaam"]
    assert ChatReport.objects.get().reporter is None
    for model in (Mute, Webhook, IdempotentAnswer, Invitation):
        assert not model.objects.exists(), model


def test_results_stay_under_the_anonymous_name(api, match, amal, delete, cast):
    bots_play_deals(match)
    match.refresh_from_db()
    before = match.totals
    delete()
    seen = api(cast[1]).get(f"matches/{match.code}/").json()
    assert ANONYMOUS.fullmatch(seen["seats"][0]["player"]["name"])
    assert list(seen["totals"].values()) == before
    record = api().get(f"matches/{match.code}/record/").content.decode()
    assert "amal" not in record
    assert ANONYMOUS.search(record)


def test_a_bot_plays_on_at_running_tables(match, amal, delete):
    act(match)
    delete()
    seat = Seat.objects.get(match=match, player=amal)
    assert seat.away_since is not None
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_open_tables_are_left_and_ones_own_are_closed(cast, amal, delete):
    mine = matches.open_match(player=amal, rules="eram", options={})
    basils = matches.open_match(player=cast[1], rules="eram", options={})
    matches.join(match_code=basils.code, player=amal)
    delete()
    mine.refresh_from_db()
    assert mine.status == Match.Status.CANCELLED
    assert [seat.player for seat in basils.seats.all()] == [cast[1]]


def test_tournaments_are_withdrawn_from(cast, amal, delete):
    league = life.create_tournament(actor=cast[1], name="League", rules="cardkings")
    over = life.create_tournament(actor=cast[1], name="Over", rules="cardkings")
    for tournament in (league, over):
        entries.enter_many(slug=tournament.slug, actor=cast[1], names=["amal", "basil"])
    life.cancel(slug=over.slug, actor=cast[1])
    delete()
    assert Entry.objects.get(tournament=league, player=amal).state == Entry.State.WITHDRAWN
    assert Entry.objects.get(tournament=over, player=amal).state == Entry.State.ACTIVE
    assert ANONYMOUS.fullmatch(league.log.get(action="withdrawn").data["player"])


def test_the_only_organiser_of_what_is_not_over_cannot_go(cast, amal, delete):
    league = life.create_tournament(actor=amal, name="League", rules="cardkings")
    answer = delete()
    assert (answer.status_code, answer.json()["code"]) == (409, "organises_running")
    assert answer.json()["tournaments"] == ["League"]
    amal.refresh_from_db()
    assert amal.username == "amal"
    league.organisers.add(cast[1])
    assert delete().status_code == 204
    assert list(league.organisers.all()) == [cast[1]]


def test_an_organiser_of_what_is_over_can_go(amal, delete):
    league = life.create_tournament(actor=amal, name="League", rules="cardkings")
    life.cancel(slug=league.slug, actor=amal)
    assert delete().status_code == 204


def test_the_last_superuser_cannot_go(amal, delete):
    Player.objects.filter(pk=amal.pk).update(is_superuser=True, is_staff=True)
    assert delete().json()["code"] == "last_superuser"
    Player.objects.create_superuser("root")
    assert delete().status_code == 204
    amal.refresh_from_db()
    assert not (amal.is_superuser or amal.is_staff)


def test_what_a_lost_process_left_is_done_by_the_sweeps(cast, match, amal, api):
    """A request that was let in a moment before may sit down after the account is gone, too."""
    league = life.create_tournament(actor=cast[1], name="League", rules="cardkings")
    entries.enter_many(slug=league.slug, actor=cast[1], names=["amal"])
    Webhook.objects.create(owner=amal, topic="account", url="https://amal.example/")
    api(amal).delete("account/", password=PASSWORD)  # Nothing follows the commit.
    late = matches.open_match(player=cast[1], rules="eram", options={})
    matches.join(match_code=late.code, player=amal)
    tasks.sweep_closed()
    sweep_tournaments()
    assert Seat.objects.get(match=match, player=amal).away_since is not None
    assert not late.seats.filter(player=amal).exists()
    assert Entry.objects.get(player=amal).state == Entry.State.WITHDRAWN
    assert not Webhook.objects.exists()
    assert closing.closed_with_rest() == []


def test_a_table_that_cannot_be_left_keeps_the_sweep_from_no_other(cast, api, amal, monkeypatch):
    tables = [matches.open_match(player=cast[1], rules="eram", options={}) for _ in range(2)]
    for table in tables:
        matches.join(match_code=table.code, player=amal)
    api(amal).delete("account/", password=PASSWORD)  # Nothing follows the commit.

    def fail_once(**where):
        monkeypatch.setattr(closing, "leave", matches.leave)
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(closing, "leave", fail_once)
    tasks.sweep_closed()
    assert Seat.objects.filter(player=amal).count() == 1


def test_whom_the_admin_shuts_out_keeps_name_and_seat(amal, match):
    """That is not for good, and nobody asked for it to be forgotten."""
    Player.objects.filter(pk=amal.pk).update(is_active=False)
    tasks.sweep_closed()
    assert Seat.objects.get(match=match, player=amal).away_since is None


def test_a_receiver_that_fails_keeps_nobody_from_going(amal, delete, match):
    def fail(**_):
        raise RuntimeError("nobody foresaw this")

    signals.account_closed.connect(fail)
    try:
        assert delete().status_code == 204
    finally:
        signals.account_closed.disconnect(fail)
    assert Seat.objects.get(match=match, player=amal).away_since is not None


def test_it_is_for_good(amal, delete):
    delete()
    for change in ({"is_active": True}, {"closed_at": None}, {"username": "amal"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.filter(pk=amal.pk).update(**change)
    with pytest.raises(IntegrityError, match="stays so"), transaction.atomic():
        amal.save()  # As it was read before.
    browser = Client()
    browser.force_login(Player.objects.create_superuser("root"))
    assert browser.get(f"/admin/games/player/{amal.pk}/change/").status_code == 200
    for page in ("change", "password"):
        answer = browser.post(f"/admin/games/player/{amal.pk}/{page}/", {"username": "amal"})
        assert answer.status_code == 403, page


@pytest.mark.django_db(transaction=True)
def test_a_move_of_the_same_moment_loses_nothing_and_the_bot_has_the_seat():
    """Whichever comes first: the move counts or is refused, and nobody waits for the one who left."""
    cast = [Player.objects.create_user(name, password=PASSWORD) for name in ("amal", "basil", "dana", "eli")]
    for _ in range(5):
        player = Player.objects.create_user(f"zaid{_}", password=PASSWORD)
        match = matches.create_match(
            rules="dananeer", options={}, seats=[player, *cast[1:]], secret=secret_where(owner=0)
        )
        at_once(
            [
                lambda match=match: act(match),
                lambda player=player: closing.close_account(player=player, password=PASSWORD),
            ]
        )
        assert state_of(match).version in (0, 1)
        tasks.sweep_closed()
        assert match.seats.get(index=0).away_since is not None


@pytest.mark.django_db(transaction=True)
def test_who_holds_a_lock_of_the_account_waits_for_no_one():
    """Deleting locks the account and then no match; a move locks a match and points at the account."""
    cast = [Player.objects.create_user(name, password=PASSWORD) for name in ("amal", "basil", "dana", "eli")]
    tables = [matches.open_match(player=cast[1], rules="eram", options={}) for _ in range(4)]
    at_once(
        [lambda table=table: matches.join(match_code=table.code, player=cast[0]) for table in tables]
        + [lambda: closing.close_account(player=cast[0], password=PASSWORD)]
    )
    tasks.sweep_closed()
    assert Player.objects.get(pk=cast[0].pk).closed_at
    assert not Seat.objects.filter(player=cast[0]).exists()


@pytest.fixture
def amals_table(transactional_db):
    """Amal is invited to Basil's table."""
    basil, amal = (Player.objects.create_user(name, password=PASSWORD) for name in ("basil", "amal"))
    return matches.open_match(player=basil, rules="eram", options={}, invite=["amal"]), amal


def in_the_middle_of(work, amal):
    """Amal's account is deleted in the middle of a transaction: `work` gets what waits until the one holds up
    the other.
    """
    begun = Event()

    def waits():
        begun.set()
        until = monotonic() + 30
        while not somebody_waits() and monotonic() < until:
            pass

    def work_on():
        with transaction.atomic():
            work(waits)

    def delete():
        assert begun.wait(30)
        closing.close_account(player=amal, password=PASSWORD)

    at_once([work_on, delete])
    assert Player.objects.get(pk=amal.pk).closed_at


def test_a_deletion_and_the_invited_who_sits_down_do_not_wait_for_each_other(amals_table):
    """The seat points at the account, and takes the invitation away: once a deadlock."""
    match, amal = amals_table

    def join(waits):
        matches.join(match_code=match.code, player=amal)
        waits()

    in_the_middle_of(join, amal)


def test_nor_do_a_deletion_and_a_table_that_starts_once_the_invited_sits_there(amals_table):
    match, amal = amals_table
    Webhook.objects.create(owner=amal, topic="account", url="https://amal.example/")

    def join(waits):
        matches.join(match_code=match.code, player=amal)
        waits()
        matches.start(match_code=match.code, player=match.created_by)

    in_the_middle_of(join, amal)


def test_nor_do_a_deletion_and_staff_who_hide_what_was_said(amals_table, monkeypatch):
    match, amal = amals_table
    matches.join(match_code=match.code, player=amal)
    said = chat.say(match_code=match.code, player=amal, text="I am Amal of Amman")
    chat.report(match_code=match.code, player=match.created_by, message_id=said.pk)

    def hide(waits):
        settle = chat.settle
        monkeypatch.setattr(chat, "settle", lambda reports: (waits(), settle(reports)))
        chat.hide(ChatReport.objects.all())

    in_the_middle_of(hide, amal)
    assert not ChatMessage.objects.exists()


def test_what_is_being_said_as_the_account_is_deleted_goes_with_it(amals_table):
    match, amal = amals_table
    matches.join(match_code=match.code, player=amal)
    matches.start(match_code=match.code, player=match.created_by)

    def say(waits):
        chat.say(match_code=match.code, player=amal, text="I am Amal of Amman")
        waits()

    in_the_middle_of(say, amal)
    assert not ChatMessage.objects.exists()
    with pytest.raises(Conflict, match="closed"):
        chat.say(match_code=match.code, player=amal, text="I was Amal of Amman")


def test_a_table_that_is_being_opened_as_the_account_is_deleted_is_closed(amals_table):
    """And none is opened after that."""
    _, amal = amals_table
    made = []

    def open_one(waits):
        made.append(matches.open_match(player=amal, rules="eram", options={}))
        waits()

    in_the_middle_of(open_one, amal)
    assert Match.objects.get(pk=made[0].pk).status == Match.Status.CANCELLED
    with pytest.raises(Conflict, match="closed"):
        matches.open_match(player=amal, rules="eram", options={})


def test_nor_do_a_deletion_and_news_of_a_round_for_two_webhooks_of_the_account(amals_table):
    """A round that is published tells players of their matches, and then the tournament's webhooks."""
    _, amal = amals_table
    for topic in ("tournament/1", "account"):
        Webhook.objects.create(owner=amal, topic=topic, url="https://amal.example/")

    def publish(waits):
        webhooks.emit_to_players([amal.pk], "match_started", {})
        waits()
        webhooks.emit("tournament/1", "round_published", {})

    in_the_middle_of(publish, amal)
    assert not Webhook.objects.exists()
