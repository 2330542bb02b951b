"""What a trial shows: an organiser, a player with a token, a league that plays live, and one to start.

Everything here may be called again; what is there already stays. The league's players are program
accounts that nothing drives: their clock of a second hands their seats to house bots, as it would for
anyone who is away, and the tournament is automatic, so that round follows round.
"""

import os
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction
from knox.crypto import hash_token

from games.models import ApiToken, Match, Player
from games.services import matches
from tournaments.models import Tournament
from tournaments.organisers import GROUP
from tournaments.services import entries, life
from tournaments.services.automatic import advance
from trix_site.common.trial import kept_secret

ORGANISER, PLAYER = "organiser", "player"
PROGRAMS = (
    "amman", "aqaba", "irbid", "jerash", "karak", "madaba", "petra", "salt", "zarqa",
    "بيروت", "حلب", "رم", "عجلون", "معان",
)  # fmt: skip
LIVE, READY = "demo-league", "spring-league"
ROUNDS = 40
PACE = 0.6  # seconds a move: a round takes about five minutes


class Demo(NamedTuple):
    """What to tell whoever started the trial."""

    password: str | None  # None: he has chosen another one since.
    token: str
    live: Tournament
    ready: Tournament
    match: Match


def prepare() -> Demo:
    """Make what is missing, and start the live league's first round."""
    with transaction.atomic():
        organiser, password = _organiser()
        player = Player.objects.get_or_create(username=PLAYER)[0]
        for name in PROGRAMS:
            Player.objects.get_or_create(username=name, defaults={"is_bot": True})
        live, ready = _live_league(organiser), _ready_league(organiser, player)
        match = _own_table(player)
    advance(live.slug)
    return Demo(password, _token(player, settings.DATA_DIR / "demo_token"), live, ready, match)


def _organiser() -> tuple[Player, str | None]:
    """The organiser and the password: the one that is asked for, or the one that was kept.

    One that he has chosen himself is left alone, unless another is asked for, and not known here: None.
    """
    asked = os.environ.get("DEMO_PASSWORD")
    password = asked or kept_secret(settings.DATA_DIR / "demo_password")[:12]
    organiser, new = Player.objects.get_or_create(username=ORGANISER, defaults={"is_staff": True})
    if new:
        organiser.groups.add(Group.objects.get(name=GROUP))
    if not organiser.check_password(password):
        if not (new or asked):
            return organiser, None
        organiser.set_password(password)
        organiser.save(update_fields=["password"])
    return organiser, password


def _live_league(organiser: Player) -> Tournament:
    """The live league; another one once the last is over."""
    running = Tournament.objects.filter(slug__startswith=LIVE, state=Tournament.State.RUNNING).first()
    if running:
        return running
    number = Tournament.objects.filter(slug__startswith=LIVE).count()
    league = life.create_tournament(
        actor=organiser,
        name="Demo league · دوري العرض",
        slug=f"{LIVE}-{number + 1}" if number else LIVE,
        description="Plays by itself: its players are programs, and house bots move for them.",
        rules="cardkings-complex",
        stages=[{"format": "swiss", "rounds": ROUNDS}],
        automatic=True,
        clock_choose=1,
        clock_double=1,
        clock_play=1,
        bot_delay=PACE,
    )
    entries.enter_many(slug=league.slug, actor=organiser, names=PROGRAMS)
    life.open_registration(slug=league.slug, actor=organiser)
    return life.start(slug=league.slug, actor=organiser)


def _ready_league(organiser: Player, player: Player) -> Tournament:
    """A league whose registration is open, for trying the organiser's desk."""
    known = Tournament.objects.filter(slug=READY).first()
    if known:
        return known
    league = life.create_tournament(
        actor=organiser,
        name="Spring league",
        slug=READY,
        description="Registration is open. Start it on the organiser's desk.",
        rules="cardkings-complex",
        stages=[{"format": "swiss", "rounds": 3}],
        clock_choose=30,
        clock_double=30,
        clock_play=20,
        bot_delay=0.2,
    )
    entries.enter_many(slug=league.slug, actor=organiser, names=(player.username, *PROGRAMS[:6]))
    return life.open_registration(slug=league.slug, actor=organiser)


def _own_table(player: Player) -> Match:
    """A table where three bots wait for the player, however long."""
    unfinished = player.seats.filter(match__status__in=Match.UNFINISHED, match__table=None)
    if seat := unfinished.select_related("match").order_by("match_id").first():
        return seat.match
    match = matches.open_match(
        player=player,
        rules="dananeer",
        options={},
        bots=("greedy",) * 3,
        on_timeout=Match.OnTimeout.WAIT,
        bot_delay=PACE,
        rated=False,
    )
    return matches.start(match_code=match.code, player=player)


def _token(player: Player, kept: Path) -> str:
    """The player's token: the one that was kept, if it is still good, or a new one."""
    text = kept.read_text() if kept.exists() else ""
    if ApiToken.objects.filter(user=player, digest=hash_token(text)).exists():
        return text
    _, text = ApiToken.objects.create(user=player, expiry=None, name="demo")
    kept.touch(mode=0o600)
    kept.write_text(text)
    return text
