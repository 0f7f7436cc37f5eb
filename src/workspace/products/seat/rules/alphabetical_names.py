"""Guests by surname: their names in lists, and the letters that group them."""

from __future__ import annotations

import re
import unicodedata

from workspace.lib.name_order import DEFAULT_ORDER, Order, split_by_order
from workspace.lib.text import search_key

# scripts that are not grouped by letter: Han, kana and Hangul have too many first characters
_WITHOUT_LETTERS = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


def format_by_surname(name: str, sort_name: str = "", order: Order = DEFAULT_ORDER) -> str:
    """Return a name as `Berg, Anna`.

    A name with only one part, or with the surname first, is returned unchanged.
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
    """Return a key that sorts by letters without diacritics."""
    return search_key(name), name


def heading_letter(name: str) -> str:
    """Return the heading letter of a name, or an empty string if lists in that script have none."""
    first = next((char for char in name if char.isalpha()), "")
    if not first or _WITHOUT_LETTERS.match(first):
        return ""
    base = unicodedata.normalize("NFD", first)[0]
    return base.upper() if base.upper().isalpha() else first


def format_by_first_name(name: str, order: Order = DEFAULT_ORDER) -> str:
    """Return a name as a list by first names shows it: as it is written, or `Anna, Nagy` for `Nagy Anna`."""
    parts = split_by_order(name, order)
    if order == "family_first" and parts.given and parts.family and not _WITHOUT_LETTERS.search(name):
        return f"{parts.given}, {parts.family}"
    if "," in name and parts.given and parts.family:
        return f"{parts.given} {parts.family}"
    return name
