"""The tags of guests' pages: `{% load guests %}`."""

from __future__ import annotations

from functools import cache
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from pydantic import BaseModel

from workspace.publishing import icons
from workspace.publishing.guest_form import WHOLE, Sheet

register = template.Library()


@register.simple_tag
def icon(name: str) -> SafeString:
    return icons.icon(name)


@register.inclusion_tag("public/parts/field.html")
def guest_field(
    sheet: Sheet[Any], name: str, label: str, kind: str = "text", help: str = "", optional: bool = False, **more: Any
) -> dict[str, Any]:
    """A field of a guest's form with its label, its help and its problem; what it must hold the form's model tells.
    `kind` is text, email, tel, url, number, lines, or check for a box; `optional` says so beside the label. More:
    autocomplete, placeholder, inputmode, rows (of lines)."""
    limits = _limits(sheet.model)[name]  # type: ignore[arg-type]  # a class is hashable
    problem = sheet.problems.get(name, "")
    notes = [f"{name}-error"] * bool(problem) + [f"{name}-help"] * bool(help)
    return {
        "name": name,
        "label": label,
        "kind": kind,
        "value": sheet.typed.get(name, ""),
        "problem": problem,
        "help": help,
        "rows": more.pop("rows", 3),
        "optional": optional,
        "required": "default" not in limits,
        "most": limits.get("maxLength"),
        "notes": " ".join(notes),
        "more": more,
    }


@register.simple_tag
def guest_problems(sheet: Sheet[Any]) -> SafeString:
    """Above the form: what is wrong with it as a whole, or that something below is."""
    if not sheet.problems:
        return mark_safe("")
    words = sheet.problems.get(WHOLE, "Please look at the fields below.")
    return format_html('<p class="note" data-kind="bad" role="alert">{}</p>', words)


@cache
def _limits(model: type[BaseModel]) -> dict[str, dict[str, Any]]:
    """The JSON Schema of each of the model's fields."""
    found: dict[str, dict[str, Any]] = model.model_json_schema()["properties"]
    return found
