from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from games.models import ApiToken, Player
from games.services import accounts
from games.tasks import tidy
from tests.games.play import at_once

PASSWORD = "seven of hearts"


@pytest.fixture
def amal(db):
    return Player.objects.create_user("amal", password=PASSWORD)


def test_a_password_buys_a_token_that_is_shown_once_and_stored_hashed(api, amal):
    answer = api().post("auth/tokens/", username="amal", password=PASSWORD, name="phone")
    assert answer.status_code == 201
    token = answer.json()["token"]
    mine = api()
    mine.headers = {"Authorization": f"Bearer {token}"}
    assert mine.get("account/").json()["name"] == "amal"
    listed = mine.get("auth/tokens/").json()
    assert [(entry["name"], entry["code"]) for entry in listed] == [("phone", answer.json()["code"])]
    assert token not in mine.get("auth/tokens/").content.decode()
    assert token not in str(ApiToken.objects.values())


@pytest.mark.parametrize(
    "body",
    [
        {"username": "amal", "password": "wrong"},
        {"username": "nobody", "password": PASSWORD},
        {"username": "amal", "password": PASSWORD + " "},
    ],
    ids=str,
)
def test_wrong_credentials_are_one_answer(api, amal, body):
    answer = api().post("auth/tokens/", **body)
    assert (answer.status_code, answer.json()["code"]) == (401, "wrong_credentials")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "name", ["\x1b[31m", "\N{RIGHT-TO-LEFT OVERRIDE}amal", "two\nlines", "..."], ids=ascii
)
def test_a_token_has_a_name_that_can_be_shown_or_none(api, amal, name):
    answer = api().post("auth/tokens/", username="amal", password=PASSWORD, name=name)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["name"])


def test_a_scope_that_is_not_there_is_answered_with_those_that_are(api, amal):
    answer = api().post("auth/tokens/", username="amal", password=PASSWORD, scopes=["play", "admin"])
    told = "item 2 of scopes: This must be one of read, play, organise, not 'admin'."
    assert (answer.status_code, answer.json()["detail"]) == (400, told)


def test_an_inactive_account_gets_no_token(api, amal):
    Player.objects.update(is_active=False)
    assert api().post("auth/tokens/", username="amal", password=PASSWORD).status_code == 401


def test_tokens_are_revoked_one_by_one(api, amal):
    phone, laptop = api(amal), api(amal)
    codes = [entry["code"] for entry in phone.get("auth/tokens/").json()]
    assert phone.delete(f"auth/tokens/{codes[0]}/").status_code == 204
    assert sorted((phone.get("account/").status_code, laptop.get("account/").status_code)) == [200, 401]


def test_nobody_revokes_the_token_of_another(api, amal, stranger):
    mine, other = api(amal), api(stranger)
    (entry,) = mine.get("auth/tokens/").json()
    answer = other.delete(f"auth/tokens/{entry['code']}/")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_token")
    assert mine.get("account/").status_code == 200


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer a b", "Bearer nonsense", "Bearer \xff\xfe", "Bearer " + "x" * 9000]
)
def test_a_header_that_is_no_token_is_401(api, db, header):
    client = api()
    client.headers = {"Authorization": header}
    answer = client.get("account/")
    assert answer.status_code == 401
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_a_token_expires(api, amal):
    client = api(amal)
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    answer = client.get("account/")
    assert answer.status_code == 401
    assert "has expired" in answer.json()["detail"]


def test_without_a_token_nothing_is_written(api, match):
    nobody = api()
    for path in ("matches/", f"matches/{match.code}/actions/", f"matches/{match.code}/join/"):
        answer = nobody.post(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")


def test_guesses_at_one_account_are_limited(api, amal):
    guesses = [api().post("auth/tokens/", username="amal", password="wrong").status_code for _ in range(21)]
    assert guesses == [401] * 20 + [429]
    assert api().post("auth/tokens/", username="basil", password="wrong").status_code == 401


def by_admin(client, amal) -> None:
    client.force_login(Player.objects.create_superuser("root"))
    page = f"/admin/games/player/{amal.pk}/password/"
    new = {"usable_password": "true", "password1": "eight of clubs", "password2": "eight of clubs"}
    assert client.post(page, new).status_code == 302


def by_program(client, amal) -> None:
    amal.set_password("eight of clubs")
    amal.save(update_fields=["password"])


@pytest.mark.parametrize("change", [by_admin, by_program])
def test_a_new_password_ends_all_tokens_of_the_account(api, client, amal, stranger, change):
    tokens, other = [api(amal), api(amal)], api(stranger)
    change(client, amal)
    amal.refresh_from_db()
    assert amal.check_password("eight of clubs")
    assert [token.get("account/").status_code for token in tokens] == [401, 401]
    assert other.get("account/").status_code == 200


def test_anything_else_about_the_account_ends_none(api, amal, settings):
    token = api(amal)
    amal.email = "amal@example.org"
    amal.save()
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    assert api().post("auth/tokens/", username="amal", password=PASSWORD).status_code == 201
    amal.refresh_from_db()
    assert amal.password.startswith("pbkdf2"), "the hash was made anew, of the same password"
    assert token.get("account/").status_code == 200


@pytest.mark.parametrize("path", ["/api/schema/", "/api/docs/", "/api/v1/matches/", "/api/v1/account/"])
@pytest.mark.parametrize("token", ["\xe9\xff", "كارلا", "nonsense"], ids=ascii)
def test_a_token_that_is_none_is_401_wherever_it_is_sent(client, db, path, token):
    answer = client.get(path, headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_expired_tokens_are_swept(api, amal):
    live, expired = api(amal), ApiToken.objects.create(user=amal)[0]
    ApiToken.objects.filter(pk=expired.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    tidy()
    assert [token["code"] for token in live.get("auth/tokens/").json()] != [expired.code]
    assert ApiToken.objects.count() == 1


def test_the_admin_shows_tokens_without_text_or_hash_and_revokes_them(api, amal):
    client, other = api(amal), api(amal)
    token = ApiToken.objects.order_by("created").first()
    browser = Client()
    browser.force_login(Player.objects.create_superuser("root"))
    page = browser.get("/admin/games/apitoken/?q=amal").content.decode()
    assert token.code in page
    assert "read, play, organise" in page
    chosen = {"action": "revoke", "_selected_action": [token.pk]}
    done = browser.post("/admin/games/apitoken/", chosen, follow=True)
    assert "Tokens revoked: 1." in done.content.decode()
    assert (client.get("account/").status_code, other.get("account/").status_code) == (401, 200)


def test_who_organises_sees_no_tokens_in_the_admin(api, amal):
    staff = Player.objects.create_user("olga", is_staff=True)
    staff.groups.add(Group.objects.get(name="Organisers"))
    browser = Client()
    browser.force_login(staff)
    assert browser.get("/admin/games/apitoken/").status_code == 403


def make(api, **body):
    return api().post("auth/tokens/", username="amal", password=PASSWORD, **body)


def with_token(api, answer):
    client = api()
    client.headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    return client


def test_without_a_word_a_token_may_do_everything_for_ninety_days(api, amal, clock):
    answer = make(api).json()
    assert answer["scopes"] == ["read", "play", "organise"]
    assert datetime.fromisoformat(answer["expiry"]) == clock.time + timedelta(days=90)


def test_a_token_has_the_scopes_and_the_days_that_were_asked_for(api, amal, clock):
    answer = make(api, scopes=["organise", "read", "read"], expires_in=2)
    assert answer.json()["scopes"] == ["read", "organise"]
    client = with_token(api, answer)
    clock.pass_(2 * 86_400 - 1)
    assert client.get("account/").status_code == 200
    clock.pass_(2)
    assert client.get("account/").status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {"scopes": []},
        {"scopes": ["admin"]},
        {"scopes": "play"},
        {"scopes": [None]},
        {"scopes": None},
        {"scopes": ["play"] * 4},
        {"expires_in": 0},
        {"expires_in": 366},
        {"expires_in": None},
        {"expires_in": "90"},
    ],
    ids=str,
)
def test_a_token_of_no_kind_that_there_is_is_refused(api, amal, body):
    answer = make(api, **body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["errors"]) == list(body)
    assert not ApiToken.objects.exists()


def test_a_token_can_be_tested(api, amal):
    answer = make(api, name="phone", scopes=["read"])
    expected = {key: value for key, value in answer.json().items() if key != "token"}
    seen = with_token(api, answer).get("auth/tokens/current/")
    assert seen.json() == expected | {"player": {"name": "amal", "is_bot": False}}
    assert api().get("auth/tokens/current/").status_code == 401


@pytest.mark.parametrize("scope", ["read", "play"])
@pytest.mark.parametrize("by", ["code", "current"])
def test_any_token_ends_itself(api, amal, scope, by):
    answer = make(api, scopes=[scope])
    client = with_token(api, answer)
    address = answer.json()["code"] if by == "code" else "current"
    assert client.delete(f"auth/tokens/{address}/").status_code == 204
    assert client.get("account/").status_code == 401


def test_only_a_token_to_play_ends_others(api, amal):
    code, reading = make(api).json()["code"], with_token(api, make(api, scopes=["read"]))
    answer = reading.delete(f"auth/tokens/{code}/")
    assert (answer.status_code, answer.json()["scope"]) == (403, "play")
    assert with_token(api, make(api, scopes=["play"])).delete(f"auth/tokens/{code}/").status_code == 204


def test_a_token_of_a_password_that_changes_meanwhile_is_refused(api, amal, monkeypatch):
    """Its tokens are deleted with the change; one that is stored after that must not outlive it."""
    found = accounts.authenticate

    def authenticate(**credentials):
        player = found(**credentials)
        changed = Player.objects.get(pk=player.pk)
        changed.set_password("another password")
        changed.save()
        return player

    monkeypatch.setattr(accounts, "authenticate", authenticate)
    assert make(api).json()["code"] == "wrong_credentials"
    assert not ApiToken.objects.exists()


def test_the_hundred_and_first_token_takes_the_place_of_the_one_that_ends_first(api, amal, stranger):
    """It is not refused: whoever has only the password could not revoke one."""
    other, lasting, brief = api(stranger), make(api, expires_in=365), make(api, expires_in=2)
    for _ in range(98):
        ApiToken.objects.create(user=amal)
    assert with_token(api, brief).get("account/").status_code == 200
    last = make(api, expires_in=1)
    found = [with_token(api, answer).get("account/").status_code for answer in (lasting, brief, last)]
    assert found == [200, 401, 200]
    assert len(with_token(api, last).get("auth/tokens/").json()) == 100
    assert other.get("account/").status_code == 200


def test_a_token_that_has_ended_makes_room_before_any_other(api, amal):
    ended, brief = make(api), make(api, expires_in=1)
    ApiToken.objects.filter(code=ended.json()["code"]).update(expiry=timezone.now() - timedelta(seconds=1))
    for _ in range(98):
        ApiToken.objects.create(user=amal)
    make(api)
    assert with_token(api, brief).get("account/").status_code == 200
    assert ApiToken.objects.count() == 100


@pytest.mark.django_db(transaction=True)
def test_of_tokens_made_at_once_a_hundred_are_left():
    amal = Player.objects.create_user("amal", password=PASSWORD)
    for _ in range(98):
        ApiToken.objects.create(user=amal)
    at_once([lambda: accounts.make_token(username="amal", password=PASSWORD)] * 6)
    assert ApiToken.objects.count() == 100
