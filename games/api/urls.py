"""Addresses of players, tokens and matches, under /api/v1/."""

from django.urls import path

from games.api.views import accounts, play, tables

urlpatterns = [
    path("auth/register/", accounts.Register.as_view(), name="register"),
    path("auth/tokens/", accounts.Tokens.as_view(), name="tokens"),
    path("auth/tokens/<str:code>/", accounts.Token.as_view(), name="token"),
    path("account/", accounts.Account.as_view(), name="account"),
    path("matches/", tables.Matches.as_view(), name="matches"),
    path("matches/<str:code>/", play.Match.as_view(), name="match"),
    path("matches/<str:code>/join/", tables.Join.as_view(), name="match-join"),
    path("matches/<str:code>/leave/", tables.Leave.as_view(), name="match-leave"),
    path("matches/<str:code>/start/", tables.Start.as_view(), name="match-start"),
    path("matches/<str:code>/return/", tables.ComeBack.as_view(), name="match-return"),
    path("matches/<str:code>/actions/", play.Actions.as_view(), name="match-actions"),
    path("matches/<str:code>/events/", play.Events.as_view(), name="match-events"),
    path("matches/<str:code>/record/", play.Record.as_view(), name="match-record"),
]
