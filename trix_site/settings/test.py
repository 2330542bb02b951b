"""Tests: a cluster of their own, which forgets about power cuts; the rest is what everyone runs."""

import os

from trix_site.settings.base import *  # noqa: F403
from trix_site.settings.base import DATA_DIR, database, env

SECRET_KEY = "only for tests"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
DATABASES = {"default": database(DATA_DIR / "tests", durable=False)}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
THROTTLE_TOKEN = THROTTLE_ADDRESS = 0  # No limits but where one is the matter of a test.
STATIC_ROOT = None  # type: ignore[assignment]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True  # Do not scan every static file for each test client.
DATABASES["default"]["TEST"] = {"NAME": f"test_trix_{os.getpid()}"}  # Two runs at once must not meet.
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default=f"trix_test_{os.getpid()}")
