"""Lengths in drawings, with a decimal point in every language, chairs, and labels of tables."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from workspace.products.seat.dashboard.chair_shapes import draw_chairs
from workspace.products.seat.domain.floor_plan import PlanItem, format_length
from workspace.products.seat.rules.table_labels import format_table_label

register = template.Library()
TAB_ICONS = {
    "guests": "person",
    "arrange": "spark",
    "print": "print",
    "door": "check",
    "share": "share",
    "results": "chart",
    "settings": "gear",
}


@register.filter
def cm(value: float) -> str:
    return format_length(value)


@register.filter
def half(value: float) -> str:
    return format_length(value / 2)


@register.filter
def chairs(item: PlanItem) -> SafeString:
    """Draw the chairs of a table."""
    return draw_chairs(item)


@register.filter
def tab_icon(url: str) -> str:
    """Return the icon of a chart's tab."""
    return TAB_ICONS.get(url.rpartition("/")[2], "seat")


@register.filter
def table_label(name: str) -> str:
    """Return `Table 7` for a number. Return other names unchanged."""
    return format_table_label(name)
