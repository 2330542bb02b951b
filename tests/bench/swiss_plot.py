"""The plot of `swiss-quality`: our draw beside a greedy one, by size; less is better."""

from tests.bench.swiss import FIGURES

PANEL, HEIGHT, BAR, TOP, LEFT = 240, 150, 26, 60, 20
COLOURS = {"ours": "#1f5fa8", "greedy": "#b5b5b5"}
Figures = dict[int, dict[str, dict[str, float]]]


def svg(found: Figures) -> str:
    """The whole file."""
    width, height = LEFT + PANEL * len(FIGURES), TOP + HEIGHT + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *(_key(LEFT + 110 * at, name) for at, name in enumerate(COLOURS)),
        *(_panel(LEFT + PANEL * at, name, found) for at, name in enumerate(FIGURES)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _key(x: int, name: str) -> str:
    square = f'<rect x="{x}" y="10" width="12" height="12" fill="{COLOURS[name]}"/>'
    return square + text(x + 18, 20, "this draw" if name == "ours" else "greedy draw", "start")


def _panel(x: int, figure: str, found: Figures) -> str:
    most = max(draws[name][figure] for draws in found.values() for name in COLOURS)
    parts = [text(x, TOP - 18, FIGURES[figure], "start")]
    for group, (players, draws) in enumerate(found.items()):
        left = x + 70 * group
        parts += [_bar(left + BAR * at, draws[name][figure], most, name) for at, name in enumerate(COLOURS)]
        parts.append(text(left + BAR, TOP + HEIGHT + 18, str(players)))
    parts.append(text(x + 70 + BAR, TOP + HEIGHT + 36, "players"))
    return "\n".join(parts)


def _bar(x: int, value: float, most: float, name: str) -> str:
    height = round(HEIGHT * value / most, 1)
    y = TOP + HEIGHT - height
    bar = f'<rect x="{x}" y="{y:g}" width="{BAR - 2}" height="{height:g}" fill="{COLOURS[name]}"/>'
    return bar + text(x + BAR // 2 - 1, y - 4, f"{value:.1f}")


def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'
