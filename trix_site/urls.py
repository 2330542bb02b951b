"""Addresses: the admin, the API and its description."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

API = [path("", include(f"{app}.api.urls")) for app in ("games", "ratings", "tournaments")]

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("api/v1/", include(API)),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
]

handler400 = "trix_site.common.handlers.bad_request"
handler403 = "trix_site.common.handlers.permission_denied"
handler404 = "trix_site.common.handlers.page_not_found"
handler500 = "trix_site.common.handlers.server_error"
