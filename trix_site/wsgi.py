"""The WSGI entry point, for a server such as granian."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trix_site.settings.local")

application = get_wsgi_application()
