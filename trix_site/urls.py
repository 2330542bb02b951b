"""Addresses: the API with its description, the admin, the public pages."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

API = [
    path("", include(f"{app}.api.urls"))
    for app in ("games", "ratings", "tournaments")
    if find_spec(f"{app}.api") and find_spec(f"{app}.api.urls")
]

urlpatterns = [
    path("api/v1/", include(API)),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
    path("admin/", admin.site.urls),
]

handler400 = "trix_site.common.handlers.bad_request"
handler403 = "trix_site.common.handlers.permission_denied"
handler404 = "trix_site.common.handlers.page_not_found"
handler500 = "trix_site.common.handlers.server_error"
