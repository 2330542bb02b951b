import pytest

from games.models import Player


@pytest.fixture
def nobody(api):
    return api()


def test_anyone_makes_an_account(nobody):
    answer = nobody.post("auth/register/", username="amal", password="seven of hearts")
    assert answer.status_code == 201
    assert answer.json() == {"name": "amal", "is_bot": False}
    assert Player.objects.get(username="amal").check_password("seven of hearts")


def test_a_program_says_so(nobody):
    answer = nobody.post("auth/register/", username="engine", password="seven of hearts", is_bot=True)
    assert answer.json() == {"name": "engine", "is_bot": True}


@pytest.mark.parametrize("name", ["كارلا", "مُحَمَّد", "Zoë"])
def test_names_may_be_in_any_script(nobody, name):
    assert nobody.post("auth/register/", username=name, password="seven of hearts").status_code == 201


@pytest.mark.parametrize("name", ["amal", "AMAL", "ａｍａｌ"])
def test_a_taken_name_is_a_conflict_however_it_is_written(nobody, cast, name):
    answer = nobody.post("auth/register/", username=name, password="seven of hearts")
    assert (answer.status_code, answer.json()["code"]) == (409, "username_taken")
    assert Player.objects.count() == len(cast)


def test_a_weak_password_is_refused_with_the_reason(nobody):
    answer = nobody.post("auth/register/", username="amal", password="12345")
    assert (answer.status_code, answer.json()["code"]) == (400, "weak_password")
    assert "too short" in answer.json()["errors"]["password"][0]
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["", " amal", "a b", "../admin", "a\u202eb", "x" * 61, 5, None, ["amal"]])
def test_what_is_no_name_is_refused_by_field(nobody, name):
    answer = nobody.post("auth/register/", username=name, password="seven of hearts")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["errors"]) == ["username"]
    assert answer.json()["detail"].startswith("username: ")
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["a\ufdfa", "a\ufdfa" * 30, "ﷺ", "\u2026a", "½" * 25], ids=ascii)
def test_a_name_is_checked_as_it_is_stored(nobody, name):
    """In NFKC one character may be words with spaces between, or many characters."""
    answer = nobody.post("auth/register/", username=name, password="seven of hearts")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["errors"]) == ["username"]
    assert not Player.objects.exists()


@pytest.mark.parametrize("name", ["greedy", "random", "Me", "BOT", "ａｄｍｉｎ", "organiser"])
def test_names_of_the_house_are_refused(nobody, name):
    answer = nobody.post("auth/register/", username=name, password="seven of hearts")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    said = answer.json()["errors"]["username"][0]
    assert "choose another" in said
    assert answer.json()["detail"] == f"username: {said}"
    assert not Player.objects.exists()


def test_an_email_that_does_not_fit_is_refused_by_field(nobody):
    email = f"amal@{'x' * 60}.{'y' * 60}.{'z' * 60}.{'w' * 60}.example.org"
    answer = nobody.post("auth/register/", username="amal", password="seven of hearts", email=email)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["email"])
    assert "254" in answer.json()["detail"]


def test_a_name_may_be_longer_before_it_is_stored(nobody):
    """A letter and a mark may be one character."""
    name = "e\u0301" * 60
    assert nobody.post("auth/register/", username=name, password="seven of hearts").status_code == 201
    assert Player.objects.get().username == "é" * 60


def test_nobody_registers_as_staff(nobody):
    answer = nobody.post("auth/register/", username="amal", password="seven of hearts", is_staff=True)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == ["is_staff"]


def test_accounts_from_one_address_are_limited(nobody):
    codes = {nobody.post("auth/register/").status_code for _ in range(120)}
    assert codes == {400}
    answer = nobody.post("auth/register/")
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert int(answer.headers["Retry-After"]) > 0
