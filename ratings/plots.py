"""Plots of ratings as SVG, drawn by the server. Pure: numbers and words in, text out.

Shapes have classes and no colours: `ratings/pages.css` gives them theirs, in light, dark and print. Each plot
is named for readers of the screen; what it shows stands in a table beside it as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor

WIDTH, HEIGHT = 640, 230
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 14, 30
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Point:
    """A match: the rating after it, where its row is, and what is said of it."""

    value: float
    address: str
    words: str
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A recalculation: after how many of the plotted points it was done, and what is said of it."""

    after: int
    words: str


def history(before: float, points: Sequence[Point], marks: Iterable[Mark], title: str, about: str) -> str:
    """A rating as steps, from `before` over one point a match; dashed while it is provisional.

    Each match is a link to its row, over the whole height, so that it can be hit where there are many. They
    are left out of the order of the tabulator: the rows have the same links.
    """
    values = [before, *(point.value for point in points)]
    ticks = ticks_over(min(values), max(values))
    step = (WIDTH - LEFT - RIGHT) / max(1, len(points))
    xs = [LEFT + step * (at + 0.5) for at in range(len(points))]
    ys = [_y(value, ticks) for value in values]
    dashed = [points[0].provisional, *(point.provisional for point in points)]
    parts = [
        *_axis(ticks),
        *(_mark(LEFT + step * mark.after, mark.words) for mark in marks),
        *_steps([LEFT, *xs, WIDTH - RIGHT], ys, sum(dashed)),
        *(
            _linked(point, x, y, step, _radius(len(points)))
            for point, x, y in zip(points, xs, ys[1:], strict=True)
        ),
    ]
    return _svg("history", parts, title, about)


def histogram(
    bins: Sequence[tuple[int, int]], width: int, title: str, about: str, here: float | None = None
) -> str:
    """Bars of `bins`: lower bound and count of each, `width` points wide; `here` is marked by a line."""
    low, high = _span(bins, width, here)
    ticks = ticks_over(0, max(count for _, count in bins), [1, 2, 5, *STEPS])

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)

    parts = [*_axis(ticks), *(_bar(x(at), x(at + width), count, at, width, ticks) for at, count in bins)]
    every = _step(high - low, [width, *(each for each in STEPS if each > width)], most=10)
    parts += [
        _text(x(at), HEIGHT - 10, str(at), "middle")
        for at in range(ceil(low / every) * every, high + 1, every)
    ]
    if here is not None:
        parts.append(f'<line class="here" x1="{x(here):.1f}" x2="{x(here):.1f}" y1="{TOP}" y2="{_BASE}"/>')
    return _svg("histogram", parts, title, about)


def ticks_over(low: float, high: float, steps: Sequence[int] = STEPS) -> list[int]:
    """Round numbers at equal distances, a few, the first at or below `low`, the last at or above `high`."""
    step = _step(high - low, steps, MOST_LINES)
    first = floor(low / step) * step
    last = max(ceil(high / step) * step, first + step)
    return list(range(first, last + step, step))


def _span(bins: Sequence[tuple[int, int]], width: int, here: float | None) -> tuple[int, int]:
    """From where to where the bins, and the marked place, reach."""
    low, high = bins[0][0], bins[-1][0] + width
    if here is None:
        return low, high
    return min(low, floor(here / width) * width), max(high, ceil(here / width) * width)


_BASE = HEIGHT - BOTTOM


def _step(span: float, steps: Sequence[int], most: int) -> int:
    """The least of `steps` by which there are at most so many in a span."""
    return next((step for step in steps if span / step <= most), ceil(span / most))


def _y(value: float, ticks: Sequence[int]) -> float:
    return _BASE - (_BASE - TOP) * (value - ticks[0]) / (ticks[-1] - ticks[0])


def _axis(ticks: Sequence[int]) -> list[str]:
    return [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(tick, ticks):.1f}"'
        f' y2="{_y(tick, ticks):.1f}"/>' + _text(LEFT - 8, _y(tick, ticks) + 4, str(tick), "end")
        for tick in ticks
    ]


def _steps(xs: Sequence[float], ys: Sequence[float], dashed: int) -> list[str]:
    """The line: y number n holds from x number n to the next one; so many of them are dashed, the first."""
    pieces = [("line dashed", 0, dashed), ("line", dashed, len(ys))]
    return [_path(kind, xs, ys, first, end) for kind, first, end in pieces if first < end]


def _path(kind: str, xs: Sequence[float], ys: Sequence[float], first: int, end: int) -> str:
    moves = "".join(f"V{ys[at]:.1f}H{xs[at + 1]:.1f}" for at in range(first, end))
    return f'<path class="{kind}" d="M{xs[first]:.1f} {ys[max(0, first - 1)]:.1f}{moves}"/>'


def _radius(points: int) -> float:
    return 3.5 if points <= 40 else 2.5 if points <= 100 else 1.5


def _linked(point: Point, x: float, y: float, step: float, radius: float) -> str:
    strip = f'<rect class="hit" x="{x - step / 2:.2f}" y="{TOP}" width="{step:.2f}" height="{_BASE - TOP}"/>'
    return (
        f'<a href="{escape(point.address)}" tabindex="-1"><title>{escape(point.words)}</title>{strip}'
        f'<circle class="{"open" if point.provisional else "dot"}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>'
        "</a>"
    )


def _mark(x: float, words: str) -> str:
    """A vertical line, with a wide invisible one to point at."""
    ends = f'x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{_BASE}"'
    return f'<g class="mark"><title>{escape(words)}</title><line {ends}/><line class="hit" {ends}/></g>'


def _bar(left: float, right: float, count: int, at: int, width: int, ticks: Sequence[int]) -> str:
    top = _y(count, ticks)
    return (
        f'<rect class="bar" x="{left + 1:.1f}" y="{top:.1f}" width="{right - left - 2:.1f}"'
        f' height="{_BASE - top:.1f}"><title>{at} to {at + width}: {count}</title></rect>'
    )


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _svg(kind: str, parts: Iterable[str], title: str, about: str) -> str:
    """A group and no image, so that the links in it are heard of."""
    head = (
        f'<svg class="plot {kind}" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{escape(title)}">'
    )
    return "\n".join([head, f"<desc>{escape(about)}</desc>", *parts, "</svg>"])
