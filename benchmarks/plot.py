"""A plot of lines over a logarithmic axis, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, log10

Points = Sequence[Sequence[float]]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 400, 60, 230, 50, 50
COLORS = ("#0b6e4f", "#1d4e89", "#c8553d", "#6a4c93", "#8a6d00", "#333333")


def svg(title: str, across: str, up: str, lines: Mapping[str, Points]) -> str:
    """Return the plot.

    `lines` has points (x, y) by name. The x axis is logarithmic, and the y axis starts at 0.
    """
    xs = [log10(x) for points in lines.values() for x, _ in points]
    first, last = int(min(xs)), max(ceil(max(xs)), int(min(xs)) + 1)
    top = _round(max(y for points in lines.values() for _, y in points))

    def place(x: float, y: float) -> str:
        return (
            f"{LEFT + (log10(x) - first) / (last - first) * (WIDTH - LEFT - RIGHT):.1f},"
            f"{HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM):.1f}"
        )

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{escape(title)}</text>',
        f'<text x="{LEFT}" y="{HEIGHT - 10}">{escape(across)}</text>',
        f'<text x="{LEFT - 48}" y="{TOP - 8}">{escape(up)}</text>',
    ]
    for exponent in range(first, last + 1):
        x, y = place(10**exponent, 0).split(",")
        drawn.append(f'<text x="{x}" y="{float(y) + 18}" text-anchor="middle">{_short(10**exponent)}</text>')
    for step in range(5):
        value = top * step / 4
        x, y = place(10**first, value).split(",")
        end = WIDTH - RIGHT
        drawn.append(f'<line x1="{x}" y1="{y}" x2="{end}" y2="{y}" stroke="#dddddd"/>')
        drawn.append(f'<text x="{LEFT - 8}" y="{float(y) + 4}" text-anchor="end">{value:g}</text>')
    for number, (name, points) in enumerate(lines.items()):
        color = COLORS[number % len(COLORS)]
        dashes = ' stroke-dasharray="6 4"' if number >= len(COLORS) else ""
        track = " ".join(place(x, y) for x, y in points)
        drawn.append(f'<polyline points="{track}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>')
        drawn += [f'<circle cx="{spot.split(",")[0]}" cy="{spot.split(",")[1]}" r="3" fill="{color}"/>'
                  for spot in track.split()]  # fmt: skip
        y = TOP + 8 + 20 * number
        drawn.append(f'<rect x="{WIDTH - RIGHT + 16}" y="{y - 9}" width="10" height="10" fill="{color}"/>')
        drawn.append(f'<text x="{WIDTH - RIGHT + 32}" y="{y}">{escape(name)}</text>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def stacked(drawings: Sequence[str]) -> str:
    """Stack several drawings in one."""
    if len(drawings) == 1:
        return drawings[0]
    placed = "".join(
        drawing.replace("<svg ", f'<svg y="{number * HEIGHT}" width="{WIDTH}" height="{HEIGHT}" ', 1)
        for number, drawing in enumerate(drawings)
    )
    box = f"0 0 {WIDTH} {HEIGHT * len(drawings)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">\n{placed}</svg>\n'


def _round(most: float) -> float:
    """Round up to the next of 1, 2, 4, 10 and so on."""
    power = 10.0 ** int(log10(most) // 1)
    return next(power * step for step in (1, 2, 4, 10) if power * step >= most)


def _short(number: int) -> str:
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)
