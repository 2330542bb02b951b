"""Plots of ratings as SVG, for pages and for files. Pure: no Django, no database, no clock.

Shapes carry colours for a light page of their own, and classes by which a page may give them others: `paper`,
`grid`, `ink`, `line`, `point`, `mark`, `bar` and `own`.
"""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import count, takewhile
from math import ceil, floor
from typing import NamedTuple

from ratings.maths import START

WIDTH, HEIGHT = 640, 310
LEFT, RIGHT, TOP, BOTTOM = 64, 32, 24, 60
MOST_POINTS = 500
BIN = 50
"""Points of rating that one bar of the histogram stands for."""

# Of a plot with little in it: a change of one point is not to look like a landslide, nor one player a crowd.
LEAST_SPAN, LEAST_MATCHES, LEAST_BINS, LEAST_PLAYERS = 50.0, 5, 8, 4
RADII = ((40, 3.5), (120, 2.2), (MOST_POINTS, 1.4))  # of points, by how many there are at most
START_BIN = int(START)
STEPS = (1, 2, 5)
INK, FAINT, LINE, MARK, OWN = "#222222", "#d5d9e0", "#1f5fa8", "#9a3b00", "#b34700"


class Point(NamedTuple):
    """A player's rating after his `number`-th rated match, from 1 on, and where that match is told of."""

    number: int
    rating: float
    provisional: bool
    label: str
    href: str


class Mark(NamedTuple):
    """A recalculation that altered the rating, after so many rated matches."""

    matches: int
    note: str


class Scale(NamedTuple):
    """Takes values from `low` to `high` to places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)


def history(points: Sequence[Point], marks: Sequence[Mark], start: float, title: str) -> str:
    """A step line over rated matches, from the rating `start` before the first of `points`, in their order.

    Dashed while provisional. Each point links to its match, which the table of a page shows too, so that
    the keyboard is not led through hundreds of them. Over `MOST_POINTS` points some are left out.
    """
    shown = thinned(points)
    x, y, rows = _plane(shown, start)
    columns = round_numbers(0, x.high, 6, 1)
    radius = next(radius for most, radius in RADII if len(shown) <= most)
    parts = [
        *_rows(rows, y),
        *(_below(x(number), number) for number in columns),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 7, "rated matches"),
        *(_mark(mark, x) for mark in marks),
        *_lines(shown, start, x, y),
        *(_link(point, x, y, radius) for point in shown),
    ]
    return document(title, told(points, marks, start), parts)


def _plane(points: Sequence[Point], start: float) -> tuple[Scale, Scale, list[float]]:
    """The scales of a history, and the round ratings between which it lies."""
    values = [start, *(point.rating for point in points)]
    middle, span = (min(values) + max(values)) / 2, max(max(values) - min(values), LEAST_SPAN)
    rows = round_numbers(middle - span / 2, middle + span / 2, 6, 1, around=True)
    y = Scale(rows[0], rows[-1], HEIGHT - BOTTOM, TOP)
    last = max([LEAST_MATCHES, *(point.number for point in points)])
    return Scale(0, last, LEFT, WIDTH - RIGHT), y, rows


def histogram(bins: Mapping[int, int], own: float | None, title: str) -> str:
    """Bars of how many players have a rating in each `BIN` points, by the lower end of the bin.

    The bin that the rating `own` falls in has another colour and an arrow.
    """
    mine = None if own is None else bin_of(own)
    low, high = _span([*bins, *([] if mine is None else [mine])])
    x = Scale(low, high, LEFT, WIDTH - RIGHT)
    rows = round_numbers(0, max([LEAST_PLAYERS, *bins.values()]), 5, 1, around=True)
    y = Scale(0, rows[-1], HEIGHT - BOTTOM, TOP)
    columns = round_numbers(low, high, 6, BIN)
    parts = [
        *_rows(rows, y),
        *(_bar(at, players, x, y, at == mine) for at, players in sorted(bins.items())),
        *([_arrow(x(mine + BIN / 2), y(bins.get(mine, 0)))] if mine is not None else []),
        *(_below(x(rating), rating) for rating in columns),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 7, "rating, and how many players have it"),
    ]
    return document(title, _spread(bins, mine), parts)


def _span(bins: Sequence[int]) -> tuple[int, int]:
    """From where to where bars are drawn: all bins, and some empty ones on both sides of a few."""
    low, high = min(bins, default=START_BIN), max(bins, default=START_BIN) + BIN
    missing = max(0, LEAST_BINS - (high - low) // BIN)
    return low - BIN * (missing // 2), high + BIN * (missing - missing // 2)


def bin_of(rating: float) -> int:
    """The lower end of the bin of the histogram that a rating falls in."""
    return floor(rating / BIN) * BIN


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """At most `most` of the points, 4 or more, in their order: the first, the last, and of each equal part of
    the others the lowest and the highest, so that no peak is lost.
    """
    if len(points) <= most:
        return list(points)
    inner, parts = points[1:-1], (most - 2) // 2
    kept = {points[0], points[-1]}
    for part in range(parts):
        piece = inner[len(inner) * part // parts : len(inner) * (part + 1) // parts]
        kept |= {min(piece, key=_height), max(piece, key=_height)}
    return sorted(kept)


def _height(point: Point) -> float:
    return point.rating


def round_numbers(low: float, high: float, most: int, least: int, around: bool = False) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten times `least`, so many at most, from `low` to `high`;
    with `around` also the one below and above, so that all lies between them.
    """
    wanted = (high - low) / (most - 1)
    sizes = (least * step * 10**power for power in count() for step in STEPS)
    step = next(size for size in sizes if size >= wanted)
    first, last = (floor(low / step), ceil(high / step)) if around else (ceil(low / step), floor(high / step))
    return [float(step * at) for at in range(first, max(last, first + around) + 1)]


def told(points: Sequence[Point], marks: Sequence[Mark], start: float) -> str:
    """What a history shows, in words."""
    if not points:
        return f"No rated match yet; the first one starts from {start:.0f}."
    values = [point.rating for point in points]
    words = (
        f"From {start:.0f} to {values[-1]:.0f} in {_several(len(points), 'rated match', 'rated matches')},"
        f" {max(values):.0f} at most and {min(values):.0f} at least."
    )
    return words + (f" {_several(len(marks), 'recalculation', 'recalculations')}." if marks else "")


def _spread(bins: Mapping[int, int], mine: int | None) -> str:
    players = sum(bins.values())
    if not players:
        return "Nobody is listed yet."
    words = f"{_several(players, 'player', 'players')} from {min(bins)} to {max(bins) + BIN}."
    return words if mine is None else f"{words} The marked bar is that of {mine} to {mine + BIN}."


def _several(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


# Shapes


def document(title: str, description: str, parts: Sequence[str]) -> str:
    """The whole SVG. Title and description are what someone hears who does not see it."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            ' font-family="sans-serif" font-size="13" class="plot">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="ink" {place} fill="{INK}">{escape(words)}</text>'


def _rows(values: Sequence[float], y: Scale) -> list[str]:
    """A faint line across, and its number beside it, for each value."""
    parts = []
    for value in values:
        line = f'<path class="grid" d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>'
        parts += [line, text(LEFT - 8, y(value) + 5, f"{value:.0f}", "end")]
    return parts


def _below(x: float, value: float) -> str:
    tick = f'<path class="ink" d="M{x:.1f} {HEIGHT - BOTTOM}v5" stroke="{INK}"/>'
    return tick + text(x, HEIGHT - BOTTOM + 24, f"{value:.0f}")


def _lines(points: Sequence[Point], start: float, x: Scale, y: Scale) -> list[str]:
    """The step line: dashed through the provisional points, which are the first ones, then solid."""
    if not points:
        return []
    first = sum(1 for _ in takewhile(lambda point: point.provisional, points))
    joint = points[first - 1] if first else Point(0, start, False, "", "")
    dashed = _steps(0, start, points[:first], x, y, ' stroke-dasharray="5 4"')
    return dashed + _steps(joint.number, joint.rating, points[first:], x, y, "")


def _steps(number: int, rating: float, to: Sequence[Point], x: Scale, y: Scale, dashes: str) -> list[str]:
    """Level up to each match, and there up or down to what came of it."""
    if not to:
        return []
    path = "".join(f"H{x(point.number):.1f}V{y(point.rating):.1f}" for point in to)
    path = f"M{x(number):.1f} {y(rating):.1f}{path}"
    return [f'<path class="line" d="{path}" fill="none" stroke="{LINE}" stroke-width="2"{dashes}/>']


def _link(point: Point, x: Scale, y: Scale, radius: float) -> str:
    """A point that can be hit: a clear circle, twice as large, around the one that is seen."""
    at = f'cx="{x(point.number):.1f}" cy="{y(point.rating):.1f}"'
    return (
        f'<a href="{escape(point.href)}" tabindex="-1"><title>{escape(point.label)}</title>'
        f'<circle {at} r="{2 * radius:g}" fill-opacity="0"/>'
        f'<circle class="point" {at} r="{radius:g}" fill="{LINE}"/></a>'
    )


def _mark(mark: Mark, x: Scale) -> str:
    """A recalculation: a line from top to bottom, with a flag to point at, between two matches."""
    at = x(min(mark.matches + 0.5, x.high))
    return (
        f'<g><title>{escape(mark.note)}</title><path class="mark" stroke="{MARK}" fill="{MARK}"'
        f' stroke-dasharray="2 3" d="M{at:.1f} {HEIGHT - BOTTOM}V{TOP - 12}"/>'
        f'<path class="mark" fill="{MARK}" d="M{at:.1f} {TOP - 14}l10 5l-10 5z"/></g>'
    )


def _bar(low: int, players: int, x: Scale, y: Scale, own: bool) -> str:
    left, right, top = x(low) + 1, x(low + BIN) - 1, y(players)
    label = f"{low} to {low + BIN}: {_several(players, 'player', 'players')}"
    return (
        f'<g><title>{label}</title><rect class="{"own" if own else "bar"}" x="{left:.1f}" y="{top:.1f}"'
        f' width="{right - left:.1f}" height="{y(0) - top:.1f}" fill="{OWN if own else LINE}"/></g>'
    )


def _arrow(x: float, y: float) -> str:
    return f'<path class="own" d="M{x:.1f} {y - 4:.1f}l-6 -10h12z" fill="{OWN}"/>'
