"""Charts as SVG: pure functions from points to markup.

Shapes stretch to the width of the page, but text is HTML, so that a chart is readable on a phone. A table contains the
same data for screen readers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from workspace.owner_translation import OwnerText

WIDTH, HEIGHT = 600.0, 160.0  # in units of the SVG
_SPARK_WIDTH, _SPARK_HEIGHT = 120.0, 32.0
_GAP = 0.28  # share of a bar's space
_SCALE_STEPS = (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10)  # each is multiplied by a power of ten


@dataclass(frozen=True, slots=True)
class Point:
    """A label and its value, which is not negative. `hint` replaces `label: value` in the tooltip."""

    label: str
    value: float
    hint: str = ""


def render_bar_chart(points: Sequence[Point], *, title: str, unit: str = "") -> SafeString:
    """Render vertical bars from left to right, one per point."""
    top = axis_maximum(max((point.value for point in points), default=0))
    step = WIDTH / max(len(points), 1)
    shapes = []
    for number, point in enumerate(points):
        height = max(HEIGHT * _non_negative_value(point.value) / top, 2.0 if point.value > 0 else 0.0)
        left = number * step
        shapes.append(
            f'<g class="chart-point"><title>{_format_hint(point, unit)}</title>'
            f'<rect class="chart-hit" x="{left:.2f}" y="0" width="{step:.2f}" height="{HEIGHT:g}"/>'
            f'<rect class="chart-bar" x="{left + step * _GAP / 2:.2f}" y="{HEIGHT - height:.2f}" '
            f'width="{step * (1 - _GAP):.2f}" height="{height:.2f}"/></g>'
        )
    return _render_figure(points, title=title, unit=unit, axis_maximum=top, shapes="".join(shapes))


def render_line_chart(points: Sequence[Point], *, title: str, unit: str = "") -> SafeString:
    """Render a line with a tinted area below it, through the points from left to right."""
    top = axis_maximum(max((point.value for point in points), default=0))
    step = WIDTH / max(len(points) - 1, 1)
    places = [(n * step, HEIGHT - HEIGHT * _non_negative_value(point.value) / top) for n, point in enumerate(points)]
    shapes = []
    if places:
        if len(places) == 1:
            places.append((WIDTH, places[0][1]))
        path = "L".join(f"{x:.2f} {y:.2f}" for x, y in places)
        shapes.append(f'<path class="chart-area" d="M{path}L{WIDTH:g} {HEIGHT:g}L0 {HEIGHT:g}Z"/>')
        shapes.append(f'<path class="chart-line" d="M{path}"/>')
    for number, point in enumerate(points):
        left = max(number * step - step / 2, 0.0)
        shapes.append(
            f'<g class="chart-point"><title>{_format_hint(point, unit)}</title>'
            f'<rect class="chart-hit" x="{left:.2f}" y="0" width="{step:.2f}" height="{HEIGHT:g}"/></g>'
        )
    return _render_figure(points, title=title, unit=unit, axis_maximum=top, shapes="".join(shapes))


def render_sparkline(counts: Sequence[float], *, highlighted_count: int) -> SafeString:
    """Render a small line without text. The last `highlighted_count` counts are emphasized.

    It is hidden from screen readers, because the same data is shown next to it as numbers.
    """
    if not any(counts):
        return mark_safe("")
    top, step = max(map(_non_negative_value, counts)), _SPARK_WIDTH / max(len(counts) - 1, 1)
    places = [
        f"{n * step:.1f} {_SPARK_HEIGHT - (_SPARK_HEIGHT - 4) * _non_negative_value(count) / top - 2:.1f}"
        for n, count in enumerate(counts)
    ]
    first = len(counts) - highlighted_count
    now = "L".join(places[first:])
    end = f"L{_SPARK_WIDTH:g} {_SPARK_HEIGHT:g}L{first * step:.1f} {_SPARK_HEIGHT:g}Z"
    before = f'<path class="spark-before" d="M{"L".join(places[: first + 1])}"/>' if first else ""
    return mark_safe(
        f'<svg class="spark" viewBox="0 0 {_SPARK_WIDTH:g} {_SPARK_HEIGHT:g}" preserveAspectRatio="none" '
        f'aria-hidden="true" focusable="false"><path class="chart-area" d="M{now}{end}"/>{before}'
        f'<path class="spark-now" d="M{now}"/></svg>'
    )


def render_share_list(points: Sequence[Point], *, title: OwnerText, empty_text: OwnerText = "") -> SafeString:
    """Render shares of a total (for example, by country) as a table with a bar in each row."""
    total = sum(_non_negative_value(point.value) for point in points)
    if not total:
        return format_html(
            '<section class="shares"><h2>{}</h2><p class="quiet">{}</p></section>',
            title,
            empty_text or gettext("No data yet"),
        )
    parts = [(point, 100 * _non_negative_value(point.value) / total) for point in points]
    rows = format_html_join(
        "",
        '<tr><th scope="row">{}</th><td class="shares-bar"><svg width="100%" height="8" aria-hidden="true">'
        '<rect class="chart-ground" width="100%" height="8" rx="4"/>'
        '<rect class="chart-bar" width="{}%" height="8" rx="4"/></svg></td>'
        '<td class="shares-number">{}</td><td class="shares-part">{} %</td></tr>',
        (
            (point.label, f"{part:.1f}", format_number(_non_negative_value(point.value)), f"{part:.0f}")
            for point, part in parts
        ),
    )
    return format_html(
        '<section class="shares"><h2>{}</h2><table><caption class="visually-hidden">{}</caption>'
        "<tbody>{}</tbody></table></section>",
        title,
        title,
        rows,
    )


def axis_maximum(highest_value: float) -> float:
    """Return the top of the scale, an even number equal to or slightly above the highest value."""
    highest_value = _non_negative_value(highest_value)
    if highest_value <= 2:
        return 2
    power = 10.0 ** math.floor(math.log10(highest_value))
    tops = (factor * power for factor in _SCALE_STEPS)
    return next((top for top in tops if top >= highest_value and (top / 2).is_integer()), 10 * power)


def format_day(iso_date: str) -> str:
    """Format a day for the axis of a chart: 2026-11-08 becomes 8 Nov."""
    return f"{date.fromisoformat(iso_date):%-d %b}"


def format_number(value: float) -> str:
    """Format a number for display, such as 12,345 or 0.5."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}".rstrip("0").rstrip(".")


def _non_negative_value(value: float) -> float:
    return float(value) if math.isfinite(value) and value > 0 else 0.0


def _format_hint(point: Point, unit: str) -> str:
    return escape(
        point.hint or f"{point.label}: {format_number(_non_negative_value(point.value))}{' ' + unit if unit else ''}"
    )


def _render_figure(points: Sequence[Point], *, title: str, unit: str, axis_maximum: float, shapes: str) -> SafeString:
    total = sum(_non_negative_value(point.value) for point in points)
    about = gettext("%(title)s: %(total)s in total") % {
        "title": title,
        "total": f"{format_number(total)} {unit}".rstrip(),
    }
    lines = "".join(
        f'<line class="chart-grid" x1="0" x2="{WIDTH:g}" y1="{y:g}" y2="{y:g}"/>' for y in (0, HEIGHT / 2, HEIGHT)
    )
    marks = [points[0], points[len(points) // 2], points[-1]] if len(points) > 2 else list(points)
    return format_html(
        '<figure class="graph"><figcaption>{title}</figcaption><div class="chart-frame">'
        '<div class="chart-scale" aria-hidden="true"><span>{top}</span><span>{half}</span><span>0</span></div>'
        '<svg class="chart-plot" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" '
        'aria-label="{about}">'
        "{lines}{shapes}</svg>"
        '<div class="chart-marks" aria-hidden="true">{marks}</div></div>'
        "<details><summary>{as_table}</summary><table><thead><tr><th>{head}</th><th>{unit}</th></tr></thead>"
        "<tbody>{rows}</tbody></table></details></figure>",
        title=title,
        top=format_number(axis_maximum),
        half=format_number(axis_maximum / 2),
        width=f"{WIDTH:g}",
        height=f"{HEIGHT:g}",
        about=about,
        lines=mark_safe(lines),
        shapes=mark_safe(shapes),
        marks=format_html_join("", "<span>{}</span>", ((point.label,) for point in marks)),
        as_table=gettext("Show as table"),
        head=gettext("Date"),
        unit=unit.capitalize() or gettext("Number"),
        rows=format_html_join(
            "",
            '<tr><th scope="row">{}</th><td>{}</td></tr>',
            ((p.label, format_number(_non_negative_value(p.value))) for p in points),
        ),
    )
