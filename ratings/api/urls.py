"""Addresses of ratings and profiles, under /api/v1/."""

from django.urls import path

from ratings.api import views

urlpatterns = [
    path("ratings/", views.Pools.as_view(), name="ratings"),
    path("ratings/<str:pool>/", views.Leaderboard.as_view(), name="leaderboard"),
    path("players/<str:name>/", views.Profile.as_view(), name="player"),
    path("players/<str:name>/ratings/<str:pool>/history/", views.History.as_view(), name="rating-history"),
]
