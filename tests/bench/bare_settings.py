"""The bare endpoint: DRF as it comes, the one middleware that sets Content-Length, the rest as in a trial."""

from trix_site.settings.local import *  # noqa: F403

ROOT_URLCONF = "tests.bench.bare"
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
}
