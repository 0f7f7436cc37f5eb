"""Rendering several hundred similar rows quickly.

The template is parsed once, and its placeholders are filled for each row without Django's engine, which takes a
millisecond for ten of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

_PLACEHOLDER = re.compile("\ue000([a-z_]+)\ue001")


class _Placeholders(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return f"\ue000{name}\ue001"


def render_rows(template: str, rows: Iterable[Mapping[str, Any]]) -> SafeString:
    """Render a template for each row.

    The template may contain only plain placeholders, `{{ row.name }}`, and text to translate. Pass other content that
    depends on the row as a value. Values are escaped unless they are a `SafeString`.
    """
    first, *pieces = _split_template(template, get_language())
    filled = (
        first + "".join(_escape_value(row[name]) + words for name, words in zip(pieces[::2], pieces[1::2], strict=True))
        for row in rows
    )
    return mark_safe("".join(filled))


@lru_cache(32)
def _split_template(template: str, language: str | None) -> list[str]:
    return _PLACEHOLDER.split(render_to_string(template, {"row": _Placeholders()}))


def _escape_value(value: Any) -> str:
    return value if isinstance(value, SafeString) else escape(str(value))
