"""The desk's pages of players, files, penalties and officials."""

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Player
from tests.tournaments.conftest import play_round
from tests.tournaments.test_admin import LIST, desk, words
from tests.tournaments.test_entries import PAIRS, states
from tournaments.models import Entry, Penalty
from tournaments.services import check_in, entries, life

pytestmark = pytest.mark.django_db


def test_ten_thousand_entries_are_shown_page_by_page_with_as_many_queries_as_few(staff, league):
    made = league(0, "registration")
    Player.objects.bulk_create(Player(username=f"p{number:04}") for number in range(300))

    def queries(names: list[str]) -> int:
        entries.enter_many(slug=made.slug, actor=None, names=names)
        with CaptureQueriesContext(connection) as asked:
            words(staff, desk(made, "players/"))
        return len(asked)

    few = queries([f"p{number:04}" for number in range(60)])
    assert queries([f"p{number:04}" for number in range(60, 300)]) == few
    first, last = words(staff, desk(made, "players/")), words(staff, desk(made, "players/?page=6"))
    assert "Page 1 of 6" in first and "p0000" in first and "p0299" not in first
    assert "p0299" in last and "All (300)" in last


def test_the_list_is_narrowed_to_a_name_and_a_state(staff, league, people):
    made = league(6, "registration", cap=4)
    waiting = words(staff, desk(made, "players/?state=waiting"))
    assert "ghada" in waiting and "farid" not in waiting and "On the waiting list (2)" in waiting
    named = words(staff, desk(made, "players/?q=AMA"))
    assert "amal" in named and "farid" not in named
    assert "Nobody like that" in words(staff, desk(made, "players/?q=zz&state=active"))
    for odd in ("?state=odd", "?page=x", "?page=-1", "?q=%25", "?state=absent"):
        assert staff.get(desk(made, f"players/{odd}")).status_code == 200


def test_who_waits_is_admitted_and_the_list_stays_where_it_was(staff, league):
    made = league(5, "registration", cap=4)
    response = staff.post(desk(made, "players/admit/"), {"name": "ghada", "at": "state=waiting&q=gh"})
    assert response.url.endswith("/players/?state=waiting&q=gh")
    assert states(made)["ghada"] == "active"
    assert "is not on the waiting list" in words(staff, desk(made, "players/admit/"), name="ghada")
    away = staff.post(desk(made, "players/admit/"), {"name": "ghada", "at": "//evil.example/\r\nX: y"})
    assert away.url.startswith(LIST)


def test_check_in_is_opened_and_done_by_officials(staff, league, people):
    made = league(4, "registration")
    assert "Open the check-in" in words(staff, desk(made))
    assert "withdrawn when it starts" in words(staff, desk(made, "step/check-in/"), number="")
    assert "The check-in is open." in words(staff, desk(made, "step/check-in/"), confirmed=1)
    assert "Open the check-in" not in words(staff, desk(made))
    assert "amal has checked in." in words(staff, desk(made, "players/check-in/"), name="amal")
    absent = words(staff, desk(made, "players/?state=absent"))
    assert "Not checked in (3)" in absent and "basil" in absent and '<bdi class="strong">amal' not in absent
    check_in.check_in(slug=made.slug, actor=people(2)[1])
    words(staff, desk(made, "step/start/"), confirmed=1)
    assert list(states(made).values()) == ["active", "active", "withdrawn", "withdrawn"]


def test_an_entry_has_a_page_with_its_seed_rating(staff, league):
    made = league(2, "registration")
    page = desk(made, f"players/{made.entries.get(player__username='amal').pk}/")
    assert "amal is changed." in words(staff, page, change=1, seed_rating="1650.5")
    assert made.entries.get(player__username="amal").seed_rating == 1650.5
    assert "A seed rating is a number" in words(staff, page, change=1, seed_rating="-1")
    assert "Enter a number" in words(staff, page, change=1, seed_rating="high")
    assert staff.get(desk(made, "players/0/")).status_code == 404
    other = league(1, "registration", name="Other").entries.get()
    assert staff.get(desk(made, f"players/{other.pk}/")).status_code == 404


def test_a_player_is_disqualified_for_a_reason_and_brought_back(staff, league):
    made = league(4)
    page = desk(made, f"players/{made.entries.get(player__username='amal').pk}/")
    assert "This field is required" in words(staff, page, disqualify=1, reason="")
    assert states(made)["amal"] == "active"
    assert "amal is disqualified." in words(staff, page, disqualify=1, reason="insults")
    assert states(made)["amal"] == "disqualified"
    assert "Bring back" in words(staff, desk(made, "players/"))
    assert "amal: active." in words(staff, desk(made, "players/enter/"), name="amal")


def test_pairs_are_entered_and_brought_back_as_pairs(staff, league, people):
    people(4)
    made = league(0, "registration", **PAIRS)
    assert "Enter a pair" in words(staff, desk(made, "players/"))
    assert "amal &amp; basil: active." in words(
        staff, desk(made, "players/enter/"), name="amal", partner="basil", seed_rating="1500"
    )
    assert "partner: This field" in words(staff, desk(made, "players/enter/"), name="dana")
    assert "basil has entered" in words(staff, desk(made, "players/enter/"), name="dana", partner="basil")
    words(staff, desk(made, "players/withdraw/"), name="basil", confirmed=1)
    assert 'name="partner" value="basil"' in words(staff, desk(made, "players/"))
    page = desk(made, f"players/{made.entries.get().pk}/")
    words(staff, desk(made, "players/enter/"), name="amal", partner="basil")
    assert "is changed" in words(staff, page, change=1, partner="farid", seed_rating="")
    assert states(made) == {"amal & farid": "active"}


def test_the_code_is_shown_and_renewed(staff, league):
    made = league(0, "registration", visibility="code")
    assert made.join_code in words(staff, desk(made, "players/"))
    page = words(staff, desk(made, "players/code/"), at="")
    assert made.join_code not in page and "There is a new code" in page


def test_a_pasted_file_is_looked_at_first(staff, league, people):
    people(20)
    made, page = league(0, "registration", cap=2), "players/file/"
    seen = words(staff, desk(made, page), text="player,seed_rating\namal,1\nأمينه,\nbasil,x")
    assert "2 lines cannot be entered" in seen and "<bdi>أمينه" in seen and "such as 1650.5" in seen
    assert "Enter all of them" not in seen and "amal,1" in seen
    good = "player,seed_rating\namal,1\nأمينة,\nbasil,5"
    seen = words(staff, desk(made, page), text=good)
    assert "3 can be entered" in seen and "1 of them will be on the waiting list" in seen
    assert not made.entries.exists()
    assert "Entered: 3." in words(staff, desk(made, page), text=good, confirmed=1)
    assert "nobody was entered; line 2: amal has entered" in words(
        staff, desk(made, page), text=good, confirmed=1
    )


def test_an_uploaded_file_is_read_and_anything_else_refused(staff, league, people):
    people(2)
    made, page = league(0, "registration"), "players/file/"

    def upload(content: bytes) -> str:
        return words(staff, desk(made, page), file=SimpleUploadedFile("players.csv", content))

    assert "2 can be entered" in upload("\ufeffplayer;\r\namal;\r\nbasil;".replace(";", "").encode())
    assert "not UTF-8" in upload("player\nأمينة".encode("cp1256"))
    assert "too large" in upload(b"player\n" + b"\n" * 2_000_000)
    assert "submitted file is empty" in upload(b"")
    assert "Paste a text" in words(staff, desk(made, page), text="")
    assert "<script>" not in words(staff, desk(made, page), text="player\n<script>")


def test_penalties_are_given_and_revoked(staff, league):
    made = league(4)
    play_round(made)
    page = desk(made, "penalties/")
    assert 'value="amal"' in words(staff, f"{page}?player=amal")
    assert "-1.5 for amal counts" in words(staff, page, name="amal", points="-1.5", reason="came late")
    assert "Points are whole quarters" in words(staff, page, name="amal", points="0.3", reason="x")
    assert "no player named" in words(staff, page, name="nobody", points="1", reason="x")
    assert "Enter a number" in words(staff, page, name="amal", points="some", reason="x")
    assert "Points are" in words(staff, page, name="amal", points="0", reason="x")
    penalty = Penalty.objects.get()
    assert "came late" in words(staff, desk(made, f"players/{penalty.entry_id}/"))
    revoke = desk(made, f"penalties/{penalty.pk}/revoke/")
    assert "Say why" in words(staff, revoke, reason="")
    assert "It counts no more." in words(staff, revoke, reason="he was there")
    assert "revoked already" in words(staff, revoke, reason="again")


def test_an_organiser_names_who_runs_it(staff, league, people, organiser):
    made = league(2)
    page = desk(made, "officials/")
    assert "olga" in words(staff, page)
    told = words(staff, page, organisers="olga", assistants="amal، أمينة", referees="")
    assert "There is no player named أمينة;" in told and not made.assistants.exists()
    people(20)
    assert "These run it" in words(staff, page, organisers="olga", assistants="amal، أمينة", referees="")
    assert made.assistants.count() == 2
    assert "This field is required" in words(staff, page, organisers="")
    assert "Somebody must be left" in words(staff, page, organisers=" , ;")
    gone = staff.post(page, {"organisers": "amal", "assistants": "", "referees": ""})
    assert gone.url == LIST
    assert staff.get(page).status_code == 404


def test_an_assistant_at_the_desk_runs_it_and_a_referee_judges(league, people, organiser):
    made, (amal, basil) = league(4), people(2)
    life.name_officials(slug=made.slug, actor=organiser, assistants=["amal"], referees=["basil"])
    clients = []
    for player in (amal, basil):
        player.is_staff = True
        player.save()
        player.groups.add(Group.objects.get(name="Organisers"))
        clients.append(Client())
        clients[-1].force_login(player)
    assistant, referee = clients
    give = {"name": "dana", "points": "1", "reason": "x"}
    assert "Only an organiser or referee" in words(assistant, desk(made, "penalties/"), **give)
    assert "counts from now on" in words(referee, desk(made, "penalties/"), **give)
    out = desk(made, "players/withdraw/")
    assert "Only an organiser or assistant" in words(referee, out, name="dana", confirmed=1)
    assert "dana has withdrawn." in words(assistant, out, name="dana", confirmed=1)
    assert "Only an organiser of" in words(assistant, desk(made, "officials/"), organisers="amal")


def test_every_new_page_opens_in_every_state(staff, league, organiser):
    for state in ("draft", "registration", "running"):
        made = league(3, state, name=state)
        one = Entry.objects.filter(tournament=made).first()
        assert one is not None
        for page in ("players/", f"players/{one.pk}/", "players/file/", "penalties/", "officials/"):
            assert staff.get(desk(made, page)).status_code == 200, (state, page)
    life.cancel(slug=made.slug, actor=organiser)
    for page in ("players/", f"players/{one.pk}/", "players/file/", "penalties/", "officials/"):
        assert staff.get(desk(made, page)).status_code == 200, page
