"""Addresses: the admin, pages for everyone, the API and its description."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from games import pages
from ratings import pages as ratings

API = [path("", include(f"{app}.api.urls")) for app in ("games", "ratings", "tournaments")]

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    # The name by which the admin's login finds it.
    path("account/password/", pages.Forgotten.as_view(), name="admin_password_reset"),
    path("account/password/sent/", pages.Sent.as_view(), name="password-sent"),
    path("account/password/done/", pages.Done.as_view(), name="password-done"),
    path("account/password/<uidb64>/<token>/", pages.NewPassword.as_view(), name="password-page"),
    path("ratings/", ratings.Pools.as_view(), name="ratings-page"),
    path("ratings/<str:pool>/", ratings.Leaderboard.as_view(), name="leaderboard-page"),
    path("players/<str:name>/", ratings.Profile.as_view(), name="player-page"),
    path("players/<str:name>/against/", ratings.FindOther.as_view(), name="find-other"),
    path("players/<str:name>/against/<str:other>/", ratings.Against.as_view(), name="against-page"),
    path("api/v1/", include(API)),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
]

handler400 = "trix_site.common.handlers.bad_request"
handler403 = "trix_site.common.handlers.permission_denied"
handler404 = "trix_site.common.handlers.page_not_found"
handler500 = "trix_site.common.handlers.server_error"
