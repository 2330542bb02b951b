"""Addresses of yours that the server tells what happens."""

from .. import payloads
from .transport import AsyncTransport

Hooks = list[payloads.Webhook]
Events = list[str]


class AsyncWebhooks:
    """Your account's webhooks, or with `tournament` (a slug) those of a tournament that you organise."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._http = transport

    async def list(self, *, tournament: str | None = None) -> Hooks:
        webhooks: Hooks = await self._http.get(*_of(tournament))
        return webhooks

    async def create(
        self, url: str, events: Events | None = None, *, tournament: str | None = None
    ) -> payloads.NewWebhook:
        """Have these events sent to `url`, or all. The answer holds the `key`, this once."""
        body = {"url": url} | ({} if events is None else {"events": events})
        webhook: payloads.NewWebhook = await self._http.create(*_of(tournament), body=body)
        return webhook

    async def get(self, code: str, *, tournament: str | None = None) -> payloads.Webhook:
        webhook: payloads.Webhook = await self._http.get(*_of(tournament), code)
        return webhook

    async def delete(self, code: str, *, tournament: str | None = None) -> None:
        await self._http.delete(*_of(tournament), code)

    async def test(self, code: str, *, tournament: str | None = None) -> payloads.Delivery:
        """Have a `ping` sent; what became of it is among the deliveries. Not sent twice by itself."""
        delivery: payloads.Delivery = await self._http.post(*_of(tournament), code, "test", safe=False)
        return delivery

    async def deliveries(
        self, code: str, *, tournament: str | None = None, page: int | None = None
    ) -> payloads.DeliveryPage:
        """What was sent, and how it was taken; the newest first."""
        found: payloads.DeliveryPage = await self._http.get(*_of(tournament), code, "deliveries", page=page)
        return found


def _of(tournament: str | None) -> tuple[str, ...]:
    return ("account", "webhooks") if tournament is None else ("tournaments", tournament, "webhooks")
