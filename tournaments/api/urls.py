from django.urls import path

from tournaments.api import views, webhooks

ONE = "tournaments/<slug:slug>/"
ROUND = ONE + "rounds/<int:number>/"
TABLE = ROUND + "tables/<int:table>/"

urlpatterns = [
    path("tournaments/", views.Tournaments.as_view(), name="tournaments"),
    path(ONE, views.TournamentDetail.as_view(), name="tournament"),
    path(ONE + "open/", views.Open.as_view(), name="tournament-open"),
    path(ONE + "start/", views.Start.as_view(), name="tournament-start"),
    path(ONE + "finish/", views.Finish.as_view(), name="tournament-finish"),
    path(ONE + "cancel/", views.Cancel.as_view(), name="tournament-cancel"),
    path(ONE + "entries/", views.Entries.as_view(), name="tournament-entries"),
    path(ONE + "withdraw/", views.Withdraw.as_view(), name="tournament-withdraw"),
    path(ONE + "standings/", views.Standings.as_view(), name="tournament-standings"),
    path(ONE + "log/", views.Log.as_view(), name="tournament-log"),
    path(ONE + "webhooks/", webhooks.Webhooks.as_view(), name="tournament-webhooks"),
    path(ONE + "webhooks/<str:code>/", webhooks.OneWebhook.as_view(), name="tournament-webhook"),
    path(ONE + "webhooks/<str:code>/test/", webhooks.Test.as_view(), name="tournament-webhook-test"),
    path(
        ONE + "webhooks/<str:code>/deliveries/",
        webhooks.Deliveries.as_view(),
        name="tournament-webhook-deliveries",
    ),
    path(ONE + "rounds/", views.Rounds.as_view(), name="tournament-rounds"),
    path(ROUND, views.RoundDetail.as_view(), name="tournament-round"),
    path(ROUND + "publish/", views.Publish.as_view(), name="tournament-publish"),
    path(ROUND + "close/", views.Close.as_view(), name="tournament-close"),
    path(ROUND + "tables/", views.Tables.as_view(), name="tournament-tables"),
    path(TABLE, views.TableDetail.as_view(), name="tournament-table"),
    path(TABLE + "result/", views.Result.as_view(), name="tournament-result"),
]
