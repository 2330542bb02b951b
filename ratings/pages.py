"""Public pages of ratings: the pools, a leaderboard, a player, two players. For everyone, and they only read.

An address of nothing gets a page that says so, with status 404. They are limited as calls without a token.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.core.paginator import InvalidPage, Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.views.generic import TemplateView, View
from rest_framework.request import Request

from games.api.throttles import PerAddress
from games.selectors import player_called
from ratings import plots, selectors
from ratings.against import Meeting, against
from ratings.distribution import distribution
from ratings.maths import START
from ratings.models import Pool, Rating, RatingChange, Revision, shown, signed
from ratings.pairs import Sums, sums
from trix_site.common.errors import Missing, ProblemError

ROWS = 50
BEST = 3
DATE = "%Y-%m-%d %H:%M"
ISOLATED = "\N{FIRST STRONG ISOLATE}{}\N{POP DIRECTIONAL ISOLATE}"
"""Around a name where there are no tags: it may be written to the left, what follows it is not."""


POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"
"""Nothing runs on these pages, and nothing is loaded: their styles are in them."""

SCORES = {1.0: "above", 0.5: "level", 0.0: "below"}


class Public(View):
    """Base: what is refused is a page of its own."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            answer = super().dispatch(request, *args, **kwargs) if _in_time(request) else _too_often(request)
        except ProblemError as problem:
            answer = _refused(request, problem.status, problem.detail)
        answer["Content-Security-Policy"] = POLICY
        return answer


def _in_time(request: HttpRequest) -> bool:
    limit = PerAddress()
    return bool(limit.count(limit.get_ident(Request(request))))


def _too_often(request: HttpRequest) -> HttpResponse:
    answer = _refused(request, 429, "That was too often. Please try again in a minute.")
    answer["Retry-After"] = "60"
    return answer


def _refused(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    context = {"detail": detail, "pools": selectors.pools(), "missing": status == Missing.status}
    return render(request, "ratings/missing.html", context, status=status)


class PublicPage(Public, TemplateView):
    """Base of the pages."""


class Pools(PublicPage):
    template_name = "ratings/pools.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        best = [(pool, selectors.leaderboard(pool)[:BEST]) for pool in selectors.pools()]
        return super().get_context_data(**kwargs) | {"best": best}


class Leaderboard(PublicPage):
    """Fifty players a page; `?all=1` also who is not listed, `?name=` only whose name has this in it."""

    template_name = "ratings/leaderboard.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        found, asked = selectors.pool_called(self.kwargs["pool"]), self.request.GET
        everyone, name = asked.get("all") == "1", asked.get("name", "").strip()
        rows = selectors.leaderboard(found, everyone)
        if name:
            rows = selectors.found_on(found, everyone, name)
        return super().get_context_data(**kwargs) | {
            "pool": found,
            "page": page_of(rows, asked.get("page", "1")),
            "everyone": everyone,
            "name": name,
            "query": urlencode(({"all": "1"} if everyone else {}) | ({"name": name} if name else {})),
            "spread": distribution(found),
            "histogram": histogram_plot(found),
        }


class Profile(PublicPage):
    """A player: each pool's rating, and how it came about. `?classic=2` turns the pages of that pool's."""

    template_name = "ratings/player.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        player = player_called(self.kwargs["name"])
        ratings = [rating_shown(rating, self.request) for rating in selectors.ratings_of(player)]
        return super().get_context_data(**kwargs) | {"player": player, "ratings": ratings}


class FindOther(Public):
    """Leads from the form on a player's page to that of two players."""

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        other = player_called(request.GET.get("player", "").strip())
        return redirect("against-page", player_called(name).username, other.username)


class Against(PublicPage):
    """Two players head to head: in each pool their sums, and the latest matches in which they met."""

    template_name = "ratings/against.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        one, two = player_called(self.kwargs["name"]), player_called(self.kwargs["other"])
        records = against(one, two, self.request.user)
        met = [(record, [met_shown(meeting) for meeting in record.meetings[:ROWS]]) for record in records]
        return super().get_context_data(**kwargs) | {"one": one, "two": two, "met": met}


class Met(NamedTuple):
    """One match of two players. `expected` is None where it did not compare them."""

    one: Any
    two: Any
    result: str
    expected: float | None


def met_shown(meeting: Meeting) -> Met:
    result = "as partners" if meeting.partners else "both left"
    if meeting.pair is None:
        return Met(meeting.one, meeting.two, result, None)
    return Met(meeting.one, meeting.two, SCORES[meeting.pair.score], meeting.pair.expected)


class RatingShown(NamedTuple):
    """What a player's page tells of one pool."""

    rating: Rating
    standing: selectors.Standing | None
    compared: str
    history: SafeString
    histogram: SafeString
    recalculations: list[str]
    page: "Page[Any]"
    rows: list["Row"]

    @property
    def anchor(self) -> str:
        return f"#{self.rating.pool.slug}-matches"


class Row(NamedTuple):
    """One match of a history. `code`: None for a private one that is not the viewer's."""

    change: Any
    before: str
    after: str
    moved: str
    sums: Sums
    others: list["Other"]

    @property
    def number(self) -> int:
        return int(self.change.n) + 1


class Other(NamedTuple):
    """Someone else of the match, with the rating before it."""

    name: str
    rating: str
    place: int
    left: bool
    partner: bool


def rating_shown(rating: Rating, request: HttpRequest) -> RatingShown:
    player, pool = rating.player, rating.pool
    rows = selectors.history(player, pool, request.user)
    page = page_of(rows, request.GET.get(pool.slug, "1"))
    standing = selectors.standing(rating)
    revisions = list(selectors.revisions(player, pool))
    return RatingShown(
        rating,
        standing,
        compared(rating, standing),
        history_plot(rating, revisions, page),
        histogram_plot(pool, rating.value),
        [told(revision) for revision in revisions],
        page,
        [row_shown(row) for row in page],
    )


def page_of(rows: "QuerySet[Any]", number: str) -> "Page[Any]":
    """The page of this number, from 1 on. Raises Missing, which says how many there are."""
    pages = Paginator(rows, ROWS)
    try:
        return pages.page(number)
    except InvalidPage:
        detail = f"There is no page {number!r}; there are {pages.num_pages}, from 1 on."
        raise Missing("no_such_page", detail)


def row_shown(change: Any) -> Row:
    everyone = change.match.rating_changes.all()
    return Row(
        change,
        shown(change.before, change.n < change.pool.established_after),
        shown(change.after, change.provisional),
        signed(change.change),
        sums(pair for _, pair in selectors.pairs_in(everyone, change.player_id, change.pool.sides)),
        _others(change, everyone),
    )


def _others(change: Any, everyone: Iterable[Any]) -> list[Other]:
    """The others of a match, best first; in a pool of partners, who of them sat opposite."""
    sides = {row.player_id: row.seat % change.pool.sides for row in everyone}
    return [
        Other(
            other.player.username,
            shown(other.before, other.n < other.pool.established_after),
            other.place,
            other.left,
            sides[other.player_id] == sides[change.player_id],
        )
        for other in everyone
        if other.player_id != change.player_id
    ]


def compared(rating: Rating, standing: selectors.Standing | None) -> str:
    """Where the rating lies among those of the leaderboard, in words; or why it is not on it."""
    if standing is None:
        return _why_not_listed(rating)
    others = standing.players - 1
    if not others:
        return "Nobody else is on the leaderboard."
    share = f"{100 * standing.lower / others:.0f}%"
    return f"Higher than {standing.lower:,} of the {others:,} others on the leaderboard, which is {share}."


def _why_not_listed(rating: Rating) -> str:
    wanted = rating.pool.established_after
    if rating.matches < wanted:
        return f"Not on the leaderboard yet: {rating.matches} of the {wanted} rated matches that it takes."
    if not rating.player.is_active:
        return "Not on the leaderboard: the account is closed."
    return f"Not on the leaderboard: no rated match in the last {rating.pool.active_days} days."


def history_plot(rating: Rating, revisions: Iterable[Revision], page: "Page[Any]") -> SafeString:
    changes = selectors.course(rating.player, rating.pool)
    points = [_point(change, rating.pool, page) for change in changes]
    marks = [plots.Mark(revision.matches, told(revision)) for revision in revisions]
    name = ISOLATED.format(rating.player.username)
    return mark_safe(plots.history(points, marks, START, f"Rating of {name} in {rating.pool}"))


def _point(change: RatingChange, pool: Pool, page: "Page[Any]") -> plots.Point:
    """A point of the plot, with the address of its row: on this page of the table or on another one."""
    number = change.n + 1
    at = 1 + (page.paginator.count - number) // ROWS
    row = f"#{pool.slug}-{number}"
    return plots.Point(
        number,
        change.after,
        change.provisional,
        f"Match {number}{_when(change)}: {_place(change)}, {shown(change.after)} ({signed(change.change)})",
        row if at == page.number else f"?{urlencode({pool.slug: at})}{row}",
    )


def _when(change: RatingChange) -> str:
    finished = change.match.finished_at
    return f", {finished:{DATE}}" if finished else ""


def _place(change: RatingChange) -> str:
    return f"place {change.place}, left" if change.left else f"place {change.place}"


def histogram_plot(pool: Pool, own: float | None = None) -> SafeString:
    bins = {at: players for at, players in distribution(pool).bins if players}
    return mark_safe(plots.histogram(bins, own, f"Ratings on the leaderboard of {pool}"))


def told(revision: Revision) -> str:
    """A recalculation in one line: what it was, when, why, and what it did."""
    asked = revision.recalculation
    when = f" {asked.done_at:%Y-%m-%d}" if asked.done_at else ""
    why = f": {asked.note}" if asked.note else ""
    return f"{asked.get_cause_display()}{when}{why} ({signed(revision.change)})"
