"""The plot of strength against budget in docs/bots.md: `python -m tests.bench.strength [DEALS]`.

For each budget the figures of `manage.py duel strong greedy --playouts N --seed 1`.
"""

import os
import sys
from collections.abc import Mapping
from math import log10
from pathlib import Path
from typing import Any

from games.bots import LEVELS, strong_or_greedy
from games.bots.duel import Duel, deal_figures, report
from games.engine import Contract, options_for
from tests.bench.swiss_plot import text

PLOT = Path(__file__).resolve().parents[2] / "docs" / "images" / "strength.svg"
BUDGETS = (50, 200, 800, 2000, 8000, 20_000)
RULES = options_for("cardkings")
TRICKS = tuple(contract for contract in RULES.contracts if contract is not Contract.TRIX)
ASKED = 45  # what the bot is to reach

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 560, 260, 50, 30, 60
INK, FAINT, LINE = "#222222", "#dddddd", "#1f5fa8"


def measure(deals: int) -> dict[int, dict[str, Any]]:
    """By playouts what the duel reports."""
    found = {}
    for playouts in BUDGETS:
        duel = Duel(strong_or_greedy(playouts), LEVELS["greedy"], RULES, seed=1)
        figures = list(deal_figures(duel, TRICKS, deals, os.cpu_count() or 1))
        found[playouts] = report(duel, figures, [])
        told = {key: found[playouts][key] for key in ("advantage", "ci95", "ms_per_decision")}
        print(f"{playouts:>7,}", told, flush=True)
    return found


def svg(found: Mapping[int, Mapping[str, Any]]) -> str:
    """Points with their intervals over the logarithm of the budget, and below each what a decision takes."""
    most = max(ASKED, *(figures["ci95"][1] for figures in found.values())) * 1.05
    low, high = log10(min(found)), log10(max(found))

    def x(playouts: int) -> float:
        return LEFT + 20 + (WIDTH - LEFT - 70) * (log10(playouts) - low) / (high - low)

    def y(points: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - points / most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(LEFT, TOP - 12, "points a deal over three greedy, four trick contracts", "start"),
        text(WIDTH - 20, HEIGHT - 8, "playouts a decision, and its milliseconds of a core", "end"),
    ]
    for points in range(0, int(most), 10):
        parts.append(_line(LEFT, y(points), WIDTH - 20, y(points), FAINT))
        parts.append(text(LEFT - 8, y(points) + 4, str(points), "end"))
    parts.append(_line(LEFT, y(ASKED), WIDTH - 20, y(ASKED), INK, ' stroke-dasharray="4 4"'))
    path = " ".join(f"{x(playouts):.1f},{y(figures['advantage']):.1f}" for playouts, figures in found.items())
    parts.append(f'<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    for playouts, figures in found.items():
        at, (least, top) = x(playouts), figures["ci95"]
        parts.append(_line(at, y(least), at, y(top), LINE))
        parts.append(f'<circle cx="{at:.1f}" cy="{y(figures["advantage"]):.1f}" r="4" fill="{LINE}"/>')
        parts.append(text(at, HEIGHT - BOTTOM + 18, f"{playouts:,}"))
        parts.append(text(at, HEIGHT - BOTTOM + 34, f"{figures['ms_per_decision']:.1f} ms"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(x: float, y: float, to_x: float, to_y: float, colour: str, more: str = "") -> str:
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"'
        f' stroke-width="1.5"{more}/>'
    )


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    if asked < 2:
        sys.exit("An interval takes two deals or more.")
    PLOT.write_text(svg(measure(asked)))
