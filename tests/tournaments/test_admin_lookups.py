"""The admin's lists tell no more than they show, whatever is asked of them in the address."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from games.admin import FiltersOnly
from games.models import ApiToken, Delivery, Match, Player, Webhook
from ratings.models import LedgerMatch, Rating, RatingChange
from tests.tournaments.conftest import draw_and_publish
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

LISTED: tuple[Any, ...] = (
    Match, Player, ApiToken, Webhook, Delivery, Tournament, Rating, RatingChange, LedgerMatch,
)  # fmt: skip
LOOKUPS = ("", "__gte", "__startswith", "__regex", "__isnull")
VALUES = ("1", "a", "\xc9", "[", "9" * 5000)


@pytest.fixture(params=["organiser", "superuser"])
def staff(request, organiser) -> Client:
    organiser.is_staff = True
    organiser.is_superuser = request.param == "superuser"
    organiser.save()
    organiser.groups.add(Group.objects.get(name="Organisers"))
    client = Client()
    client.force_login(organiser)
    return client


def list_of(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def fields_of(model: Any) -> list[str]:
    """Every name that a lookup could begin with, relations from elsewhere included."""
    return [field.name for field in model._meta.get_fields(include_hidden=True)]


def filters_of(model: Any) -> set[Any]:
    filters: Any = admin.site._registry[model].list_filter
    return {each[0] if isinstance(each, tuple) else each for each in filters}


@pytest.mark.parametrize("model", LISTED)
def test_only_what_a_list_shows_as_its_filters_narrows_it(staff, league, model):
    draw_and_publish(league(4))
    for name in fields_of(model):
        for number, lookup in enumerate(LOOKUPS):
            if lookup == "" and name in filters_of(model):
                continue  # A filter without its usual ending.
            answer = staff.get(list_of(model), {name + lookup: VALUES[number % len(VALUES)]})
            if lookup == "__isnull" and name in filters_of(model):
                assert answer.status_code in (200, 302, 403)
            else:
                assert answer.status_code in (400, 403), (name + lookup, answer.status_code)


@pytest.mark.parametrize(
    "lookup",
    ["secret__startswith", "secret__regex", "secret", "join_code", "commitment__gt",
     "seats__player__password",
     "created_by__password__startswith", "created_by__auth_token_set__digest__startswith", "deals__actions",
     "table__round__seed", "table__round__tournament__seed__gte", "status__regex", "rules__startswith"],
)  # fmt: skip
def test_no_lookup_reaches_a_secret_of_a_match(staff, league, lookup):
    draw_and_publish(league(4))
    assert staff.get(list_of(Match), {lookup: "a"}).status_code == 400


@pytest.mark.parametrize("query", [{"o": "99"}, {"o": "-secret"}, {"o": "9" * 5000}, {"p": "9" * 5000}])
def test_an_odd_order_or_page_is_the_usual_list(staff, league, query):
    draw_and_publish(league(4))
    assert staff.get(list_of(Match), query).context["cl"].result_count == 1


def test_a_match_is_not_found_by_a_field_of_the_callers_choice(staff, league):
    match = draw_and_publish(league(4)).tables.get().match
    change = reverse("admin:games_match_change", args=[match.commitment])
    assert staff.get(change, {"_to_field": "commitment"}).status_code == 400
    assert staff.get(list_of(Match), {"_to_field": "secret"}).status_code == 400


def test_filters_narrow_their_lists(staff, league):
    draw_and_publish(league(4))
    for model, query in (
        (Match, {"status__exact": "running", "rated__exact": "1", "rules": "cardkings-complex"}),
        (Tournament, {"state__exact": "running", "rules": "cardkings-complex"}),
    ):
        assert staff.get(list_of(model), query).context["cl"].result_count == 1
    assert staff.get(list_of(Match), {"status__exact": "finished"}).context["cl"].result_count == 0
    assert staff.get(list_of(Rating), {"standing": "established"}).status_code == 200
    assert staff.get(list_of(Rating), {"pool__id__exact": "x"}).status_code == 302


def test_every_list_is_guarded_and_none_is_searched_by_a_secret():
    for model, model_admin in admin.site._registry.items():
        assert isinstance(model_admin, FiltersOnly), model
        secrets = {"secret", "join_code", "password", "digest", "token_key", "key", "webhook__key"}
        assert not secrets & set(model_admin.search_fields)
