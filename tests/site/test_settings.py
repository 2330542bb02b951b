"""Production refuses to start on a missing value, and says which; a trial makes its secrets once."""

import os
import stat
import subprocess
import sys

import pytest

from tests.processes import ROOT

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "trix_site.settings.production",
    "SECRET_KEY": "k" * 50 + "0123456789",
    "ALLOWED_HOSTS": "trix.example",
    "DATABASE_URL": "postgresql://trix:secret@db.example/trix",
    "CELERY_BROKER_URL": "redis://broker.example/0",
    "SITE_URL": "https://trix.example/",
    "EMAIL_URL": "smtp+tls://trix:secret@mail.example:587",
    "EMAIL_FROM": "Trix <trix@trix.example>",
}


def manage(*arguments, **environment):
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, env=bare | environment, cwd=ROOT, capture_output=True, text=True, timeout=60
    )


def test_production_loads_with_everything_given():
    done = manage("check", "--deploy", "--fail-level=WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("playouts", ["-1", "1000001"])
def test_playouts_out_of_all_reason_are_refused(playouts):
    done = manage("check", **PRODUCTION, STRONG_PLAYOUTS=playouts)
    assert done.returncode != 0
    assert f"from 1 to 1,000,000, or 0, not {playouts}." in done.stderr


def test_https_is_promised_for_this_host_alone_and_as_long_as_asked():
    code = (
        "from django.conf import settings as s;"
        "print(s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD)"
    )
    show = ("shell", "--no-imports", "-c", code)
    assert manage(*show, **PRODUCTION).stdout.split() == ["3600", "False", "False"]
    assert manage(*show, **PRODUCTION, SECURE_HSTS_SECONDS="31536000").stdout.split()[0] == "31536000"


@pytest.mark.parametrize("hosts", ["*", ".trix.example", "trix.example,[::1]"])
def test_any_form_of_host_names_will_do(hosts):
    done = manage("check", "--deploy", "--fail-level=WARNING", **PRODUCTION | {"ALLOWED_HOSTS": hosts})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "SITE_URL", "EMAIL_URL", "EMAIL_FROM"]
)
@pytest.mark.parametrize("value", [None, ""])
def test_production_does_not_start_without(name, value):
    given = {key: text for key, text in PRODUCTION.items() if key != name}
    if value is not None:
        given[name] = value

    done = manage("check", **given)

    assert done.returncode != 0
    assert name in done.stderr.splitlines()[-1]


MAIL = (
    "shell",
    "--no-imports",
    "-c",
    "from django.conf import settings as s;"
    "print(s.EMAIL_BACKEND, s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_USE_TLS, s.EMAIL_HOST_USER,"
    " s.EMAIL_HOST_PASSWORD, s.DEFAULT_FROM_EMAIL, s.SITE_URL, sep='|')",
)


def test_mail_goes_where_its_address_says():
    assert manage(*MAIL, **PRODUCTION).stdout.strip() == (
        "django.core.mail.backends.smtp.EmailBackend|mail.example|587|True|trix|secret"
        "|Trix <trix@trix.example>|https://trix.example/"
    )


@pytest.mark.parametrize(
    ("port", "site"), [("8123", "http://localhost:8123/"), ("", "http://localhost:8000/")]
)
def test_a_trial_prints_its_mail_with_links_to_itself(tmp_path, port, site):
    """`make` passes on an empty port where none was chosen."""
    said = manage(*MAIL, TRIX_DATA_DIR=str(tmp_path), PORT=port).stdout.strip().split("|")
    assert (said[0], said[-1]) == ("django.core.mail.backends.console.EmailBackend", site)


def test_a_trial_keeps_its_secret_key_from_others(tmp_path):
    show = ("shell", "--no-imports", "-c", "from django.conf import settings; print(settings.SECRET_KEY)")

    first = manage(*show, TRIX_DATA_DIR=str(tmp_path))
    second = manage(*show, TRIX_DATA_DIR=str(tmp_path))

    assert len(first.stdout.strip()) >= 40
    assert second.stdout == first.stdout
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_commands_that_need_no_database_start_none(tmp_path):
    done = manage("check", TRIX_DATA_DIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "postgres").exists()
