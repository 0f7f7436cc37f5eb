"""Answers as text for people, with the labels of options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def format_answer(field: Mapping[str, Any], value: Any) -> str:
    """Format an answer for emails, tables and lists."""
    return format_value(value, option_labels(field))


def option_labels(field: Mapping[str, Any]) -> dict[str, str]:
    return {option["value"]: option["label"] for option in field.get("options", ())}


def format_value(value: Any, labels: Mapping[str, str]) -> str:
    """Format an answer, given the labels of options. This is for many answers to the same question."""
    if isinstance(value, str):
        return labels.get(value, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):  # a signature
        return str(value.get("name") or "signed")
    if isinstance(value, list):
        return ", ".join(labels.get(item, item) if isinstance(item, str) else str(item.get("name")) for item in value)
    return f"{value:,}" if abs(value) >= 1e15 else str(value)
