"""Production: every secret and address comes from the environment, and a missing one stops the start."""

from django.core.exceptions import ImproperlyConfigured

from trix_site.settings.base import *  # noqa: F403
from trix_site.settings.base import env

for name in ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "SITE_URL", "EMAIL_URL", "EMAIL_FROM"):
    if not env.str(name, default=""):
        raise ImproperlyConfigured(f"Set the environment variable {name}: see docs/running.md.")

SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=60 * 60)
# Other hosts of the domain, and the lists that browsers come with, are not this service's to bind.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
