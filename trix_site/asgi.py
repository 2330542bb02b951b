"""The ASGI entry point, for a server such as granian."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trix_site.settings.local")

application = get_asgi_application()
