"""Addresses of players, tokens and matches, under /api/v1/."""

from django.urls import path

from games.api.views import accounts, chat, play, streams, tables, webhooks

urlpatterns = [
    path("auth/register/", accounts.Register.as_view(), name="register"),
    path("auth/tokens/", accounts.Tokens.as_view(), name="tokens"),
    path("auth/tokens/current/", accounts.CurrentToken.as_view(), name="current-token"),
    path("auth/tokens/<str:code>/", accounts.Token.as_view(), name="token"),
    path("auth/password/reset/", accounts.PasswordReset.as_view(), name="password-reset"),
    path("auth/password/reset/confirm/", accounts.PasswordConfirm.as_view(), name="password-confirm"),
    path("account/password/", accounts.Password.as_view(), name="account-password"),
    path("account/", accounts.Account.as_view(), name="account"),
    path("account/webhooks/", webhooks.Webhooks.as_view(), name="webhooks"),
    path("account/webhooks/<str:code>/", webhooks.Webhook.as_view(), name="webhook"),
    path("account/webhooks/<str:code>/test/", webhooks.Test.as_view(), name="webhook-test"),
    path("account/webhooks/<str:code>/deliveries/", webhooks.Deliveries.as_view(), name="webhook-deliveries"),
    path("account/mutes/", chat.Mutes.as_view(), name="mutes"),
    path("account/mutes/<str:name>/", chat.Mute.as_view(), name="mute"),
    path("events/", streams.AccountEvents.as_view(), name="account-events"),
    path("matches/", tables.Matches.as_view(), name="matches"),
    path("matches/<str:code>/", play.Match.as_view(), name="match"),
    path("matches/<str:code>/join/", tables.Join.as_view(), name="match-join"),
    path("matches/<str:code>/leave/", tables.Leave.as_view(), name="match-leave"),
    path("matches/<str:code>/start/", tables.Start.as_view(), name="match-start"),
    path("matches/<str:code>/return/", tables.ComeBack.as_view(), name="match-return"),
    path("matches/<str:code>/invitations/", tables.Invitations.as_view(), name="match-invitations"),
    path("matches/<str:code>/invitations/<str:name>/", tables.Invitation.as_view(), name="match-invitation"),
    path("matches/<str:code>/abort/", tables.Abort.as_view(), name="match-abort"),
    path("matches/<str:code>/resign/", tables.Resign.as_view(), name="match-resign"),
    path("matches/<str:code>/rematch/", tables.Rematch.as_view(), name="match-rematch"),
    path("matches/<str:code>/chat/", chat.Chat.as_view(), name="match-chat"),
    path("matches/<str:code>/chat/<int:message>/report/", chat.Report.as_view(), name="match-chat-report"),
    path("matches/<str:code>/actions/", play.Actions.as_view(), name="match-actions"),
    path("matches/<str:code>/events/", play.Events.as_view(), name="match-events"),
    path("matches/<str:code>/record/", play.Record.as_view(), name="match-record"),
    path("matches/<str:code>/analysis/", play.Analysis.as_view(), name="match-analysis"),
]
