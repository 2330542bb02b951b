"""Addresses of yours that the server tells what happens."""

from .. import payloads
from .transport import Transport

Hooks = list[payloads.Webhook]
Events = list[str]


class Webhooks:
    """Your account's webhooks, or with `tournament` (a slug) those of a tournament that you organise."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def list(self, *, tournament: str | None = None) -> Hooks:
        webhooks: Hooks = self._http.get(*_of(tournament))
        return webhooks

    def create(
        self, url: str, events: Events | None = None, *, tournament: str | None = None
    ) -> payloads.NewWebhook:
        """Have these events sent to `url`, or all. The answer holds the `key`, this once."""
        body = {"url": url} | ({} if events is None else {"events": events})
        webhook: payloads.NewWebhook = self._http.create(*_of(tournament), body=body)
        return webhook

    def get(self, code: str, *, tournament: str | None = None) -> payloads.Webhook:
        webhook: payloads.Webhook = self._http.get(*_of(tournament), code)
        return webhook

    def delete(self, code: str, *, tournament: str | None = None) -> None:
        self._http.delete(*_of(tournament), code)

    def test(self, code: str, *, tournament: str | None = None) -> payloads.Delivery:
        """Have a `ping` sent; what became of it is among the deliveries. Not sent twice by itself."""
        delivery: payloads.Delivery = self._http.post(*_of(tournament), code, "test", safe=False)
        return delivery

    def deliveries(
        self, code: str, *, tournament: str | None = None, page: int | None = None
    ) -> payloads.DeliveryPage:
        """What was sent, and how it was taken; the newest first."""
        found: payloads.DeliveryPage = self._http.get(*_of(tournament), code, "deliveries", page=page)
        return found


def _of(tournament: str | None) -> tuple[str, ...]:
    return ("account", "webhooks") if tournament is None else ("tournaments", tournament, "webhooks")
