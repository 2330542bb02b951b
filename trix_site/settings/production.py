"""Production: every secret and address comes from the environment, and a missing one stops the start."""

from django.core.exceptions import ImproperlyConfigured

from trix_site.settings.base import *  # noqa: F403
from trix_site.settings.base import env

for name in ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL"):
    if not env.str(name, default=""):
        raise ImproperlyConfigured(f"Set the environment variable {name}: see docs/running.md.")

SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
