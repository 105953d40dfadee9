"""A plot of how cost grows, as SVG: decisions a second and their latency over the number of tables, both in powers of
ten, in memory and on disk."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import escape

from benchmarks.figure import Figure

WIDTH, HEIGHT, MARGIN = 360, 260, 48
LINES = {"in memory": "#1b6ca8", "on disk": "#c0562f"}
PANELS = (("decisions", "decisions a second"), ("p50", "ms, half of them below"), ("p99", "ms, 99 of 100 below"))
_NAME = re.compile(r"(\d+) tables, (in memory|on disk): (\w+)")

Point = tuple[float, float]


def plot(figures: Iterable[Figure]) -> str:
    """The picture of those figures that tell of a number of tables; "" if there are none."""
    points: dict[tuple[str, str], list[Point]] = {}
    for figure in figures:
        if found := _NAME.fullmatch(figure.name):
            points.setdefault((found[3], found[2]), []).append((float(found[1]), figure.value.median))
    if not points:
        return ""
    panels = [
        _panel(title, {where: points.get((what, where), []) for where in LINES}, number)
        for number, (what, title) in enumerate(PANELS)
    ]
    size = f'width="{WIDTH * len(PANELS)}" height="{HEIGHT + 30}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    legend = [
        f'<text x="{MARGIN + 120 * number}" y="{HEIGHT + 20}" fill="{color}">{where}</text>'
        for number, (where, color) in enumerate(LINES.items())
    ]
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *panels, *legend, "</svg>", ""])


def _panel(title: str, lines: dict[str, list[Point]], number: int) -> str:
    every = [point for line in lines.values() for point in line] or [(1.0, 1.0)]
    across = _powers([x for x, _ in every])
    up = _powers([y for _, y in every])

    def place(point: Point) -> Point:
        x = MARGIN + (math.log10(point[0]) - across[0]) / max(1, len(across) - 1) * (WIDTH - 1.5 * MARGIN)
        y = HEIGHT - MARGIN - (math.log10(point[1]) - up[0]) / max(1, len(up) - 1) * (HEIGHT - 2 * MARGIN)
        return x, y

    parts = [f'<g transform="translate({number * WIDTH} 0)">', f'<text x="{MARGIN}" y="24">{escape(title)}</text>']
    for power in up:
        _, y = place((10.0 ** across[0], 10.0**power))
        parts.append(f'<path d="M{MARGIN} {y:.1f}H{WIDTH - MARGIN / 2:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for power in across:
        x, _ = place((10.0**power, 10.0 ** up[0]))
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{10.0**power:g}</text>')
    for where, line in lines.items():
        placed = [place(point) for point in sorted(line)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{LINES[where]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{LINES[where]}"/>' for x, y in placed]
    return "\n".join([*parts, "</g>"])


def _powers(values: Sequence[float]) -> range:
    """The powers of ten around them."""
    logs = [math.log10(value) for value in values]
    return range(math.floor(min(logs)), math.ceil(max(logs)) + 1)
