"""Addresses of ratings, profiles, and what a match is to ratings, under /api/v1/."""

from django.urls import path

from ratings.api import views

urlpatterns = [
    path("ratings/", views.Pools.as_view(), name="ratings"),
    path("ratings/<str:pool>/", views.Leaderboard.as_view(), name="leaderboard"),
    path("ratings/<str:pool>/distribution/", views.Distribution.as_view(), name="distribution"),
    path("ratings/<str:pool>/expected/", views.Expected.as_view(), name="expected"),
    path("ratings/<str:pool>/recalculations/", views.Recalculations.as_view(), name="recalculations"),
    path("matches/<str:code>/rating/", views.MatchRating.as_view(), name="match-rating"),
    path("players/<str:name>/", views.Profile.as_view(), name="player"),
    path("players/<str:name>/against/<str:other>/", views.Against.as_view(), name="against"),
    path("players/<str:name>/ratings/<str:pool>/history/", views.History.as_view(), name="rating-history"),
]
