"""Addresses of players, tokens and matches, under /api/v1/."""

from django.urls import path

from games.api import views

urlpatterns = [
    path("auth/register/", views.Register.as_view(), name="register"),
    path("auth/tokens/", views.Tokens.as_view(), name="tokens"),
    path("auth/tokens/<str:code>/", views.Token.as_view(), name="token"),
    path("account/", views.Account.as_view(), name="account"),
    path("matches/", views.Matches.as_view(), name="matches"),
    path("matches/<str:code>/", views.Match.as_view(), name="match"),
    path("matches/<str:code>/join/", views.Join.as_view(), name="match-join"),
    path("matches/<str:code>/leave/", views.Leave.as_view(), name="match-leave"),
    path("matches/<str:code>/start/", views.Start.as_view(), name="match-start"),
    path("matches/<str:code>/return/", views.ComeBack.as_view(), name="match-return"),
    path("matches/<str:code>/actions/", views.Actions.as_view(), name="match-actions"),
    path("matches/<str:code>/events/", views.Events.as_view(), name="match-events"),
    path("matches/<str:code>/record/", views.Record.as_view(), name="match-record"),
]
