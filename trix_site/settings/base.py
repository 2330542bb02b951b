"""What every way of running shares. The overlays are local (a trial), test and production.

docs/running.md lists the environment variables.
"""

from datetime import timedelta
from pathlib import Path

import environ
from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()

ROOT = Path(__file__).resolve().parents[2]
DATA_DIR = Path(env.str("TRIX_DATA_DIR", default="") or ROOT / ".data").resolve()

DEBUG = False
ALLOWED_HOSTS: list[str] = []

INSTALLED_APPS = [
    "trix_site",
    "tournaments",
    "ratings",
    "games",
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "trix_site.common.middleware.RefuseBadRequests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "trix_site.urls"
WSGI_APPLICATION = "trix_site.wsgi.application"
CSRF_FAILURE_VIEW = "trix_site.common.handlers.csrf_failure"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# People

AUTH_USER_MODEL = "games.Player"
KNOX_TOKEN_MODEL = "games.ApiToken"
MIGRATION_MODULES = {"knox": None}  # Its only table is the one that ours replaces.
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_TTL": timedelta(days=90)}
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
] + [{"NAME": "games.services.passwords.MaximumLength"}]

PASSWORD_RESET_TIMEOUT = 3 * 60 * 60  # seconds

# Mail, and the address of this site that links in it begin with. Without EMAIL_URL it is printed.

vars().update(env.email_url_config(env.str("EMAIL_URL", default="") or "consolemail://"))
EMAIL_TIMEOUT = 20  # seconds
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="Trix <trix@localhost>")
TRIAL_PORT = env.str("PORT", default="") or "8000"  # `make` passes on an empty one.
SITE_URL = env.str("SITE_URL", default="") or f"http://localhost:{TRIAL_PORT}/"

# The database: PostgreSQL everywhere. Without DATABASE_URL it is the embedded one, started when needed.


def database(data_dir: Path, durable: bool = True) -> dict[str, object]:
    """The settings of the one database: DATABASE_URL's, or those of the embedded cluster in `data_dir`."""
    if env.str("DATABASE_URL", default=""):
        chosen = env.db_url("DATABASE_URL", engine="django.db.backends.postgresql")
    else:
        from trix_site.embedded.cluster import DATABASE, PORT, USER, Cluster

        chosen = {
            "ENGINE": "trix_site.embedded",
            "DATA_DIR": data_dir,
            "DURABLE": durable,
            "HOST": str(Cluster(data_dir).socket_dir),
            "PORT": PORT,
            "NAME": DATABASE,
            "USER": USER,
        }
    return chosen | {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}


DATABASES = {"default": database(DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Background work. Tasks repeat harmlessly, so a message is acknowledged only once its task is done, and the
# messages of a lost worker come back after the visibility timeout.

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or "pgmq://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
    "visibility_timeout": env.int("CELERY_VISIBILITY_TIMEOUT", default=180)
}
CELERY_TASK_DEFAULT_QUEUE = env.str("CELERY_QUEUE", default="trix")
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
TASK_SECONDS = env.int("TASK_SECONDS", default=120)  # A task that takes longer ends its worker.
STRONG_PLAYOUTS = env.int("STRONG_PLAYOUTS", default=0)  # Of a decision of the bot; 0: as docs/bots.md says.
if not 0 <= STRONG_PLAYOUTS <= 1_000_000:
    raise ImproperlyConfigured(
        f"STRONG_PLAYOUTS should be a number of playouts from 1 to 1,000,000, or 0, not {STRONG_PLAYOUTS}."
    )
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_POOL = "solo"  # No processes that share locks, which one that is killed may hold.
CELERY_WORKER_CONCURRENCY = 1  # With it a worker fetches one message at a time.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # Each worker would make and poll a queue of its own.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = {
    # A sweep that waits behind longer tasks is still to be done: without it no clock runs out.
    "games.sweep": {"task": "games.tasks.sweep", "schedule": 2.0, "options": {"expires": 60}},
    "games.deliver": {"task": "games.tasks.deliver", "schedule": 2.0, "options": {"expires": 2}},
    "games.closed": {"task": "games.tasks.sweep_closed", "schedule": 15.0, "options": {"expires": 15}},
    "games.tidy": {"task": "games.tasks.tidy", "schedule": 3600.0, "options": {"expires": 60}},
    "ratings.sweep": {"task": "ratings.tasks.rate_finished", "schedule": 15.0, "options": {"expires": 15}},
    "ratings.recalculate": {
        "task": "ratings.tasks.recalculate",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "ratings.late": {"task": "ratings.tasks.rate_late", "schedule": 3600.0, "options": {"expires": 60}},
    "ratings.suspicions": {
        "task": "ratings.tasks.find_suspicions",
        "schedule": crontab(hour="3", minute="20"),
        "options": {"expires": 3600},
    },
    "tournaments.sweep": {"task": "tournaments.tasks.sweep", "schedule": 15.0, "options": {"expires": 15}},
}

# Whether webhooks may lead to plain http, any port, this machine and private networks.
WEBHOOK_ALLOW_PRIVATE = env.bool("WEBHOOK_ALLOW_PRIVATE", default=False)

# The API

API_BODY_LIMIT = 256 * 1024  # bytes; the largest honest body is a few kilobytes
API_IMPORT_LIMIT = 2 * 1024 * 1024  # bytes; of a file of 10,000 entries, at the addresses of imports
API_DOCUMENT_LIMIT = 64 * 1024 * 1024  # bytes; of a whole tournament
# Seconds between signs of life of a stream, and between looks at its token and at who is there.
STREAM_PERIOD = env.float("STREAM_PERIOD", default=15.0)
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # bytes; forms of the admin
# Calls in a minute: with each token, and from each address without one. 0: no limit.
THROTTLE_TOKEN = env.int("THROTTLE_TOKEN", default=3000)
THROTTLE_ADDRESS = env.int("THROTTLE_ADDRESS", default=600)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["games.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["games.api.permissions.Scoped"],
    "DEFAULT_THROTTLE_CLASSES": ["games.api.throttles.PerToken", "games.api.throttles.PerAddress"],
    "DEFAULT_PARSER_CLASSES": ["trix_site.common.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "trix_site.common.negotiation.Negotiation",
    "DEFAULT_SCHEMA_CLASS": "trix_site.openapi.Schema",
    "NUM_PROXIES": env.int("NUM_PROXIES", default=0),
    "EXCEPTION_HANDLER": "trix_site.common.handlers.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "UNICODE_JSON": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Trix",
    "DESCRIPTION": """Tables, moves, ratings and tournaments of the card game Trix.

JSON in and out. Most reading needs no token; writing takes one, as `Authorization: Bearer …`, with the scope
that the call names. A refusal is `application/problem+json` (RFC 9457): `code` is stable and made for
programs, `detail` is for people, and nothing has changed. A move may be sent twice and is answered as the
first time; so is a creating call with an `Idempotency-Key`. The examples are real answers.""",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",  # From here, not from someone else's server.
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_NAME_OVERRIDES": {"AnalysisStateEnum": "games.models.analyses.Analysis.State"},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "trix_site.openapi.add_examples",
    ],
}

# Pages

UNFOLD = {
    "SITE_TITLE": "Trix",
    "SITE_HEADER": "Trix",
    "SITE_SYMBOL": "playing_cards",
    "LOGIN": {"form": "games.pages.LoginForm"},
}

LOGIN_REDIRECT_URL = "/admin/"  # Whoever opens the login page itself, not a page that asks for it.
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = ROOT / "staticfiles"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
