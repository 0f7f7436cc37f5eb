"""Guests by surname: their names in lists, and the letters that group them."""

from __future__ import annotations

import re
import unicodedata

from workspace.lib.name_order import DEFAULT_ORDER, Order, split_by_order
from workspace.lib.text import search_key

# scripts that are not grouped by letter: Han, kana and Hangul have too many first characters
_WITHOUT_LETTERS = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


def format_by_surname(name: str, sort_name: str = "", order: Order = DEFAULT_ORDER) -> str:
    """Format a name as `Berg, Anna`.

    A name that has only one part, or starts with the surname, does not change.
    """
    if sort_name:
        return sort_name
    if _WITHOUT_LETTERS.search(name):
        return name
    parts = split_by_order(name, order)
    if not parts.family or not parts.given or order == "family_first":
        return name
    behind = " ".join(filter(None, (parts.prefix, parts.given, parts.suffix)))
    return f"{parts.family}, {behind}"


def name_sort_key(name: str) -> tuple[str, str]:
    """Return a sort key that ignores diacritics."""
    return search_key(name), name


def heading_letter(name: str) -> str:
    """Return the letter of the heading for a name, or an empty string if its script has no such headings."""
    first = next((char for char in name if char.isalpha()), "")
    if not first or _WITHOUT_LETTERS.match(first):
        return ""
    base = unicodedata.normalize("NFD", first)[0]
    return base.upper() if base.upper().isalpha() else first


def format_by_first_name(name: str, order: Order = DEFAULT_ORDER) -> str:
    """Format a name for a list by first name: `Anna, Nagy` for `Nagy Anna`, and other names as written."""
    parts = split_by_order(name, order)
    if order == "family_first" and parts.given and parts.family and not _WITHOUT_LETTERS.search(name):
        return f"{parts.given}, {parts.family}"
    if "," in name and parts.given and parts.family:
        return f"{parts.given} {parts.family}"
    return name
