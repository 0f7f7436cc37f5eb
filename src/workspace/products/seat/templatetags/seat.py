"""Lengths in drawings: centimeters with a decimal point in every language."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def cm(value: float) -> str:
    return f"{round(value, 1):g}"


@register.filter
def half(value: float) -> str:
    return f"{round(value / 2, 1):g}"
