from django.urls import path

from tournaments.api import webhooks
from tournaments.api.views import entries, exchange, leagues, rounds, stages, standings, tables, tournaments

ONE = "tournaments/<slug:slug>/"
ENTRY = ONE + "entries/<str:player>/"
ROUND = ONE + "rounds/<int:number>/"
LEAGUE = "leagues/<slug:slug>/"
TABLE = ROUND + "tables/<int:table>/"
SEAT = TABLE + "seats/<str:seat>/"

urlpatterns = [
    path("leagues/", leagues.Leagues.as_view(), name="leagues"),
    path(LEAGUE, leagues.LeagueDetail.as_view(), name="league"),
    path(LEAGUE + "seasons/", leagues.Seasons.as_view(), name="league-seasons"),
    path(LEAGUE + "seasons/<int:number>/", leagues.SeasonDetail.as_view(), name="league-season"),
    path("tournaments/", tournaments.Tournaments.as_view(), name="tournaments"),
    path("tournaments/import/", exchange.Import.as_view(), name="tournament-import"),
    path(ONE, tournaments.TournamentDetail.as_view(), name="tournament"),
    path(ONE + "open/", tournaments.Open.as_view(), name="tournament-open"),
    path(ONE + "start/", tournaments.Start.as_view(), name="tournament-start"),
    path(ONE + "finish/", tournaments.Finish.as_view(), name="tournament-finish"),
    path(ONE + "cancel/", tournaments.Cancel.as_view(), name="tournament-cancel"),
    path(ONE + "entries/", entries.Entries.as_view(), name="tournament-entries"),
    path(ONE + "entries/import/", entries.Import.as_view(), name="tournament-import-entries"),
    path(ENTRY, entries.OneEntry.as_view(), name="tournament-entry"),
    path(ENTRY + "admit/", entries.Admit.as_view(), name="tournament-admit"),
    path(ENTRY + "disqualify/", entries.Disqualify.as_view(), name="tournament-disqualify"),
    path(ONE + "check-in/", entries.CheckIn.as_view(), name="tournament-check-in"),
    path(ONE + "check-in/open/", entries.OpenCheckIn.as_view(), name="tournament-open-check-in"),
    path(ONE + "penalties/", entries.Penalties.as_view(), name="tournament-penalties"),
    path(ONE + "penalties/<int:penalty>/revoke/", entries.Revoke.as_view(), name="tournament-revoke"),
    path(ONE + "officials/", tournaments.Officials.as_view(), name="tournament-officials"),
    path(ONE + "code/", tournaments.Code.as_view(), name="tournament-code"),
    path(ONE + "withdraw/", entries.Withdraw.as_view(), name="tournament-withdraw"),
    path(ONE + "standings/", standings.Standings.as_view(), name="tournament-standings"),
    path(ONE + "ranking/", standings.Ranking.as_view(), name="tournament-ranking"),
    path(ONE + "performance/", standings.Performances.as_view(), name="tournament-performance"),
    path(ONE + "standings/compare/", standings.Compare.as_view(), name="tournament-compare"),
    path(ONE + "export/", exchange.Export.as_view(), name="tournament-export"),
    path(ONE + "log/", tournaments.Log.as_view(), name="tournament-log"),
    path(ONE + "webhooks/", webhooks.Webhooks.as_view(), name="tournament-webhooks"),
    path(ONE + "webhooks/<str:code>/", webhooks.OneWebhook.as_view(), name="tournament-webhook"),
    path(ONE + "webhooks/<str:code>/test/", webhooks.Test.as_view(), name="tournament-webhook-test"),
    path(
        ONE + "webhooks/<str:code>/deliveries/",
        webhooks.Deliveries.as_view(),
        name="tournament-webhook-deliveries",
    ),
    path(ONE + "stages/start/", stages.StartStage.as_view(), name="tournament-start-stage"),
    path(ONE + "dates/", stages.Dates.as_view(), name="tournament-dates"),
    path(ONE + "rounds/", rounds.Rounds.as_view(), name="tournament-rounds"),
    path(ROUND, rounds.RoundDetail.as_view(), name="tournament-round"),
    path(ROUND + "publish/", rounds.Publish.as_view(), name="tournament-publish"),
    path(ROUND + "close/", rounds.Close.as_view(), name="tournament-close"),
    path(ROUND + "swap/", rounds.Swap.as_view(), name="tournament-swap"),
    path(ROUND + "tables/", tables.Tables.as_view(), name="tournament-tables"),
    path(TABLE, tables.TableDetail.as_view(), name="tournament-table"),
    path(TABLE + "result/", tables.Result.as_view(), name="tournament-result"),
    path(TABLE + "annul/", tables.Annul.as_view(), name="tournament-annul"),
    path(TABLE + "replay/", tables.Replay.as_view(), name="tournament-replay"),
    path(TABLE + "record/", tables.Record.as_view(), name="tournament-record"),
    path(SEAT + "substitute/", tables.Substitute.as_view(), name="tournament-substitute"),
    path(SEAT + "no-show/", tables.NoShow.as_view(), name="tournament-no-show"),
]
