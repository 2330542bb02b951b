"""Public pages: leaderboards, players, head to head. Anyone may read; nothing runs in the browser.

They show what the API answers, rounded to whole points, with plots.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe
from rest_framework.request import Request

from games.api.throttles import PerAddress
from games.selectors import player_called
from ratings import plots, selectors
from ratings.against import Record
from ratings.against import against as head_to_head
from ratings.distribution import BIN, distribution, percentile, rating_in
from ratings.models import LedgerMatch, Pool, Rating, Recalculation, Revision, shown
from ratings.pairs import Pair, Sums, sums
from trix_site.common.errors import ProblemError

BOARD, ROWS, LATEST = 50, 50, 10
"""Lines of a page of a leaderboard, of a player's matches, and of those that a profile has of each pool."""

PLOTTED = 200
"""Matches in a plot, the latest."""

POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
ARROW = "\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}"
RESULTS = {1.0: "above", 0.5: "level with", 0.0: "below"}

View = Callable[..., HttpResponse]


def public(view: View) -> View:
    """A page for anyone: limited as calls without a token, refusals as pages, no scripts of any kind."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **path: Any) -> HttpResponse:
        try:
            page = view(request, *args, **path) if _in_time(request) else _too_often(request)
        except ProblemError as refused:
            page = _refused(request, refused.status, refused.detail)
        page["Content-Security-Policy"] = POLICY
        return page

    return require_safe(answer)


@public
def pools(request: HttpRequest) -> HttpResponse:
    """The pools, for people and for programs."""
    return render(request, "ratings/pools.html", {"pools": selectors.pools()})


@public
def leaderboard(request: HttpRequest, pool: str) -> HttpResponse:
    """A leaderboard in pages, or the part of it that has a name in it, and how its ratings spread."""
    found = selectors.pool_called(pool)
    everyone, name = "all" in request.GET, request.GET.get("name", "").strip()[:150]
    board = selectors.board_with(found, name, everyone) if name else selectors.leaderboard(found, everyone)
    context = {
        "pool": found,
        "everyone": everyone,
        "name": name,
        "query": _kept(all="1" if everyone else "", name=name),
        "rows": _page(request, board, BOARD),
        "spread": distribution(found),
        "plot": _spread(found),
        "recalculations": selectors.recalculations(found, request.user)[:LATEST],
    }
    return render(request, "ratings/leaderboard.html", context)


@public
def player(request: HttpRequest, name: str) -> HttpResponse:
    """A player: in each pool the rating, its history and the latest matches."""
    found = player_called(name)
    if found.username != name:
        return redirect("player-page", found.username)
    rated = [_in_pool(request, rating, LATEST) for rating in selectors.ratings_of(found)]
    return render(request, "ratings/player.html", {"player": found, "rated": rated})


@public
def matches(request: HttpRequest, name: str, pool: str) -> HttpResponse:
    """All rated matches of a player in a pool, in pages, with all that moved his rating."""
    found = player_called(name)
    of = _in_pool(request, rating_in(selectors.pool_called(pool), found), ROWS)
    return render(request, "ratings/matches.html", {"player": found, "of": of})


@public
def find_other(request: HttpRequest, name: str) -> HttpResponse:
    """Leads from a form to the page of two players."""
    other = player_called(request.GET.get("player", "").strip())
    return redirect("against-page", player_called(name).username, other.username)


@public
def against(request: HttpRequest, name: str, other: str) -> HttpResponse:
    """Two players head to head, in each pool, with the latest of the matches in which they met."""
    one, two = player_called(name), player_called(other)
    records = head_to_head(one, two, request.user)
    met = [(record, [_met(record, meeting) for meeting in record.meetings[:ROWS]]) for record in records]
    return render(request, "ratings/against.html", {"one": one, "two": two, "met": met})


def _in_time(request: HttpRequest) -> bool:
    limit = PerAddress()
    return bool(limit.count(limit.get_ident(Request(request))))


def _too_often(request: HttpRequest) -> HttpResponse:
    page = _refused(request, 429, "That was too often. Please try again in a minute.")
    page["Retry-After"] = "60"
    return page


def _refused(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    return render(request, "ratings/refused.html", {"detail": detail}, status=status)


def _page(request: HttpRequest, rows: Any, size: int) -> Page[Any]:
    """The page that is asked for, or the nearest."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def _kept(**query: str) -> str:
    """What of the query the addresses of other pages begin with."""
    return "".join(f"{urlencode({name: value})}&" for name, value in query.items() if value)


def _spread(pool: Pool, rating: Rating | None = None) -> str:
    """How the ratings of a leaderboard spread, with a line at one of them; empty where there are none."""
    spread = distribution(pool)
    if not spread.bins:
        return ""
    about = f"Players by rating, {BIN} points a bar; {spread.count} players, {spread.mean:.0f} in the mean."
    here = None if rating is None else rating.value
    return mark_safe(plots.histogram(spread.bins, BIN, f"Ratings in {pool.name}", about, here))


# One player in one pool


@dataclass(frozen=True)
class InPool:
    """What a page shows of a player's rating in a pool. `percentile` is None where nobody is listed."""

    rating: Rating
    rank: int | None
    percentile: float | None
    history: str
    plotted: int
    spread: str
    rows: Page[Any]
    recalculations: Sequence[Recalculation]

    @property
    def shown(self) -> str:
        return shown(self.rating.value, self.rating.provisional)


def _in_pool(request: HttpRequest, rating: Rating, rows: int) -> InPool:
    pool, player = rating.pool, rating.player
    changes = list(selectors.changes_of(player, pool).select_related("match")[:PLOTTED])[::-1]
    page = _page(request, selectors.history(player, pool, request.user), rows)
    page.object_list = [_row(change) for change in page.object_list]
    return InPool(
        rating=rating,
        rank=selectors.rank_of(rating),
        percentile=percentile(pool, rating.value),
        history=_history(rating, changes) if changes else "",
        plotted=len(changes),
        spread=_spread(pool, rating),
        rows=page,
        recalculations=selectors.recalculations(pool, request.user, player)[:LATEST],
    )


def _history(rating: Rating, changes: Sequence[Any]) -> str:
    """The plot of these changes, the latest ones in their order."""
    points = [
        plots.Point(change.after, _address(rating, change.n), _told(change), change.provisional)
        for change in changes
    ]
    title = f"Rating of {rating.player.username} in {rating.pool.name}"
    about = f"{len(points)} matches, from {changes[0].before:.0f} to {changes[-1].after:.0f} points."
    marks = _marks(rating, changes)
    return mark_safe(plots.history(changes[0].before, points, marks, title, about))


def _address(rating: Rating, n: int) -> str:
    """Of the row of a player's match number `n`, from 0, on the page where it is, the newest being first."""
    page = (rating.matches - 1 - n) // ROWS + 1
    address = reverse("player-matches-page", args=[rating.player.username, rating.pool.slug])
    return f"{address}?page={page}#match-{n + 1}"


def _told(change: Any) -> str:
    moved = f"{change.before:.0f}{ARROW}{shown(change.after, change.provisional)}"
    return f"Match {change.n + 1}, {_day(change.match.finished_at)}: place {change.place}, {moved}"


def _marks(rating: Rating, changes: Sequence[Any]) -> list[plots.Mark]:
    """The recalculations that moved the rating since the first of these changes."""
    ends = [change.match.finished_at for change in changes]
    revisions = Revision.objects.filter(
        player=rating.player,
        pool=rating.pool,
        recalculation__state=Recalculation.State.DONE,
        recalculation__done_at__gte=ends[0],
    ).select_related("recalculation")
    return [
        plots.Mark(sum(end <= each.recalculation.done_at for end in ends), _recalculated(each))
        for each in revisions
    ]


def _recalculated(revision: Revision) -> str:
    of = revision.recalculation
    before, after = ("–" if value is None else shown(value) for value in (revision.before, revision.after))
    cause = f"{of.get_cause_display()}: {of.note}" if of.note else of.get_cause_display()
    return f"{_day(of.done_at)}, {before}{ARROW}{after}. {cause}"


def _day(at: Any) -> str:
    return date_format(at, "Y-m-d")


@dataclass(frozen=True)
class Row:
    """A match in a player's history. `pairs`: in words how he ended against each opponent."""

    change: Any
    sums: Sums
    pairs: list[tuple[str, Any]]
    partners: list[Any]

    @property
    def before(self) -> str:
        return shown(self.change.before, self.change.n < self.change.pool.established_after)

    @property
    def after(self) -> str:
        return shown(self.change.after, self.change.provisional)

    @property
    def by(self) -> str:
        return signed(self.change.change)


def _row(change: Any) -> Row:
    everyone = list(change.match.rating_changes.all())
    pairs = selectors.pairs_in(everyone, change.player_id, change.pool.sides)
    sides = {row.player_id: row.seat % change.pool.sides for row in everyone}
    mine = sides[change.player_id]
    return Row(
        change=change,
        sums=sums(pair for _, pair in pairs),
        pairs=[(RESULTS[pair.score], row) for row, pair in pairs],
        partners=[row for row in everyone if sides[row.player_id] == mine and row != change],
    )


@dataclass(frozen=True)
class Met:
    """A match in which two players met, in words."""

    match: LedgerMatch
    code: str | None
    result: str
    one: Any
    two: Any
    pair: Pair | None


def _met(record: Record, meeting: Any) -> Met:
    if meeting.partners:
        result = "partners"
    else:
        result = RESULTS[meeting.pair.score].removesuffix(" with") if meeting.pair else "both left"
    return Met(meeting.one.match, meeting.one.code, result, meeting.one, meeting.two, meeting.pair)


def signed(points: float) -> str:
    """Points won or lost, to a tenth, with a real minus."""
    return f"{points:+.1f}".replace("-", "\N{MINUS SIGN}")
