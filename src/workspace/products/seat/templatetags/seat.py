"""Lengths in drawings, with a decimal point in every language, and labels of tables."""

from __future__ import annotations

from django import template

from workspace.products.seat.domain.floor_plan import format_length
from workspace.products.seat.rules.table_labels import format_table_label

register = template.Library()


@register.filter
def cm(value: float) -> str:
    return format_length(value)


@register.filter
def half(value: float) -> str:
    return format_length(value / 2)


@register.filter
def table_label(name: str) -> str:
    """Return `Table 7` for a number. Return other names unchanged."""
    return format_table_label(name)
