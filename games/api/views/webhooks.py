"""Webhooks of an account. The doors to those of what an app above has are made of the same."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import models
from games.api import answers, requests, schemas
from games.api.idempotency import idempotent
from games.api.permissions import PlayersOnly
from games.models import Player
from games.services import webhooks
from games.services.webhooks import Topic
from trix_site.common.pagination import PageQuery, paged
from trix_site.common.schemas import describe
from trix_site.common.serializers import NothingRequest, read


class TopicDoor(APIView):
    """Base: the webhooks of one topic, for those who may have some."""

    permission_classes = [PlayersOnly]

    @property
    def player(self) -> Player:
        assert isinstance(self.request.user, Player)
        return self.request.user

    def topic(self, **address: str) -> Topic:
        """What the address is about: here the caller's account. Raises Missing, Forbidden."""
        return webhooks.account_topic(self.player)


class Webhooks(TopicDoor):
    def create(self, **body: Any) -> models.Webhook:
        return webhooks.create_webhook(topic=self.topic(**self.kwargs), owner=self.player, **body)

    @describe(403, 404, answers=schemas.Webhook(many=True))
    def get(self, request: Request, **address: str) -> Response:
        """The webhooks here, without their keys."""
        return Response([answers.webhook(hook) for hook in self.topic(**address).hooks])

    @idempotent
    @describe(403, 404, 409, 422, answers=schemas.NewWebhook, status=201, request=requests.WebhookRequest)
    def post(self, request: Request, **address: str) -> Response:
        """Have what happens sent to an address, from now on. The `key` is shown this once."""
        hook = self.create(**read(requests.WebhookRequest, request.data))
        return Response(answers.webhook(hook) | {"key": webhooks.shown_key(hook)}, status=201)


class Webhook(TopicDoor):
    def remove(self, code: str) -> None:
        webhooks.delete_webhook(self.topic(), code)

    @describe(403, 404, answers=schemas.Webhook)
    def get(self, request: Request, code: str, **address: str) -> Response:
        """One webhook, without its key."""
        return Response(answers.webhook(webhooks.find_webhook(self.topic(**address), code)))

    @describe(403, 404, answers=None, status=204)
    def delete(self, request: Request, code: str, **address: str) -> Response:
        """Delete a webhook, with what it was sent and what it still waits for."""
        self.remove(code)
        return Response(status=204)


class Test(TopicDoor):
    @describe(403, 404, 409, answers=schemas.Delivery, status=202, request=NothingRequest)
    def post(self, request: Request, code: str, **address: str) -> Response:
        """Send a `ping` there, as any event is sent. What became of it is in the deliveries."""
        read(NothingRequest, request.data)
        return Response(answers.delivery(webhooks.ping(self.topic(**address), code)), status=202)


class Deliveries(TopicDoor):
    @describe(403, 404, answers=schemas.DeliveryPage, parameters=[PageQuery])
    def get(self, request: Request, code: str, **address: str) -> Response:
        """What was sent in the last 30 days and what waits to be, the newest first."""
        hook = webhooks.find_webhook(self.topic(**address), code)
        return paged(request, hook.deliveries.order_by("-pk"), answers.delivery)
