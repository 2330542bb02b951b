"""A trial on one machine: embedded database, secrets made once and kept in the data folder."""

from django.utils.functional import SimpleLazyObject

from trix_site.common.trial import kept_secret
from trix_site.settings.base import *  # noqa: F403
from trix_site.settings.base import DATA_DIR, LOGGING, env

DEBUG = env.bool("DEBUG", default=False)
# Made when it is first asked for: `replay` and `verify` need no folder to write in.
SECRET_KEY = env.str("SECRET_KEY", default="") or SimpleLazyObject(
    lambda: kept_secret(DATA_DIR / "secret_key")
)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
STATIC_ROOT = None  # type: ignore[assignment]
WHITENOISE_USE_FINDERS = True  # Static files straight out of the packages: nothing to collect.
# A refused request is its sender's business, who has the answer; the window of `make run` stays readable.
LOGGING["loggers"] = {
    "django.request": {"level": "ERROR"},
    "django.security.DisallowedHost": {"level": "CRITICAL"},
}
