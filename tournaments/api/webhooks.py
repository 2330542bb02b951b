"""The webhooks of a tournament: the doors of an account's, for its organisers."""

from typing import Any

from games.api.views import webhooks as doors
from games.models import Scope, Webhook
from games.services.webhooks import Topic
from tournaments.organisers import Right, check_may
from tournaments.selectors import visible_tournament
from tournaments.services.webhooks import add_webhook, remove_webhook, topic_of


class OfTournament(doors.TopicDoor):
    """Whoever may run the tournament may see its webhooks, whichever organiser's they are."""

    scope = Scope.ORGANISE

    def topic(self, **address: str) -> Topic:
        tournament = visible_tournament(address["slug"], self.player)
        check_may(self.player, tournament, Right.ORGANISE)
        return topic_of(tournament)


class Webhooks(OfTournament, doors.Webhooks):
    def create(self, **body: Any) -> Webhook:
        self.topic(**self.kwargs)
        return add_webhook(slug=self.kwargs["slug"], actor=self.player, **body)


class OneWebhook(OfTournament, doors.Webhook):
    def remove(self, code: str) -> None:
        self.topic(slug=self.kwargs["slug"])
        remove_webhook(slug=self.kwargs["slug"], actor=self.player, code=code)


class Test(OfTournament, doors.Test):
    pass


class Deliveries(OfTournament, doors.Deliveries):
    pass
