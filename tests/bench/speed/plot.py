"""How time and memory grow, drawn as an SVG that needs nothing else: four panels, rows from left to right."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil, log10
from typing import Literal

from attrs import frozen

from tests.bench.speed.growth import BULK, LISTED, LOAD, OURS, SCAN, STREAM, WORDS, Point

WIDTH, HEIGHT = 300, 190  # of a panel
LEFT, TOP, GAP = 64, 84, 70
COLOURS = {OURS: "#1f5fb4", STREAM: "#c2571a", LISTED: "#8a8a8a", BULK: "#c2571a"}
Measure = Literal["seconds", "mebibytes"]
TITLES: dict[tuple[str, Measure], str] = {
    (SCAN, "seconds"): "A scan: seconds",
    (LOAD, "seconds"): "A bulk load: seconds",
    (SCAN, "mebibytes"): "A scan: memory, MiB",
    (LOAD, "mebibytes"): "A bulk load: memory, MiB",
}
Lines = Mapping[tuple[str, str], Sequence[Point]]


@frozen
class Axis:
    """Values to places on a line of ``length``; the ticks are the values with a mark."""

    ticks: tuple[float, ...]
    length: float
    logarithmic: bool

    def place(self, value: float) -> float:
        """Where ``value`` lies, from the beginning of the line."""
        scale = log10 if self.logarithmic else float
        first, last = scale(self.ticks[0]), scale(self.ticks[-1])
        return (scale(value) - first) / (last - first) * self.length


def drawn(lines: Lines) -> str:
    """The picture."""
    width, height = LEFT + 2 * WIDTH + GAP + 30, TOP + 2 * (HEIGHT + GAP) - 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' font-family="system-ui, sans-serif" font-size="11" fill="#333">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        _text(
            LEFT,
            24,
            "How time and memory grow with the number of rows (below each panel)",
            size=15,
            weight="bold",
        ),
        *_legend(lines),
    ]
    for number, (work, measure) in enumerate(TITLES):
        shown = {way: points for (of, way), points in lines.items() if of == work}
        x, y = LEFT + number % 2 * (WIDTH + GAP), TOP + number // 2 * (HEIGHT + GAP)
        parts += [
            f'<g transform="translate({x} {y})">',
            *_panel(TITLES[work, measure], measure, shown),
            "</g>",
        ]
    return "\n".join([*parts, "</svg>", ""])


def _panel(title: str, measure: Measure, lines: Mapping[str, Sequence[Point]]) -> list[str]:
    rows = Axis(_decades(point.rows for points in lines.values() for point in points), WIDTH, True)
    values = [getattr(point, measure) for points in lines.values() for point in points]
    up = Axis(_decades(values) if measure == "seconds" else _even(values), HEIGHT, measure == "seconds")
    parts = [_text(0, -10, title, weight="bold")]
    for tick in up.ticks:
        y = HEIGHT - up.place(tick)
        parts.append(f'<path d="M0 {y:.1f}H{WIDTH}" stroke="#e3e3e3"/>')
        parts.append(_text(-8, y + 4, f"{tick:,g}", anchor="end"))
    for tick in rows.ticks:
        parts.append(_text(rows.place(tick), HEIGHT + 18, f"{tick:,.0f}", anchor="middle"))
    parts.append(f'<path d="M0 {HEIGHT}H{WIDTH}" stroke="#777"/>')
    for way, points in lines.items():
        places = [(rows.place(p.rows), HEIGHT - up.place(getattr(p, measure))) for p in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[way]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[way]}"/>' for x, y in places]
    return parts


def _legend(lines: Lines) -> list[str]:
    parts, x = [], float(LEFT)
    ways = {way for _, way in lines}
    for words, group in _by_colour(ways).items():
        parts.append(f'<path d="M{x:.0f} 44h22" stroke="{group}" stroke-width="3"/>')
        parts.append(_text(x + 28, 48, words))
        x += 60 + 5.6 * len(words)
    return parts


def _by_colour(ways: set[str]) -> dict[str, str]:
    """The words of each colour: two ways that share one are those of a scan and of a load."""
    words: dict[str, list[str]] = {}
    for way, colour in COLOURS.items():
        if way in ways:
            words.setdefault(colour, []).append(WORDS[way])
    return {"; ".join(names): colour for colour, names in words.items()}


def _decades(values: Iterable[float]) -> tuple[float, ...]:
    found = list(values)
    first, last = int(log10(min(found)) // 1), ceil(log10(max(found)) - 1e-9)
    return tuple(10.0**power for power in range(first, max(last, first + 1) + 1))


def _even(values: Sequence[float]) -> tuple[float, ...]:
    step = next(size for size in (25, 50, 100, 200, 500, 1_000, 2_000, 5_000) if max(values) / size <= 6)
    return tuple(float(step * number) for number in range(ceil(max(values) / step) + 1))


def _text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 11, weight: str = "normal"
) -> str:
    style = f'text-anchor="{anchor}" font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'
