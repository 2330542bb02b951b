"""Webhooks: addresses that are told what happens. What sends it is `games.services.deliveries`.

News is written in the transaction of the thing itself, so that it is told if and only if that happened.
"""

import base64
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.delivery import Refused, clean_url, is_private_host
from games.engine.view import by_seat
from games.models import Delivery, Match, Mute, Player, Seat, Webhook
from games.services.locks import lock_open_account
from trix_site.common.errors import BadRequest, Conflict, Missing

ACCOUNT = "account"
MOST_HOOKS = 10
MOST_WAITING = 1000  # for one webhook: who makes more than is taken must not fill the table
PING = "ping"

# The locks keep a hook that is being deleted from getting rows that would then point nowhere.
SUBSCRIBED = """
SELECT hook.id, hook.owner_id
FROM games_webhook AS hook JOIN games_player AS owner ON owner.id = hook.owner_id
WHERE {which} AND hook.active AND owner.is_active AND (hook.events = '{{}}' OR %s = ANY(hook.events))
AND {most} > (SELECT count(*) FROM (
    SELECT FROM games_delivery WHERE webhook_id = hook.id AND status = 'pending' LIMIT {most}) AS waiting)
ORDER BY hook.id FOR KEY SHARE OF hook
"""
BY_TOPIC = SUBSCRIBED.format(which="hook.topic = %s", most=MOST_WAITING)
BY_OWNERS = SUBSCRIBED.format(
    which=f"hook.topic = '{ACCOUNT}' AND hook.owner_id = ANY(%s)", most=MOST_WAITING
)

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Topic:
    """Whose news it is, and the kinds that there are of it. Of an account, the account too."""

    name: str
    events: Sequence[str]
    owner: Player | None = None

    @property
    def hooks(self) -> QuerySet[Webhook]:
        found = Webhook.objects.filter(topic=self.name).select_related("owner").order_by("pk")
        return found.filter(owner=self.owner) if self.owner else found


def account_topic(player: Player) -> Topic:
    """What a player is told: of his matches and invitations, and of the tournaments that he plays in."""
    events = (
        "match_started", "match_finished", "match_cancelled", "invited",
        "tournament_started", "round_published", "round_closed", "tournament_finished",
    )  # fmt: skip
    return Topic(ACCOUNT, events, player)


def create_webhook(*, topic: Topic, owner: Player, url: str, events: Sequence[str] = ()) -> Webhook:
    """A webhook for these events, or for all.

    Raises BadRequest `malformed_url`, `private_address` or `unknown_event`, Conflict `too_many_webhooks`.
    The caller holds a lock on what the topic is about, if that is not the owner's account.
    """
    url = _checked_url(url)
    if unknown := [event for event in events if event not in topic.events]:
        detail = f"There is no event {unknown[0]!r:.60} here. There are: {', '.join(topic.events)}."
        raise BadRequest("unknown_event", detail, errors={"events": [detail]})
    with transaction.atomic():
        lock_open_account(owner)  # Of two at once one is the tenth.
        if topic.hooks.count() >= MOST_HOOKS:
            raise Conflict("too_many_webhooks", f"There are {MOST_HOOKS} webhooks already; delete one first.")
        wanted = list(dict.fromkeys(events))
        return Webhook.objects.create(topic=topic.name, owner=owner, url=url, events=wanted)


def shown_key(hook: Webhook) -> str:
    """The key as the libraries of Standard Webhooks take it. For its creator, once."""
    return f"whsec_{base64.b64encode(bytes(hook.key)).decode()}"


def find_webhook(topic: Topic, code: str) -> Webhook:
    """Raises Missing."""
    return _one(topic.hooks, code)


def delete_webhook(topic: Topic, code: str) -> None:
    """Delete a webhook and all that it was sent or still waits for. Raises Missing."""
    with transaction.atomic():
        _lock(topic, code).delete()


def forget_webhooks(owner: Player) -> None:
    """Delete all webhooks that an account has made, of whatever topic, each by itself: whoever tells several
    takes them in another order.
    """
    for pk in Webhook.objects.filter(owner=owner).values_list("pk", flat=True):
        with transaction.atomic():
            Webhook.objects.select_for_update().filter(pk=pk).first()  # Before its deliveries.
            Webhook.objects.filter(pk=pk).delete()


def ping(topic: Topic, code: str) -> Delivery:
    """Send a `ping` as any other event; one that failed and waits for another attempt is given up for it.

    Raises Missing, Conflict `webhook_inactive`, `test_pending` where the last one was not tried yet.
    """
    with transaction.atomic():
        hook = _lock(topic, code)
        if not hook.active:
            detail = "The webhook is inactive: nothing that was sent there was taken. Make a new one."
            raise Conflict("webhook_inactive", detail)
        waiting = hook.deliveries.filter(event=PING, status=Delivery.Status.PENDING)
        if waiting.filter(sent_at=None).exists():
            raise Conflict("test_pending", "The last test is still on its way: look at the deliveries.")
        waiting.update(status=Delivery.Status.FAILED, due_at=None)
        return _write(PING, [(hook.pk, {"webhook": hook.code})])[0]


def emit(topic: str, event: str, data: Data) -> None:
    """Tell the webhooks of a topic. ``data`` is what anyone may see. In the caller's transaction."""
    hooks = Webhook.objects.raw(BY_TOPIC, [topic, event])
    _write(event, [(hook.pk, data) for hook in hooks])


def emit_to_players(player_ids: Iterable[int], event: str, data: Data) -> None:
    """Tell the webhooks of these accounts. ``data`` is what each of them may see."""
    emit_each(event, [(player, data) for player in set(player_ids)])


def emit_each(event: str, told: Iterable[tuple[int, Data]]) -> None:
    """Tell the webhooks of accounts what is for each of them: pairs of a player's id and that."""
    by_owner: dict[int, list[Data]] = defaultdict(list)
    for player, data in told:
        by_owner[player].append(data)
    if by_owner:
        hooks = Webhook.objects.raw(BY_OWNERS, [list(by_owner), event])
        _write(event, [(hook.pk, data) for hook in hooks for data in by_owner[hook.owner_id]])


def emit_match(match: Match, event: str, seats: Iterable[Seat]) -> None:
    """Tell those who sit at a match how it stands. They may see that, whoever else plays the same cards."""
    emit_matches(event, [(match, seats)])


def emit_matches(event: str, matches: Iterable[tuple[Match, Iterable[Seat]]]) -> None:
    """The same of many matches, each with its seats."""
    told = [
        (seat.player_id, data)
        for match, seats in matches
        for data in [_as_news(match)]
        for seat in seats
        if seat.player_id is not None
    ]
    emit_each(event, told)


def _as_news(match: Match) -> Data:
    return {
        "match": match.code,
        "status": match.status,
        "rules": match.rules,
        "totals": by_seat(match.totals),
        "winners": match.winners,
    }


def emit_invited(match: Match, by: Player, player_ids: Iterable[int]) -> None:
    """Tell those whom ``by`` has just invited, but for those who have muted him."""
    deaf = Mute.objects.filter(muted=by).values_list("player_id", flat=True)
    emit_to_players(set(player_ids).difference(deaf), "invited", {"match": match.code, "by": by.username})


def _lock(topic: Topic, code: str) -> Webhook:
    return _one(topic.hooks.select_for_update(of=("self",)), code)


def _one(hooks: QuerySet[Webhook], code: str) -> Webhook:
    hook = hooks.filter(code=code).first()
    if hook is None:
        raise Missing("no_such_webhook", "There is no such webhook.")
    return hook


def _write(event: str, told: Iterable[tuple[int, Data]]) -> list[Delivery]:
    from games.services.deliveries import wake

    now = timezone.now()
    rows = [
        Delivery(webhook_id=hook, event=event, body=data, due_at=now, created_at=now) for hook, data in told
    ]
    if rows:
        Delivery.objects.bulk_create(rows)
        wake()
    return rows


def _checked_url(url: str) -> str:
    private = settings.WEBHOOK_ALLOW_PRIVATE
    try:
        clean = clean_url(url, private)
    except Refused as error:
        raise BadRequest("malformed_url", str(error), errors={"url": [str(error)]}) from error
    if not private and is_private_host(clean):
        detail = "The address is not public: nothing is sent to this machine or a private network."
        raise BadRequest("private_address", detail, errors={"url": [detail]})
    return clean
