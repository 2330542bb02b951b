"""Addresses of the public pages."""

from django.urls import path

from ratings import pages

urlpatterns = [
    path("ratings/", pages.pools, name="pools-page"),
    path("ratings/<str:pool>/", pages.leaderboard, name="leaderboard-page"),
    path("players/<str:name>/", pages.player, name="player-page"),
    path("players/<str:name>/ratings/<str:pool>/", pages.matches, name="player-matches-page"),
    path("players/<str:name>/against/", pages.find_other, name="find-other-page"),
    path("players/<str:name>/against/<str:other>/", pages.against, name="against-page"),
]
