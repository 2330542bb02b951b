"""The plot of `manage.py rating_eval`: what was predicted beside what came, as SVG. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

COLOURS = {
    "our Elo": "#1f5fa8",
    "openskill PL": "#b5b5b5",
    "openskill PL, tuned": "#2e8b57",
    "Bradley-Terry, tuned": "#d98c1f",
}
PANELS = {
    "pair_bins": ("A pair: the favourite ends above the other", 50),
    "win_bins": ("A table: the side wins the match", 0),
}

SIDE, LEFT, TOP, GAP = 250, 60, 66, 70
WIDTH, HEIGHT = LEFT + 2 * SIDE + GAP + 20, TOP + SIDE + 50
INK, FAINT = "#222222", "#dddddd"
TELLING = 200  # predictions in a range; fewer wander by chance
Place = Callable[[float], float]


def svg(report: Mapping[str, Any]) -> str:
    """The whole file: a panel for pairs and one for whole tables, a line for each system of `COLOURS`."""
    systems = {row["system"]: row for row in report["systems"] if row["system"] in COLOURS}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *(_key(LEFT + 140 * at, name) for at, name in enumerate(systems)),
    ]
    for at, (bins, (title, low)) in enumerate(PANELS.items()):
        lines = {name: row[bins] for name, row in systems.items()}
        parts += _panel(LEFT + (SIDE + GAP) * at, title, low, lines)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _key(x: float, name: str) -> str:
    square = f'<rect x="{x:g}" y="10" width="12" height="12" fill="{COLOURS[name]}"/>'
    return square + _text(x + 18, 20, name, "start")


def _panel(left: float, title: str, low: int, lines: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    """A square from `low` to 100 per cent either way, with the diagonal on which all would lie."""

    def x(percent: float) -> float:
        return left + SIDE * (percent - low) / (100 - low)

    def y(percent: float) -> float:
        return TOP + SIDE * (100 - percent) / (100 - low)

    parts = [_text(left, TOP - 14, title, "start")]
    for percent in range(low, 101, (100 - low) // 5):
        parts.append(_line((x(low), y(percent)), (x(100), y(percent)), FAINT))
        parts.append(_line((x(percent), y(low)), (x(percent), y(100)), FAINT))
        parts.append(_text(left - 8, y(percent) + 4, f"{percent}", "end"))
        parts.append(_text(x(percent), TOP + SIDE + 18, f"{percent}"))
    parts.append(_line((x(low), y(low)), (x(100), y(100)), INK, ' stroke-dasharray="4 4"'))
    parts.append(_text(x(100), TOP + SIDE + 38, "predicted, %; upwards: came, %", "end"))
    for name, bins in lines.items():
        parts += _curve(bins, COLOURS[name], x, y)
    return parts


def _curve(bins: Sequence[Mapping[str, Any]], colour: str, x: Place, y: Place) -> list[str]:
    points = [(x(100 * row["predicted"]), y(100 * row["came"])) for row in bins if row["count"] >= TELLING]
    path = " ".join(f"{at:.1f},{up:.1f}" for at, up in points)
    line = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    return [line, *(f'<circle cx="{at:.1f}" cy="{up:.1f}" r="3" fill="{colour}"/>' for at, up in points)]


def _line(start: tuple[float, float], end: tuple[float, float], colour: str, more: str = "") -> str:
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        f' stroke="{colour}" stroke-width="1"{more}/>'
    )


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{INK}">{words}</text>'
