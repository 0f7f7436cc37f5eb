"""Lines and names in guest lists: totals, titles, tables, headings, and names with the surname first."""

from __future__ import annotations

import re

from workspace.products.seat.domain.guest_row_parser import COUPLE_PATTERN

TABLE_NAME_PATTERN = re.compile(
    r"(?:table|tisch|mesa)\s*(?:n[.ºo°r]*\s*)?[:#]?\s*(?P<name>[\w -]{1,40})", re.IGNORECASE
)
TOTAL_PATTERN = re.compile(r"(?:sub)?(?:total(?:e?s)?|summe|gesamt\w*|suma|soma)\b.*", re.IGNORECASE)
TITLE_PATTERN = re.compile(
    r".*\b(?:guest ?lists?|wedding|birthday|gästeliste|hochzeit|geburtstag|lista de (?:invitados|convidados)|invitados "
    r"de|boda|cumpleaños|casamento|aniversário)\b.*",
    re.IGNORECASE,
)
FAMILY_PATTERN = re.compile(r"(?:fam\.|familie|familia|família|family)\s+(?=\w)", re.IGNORECASE)
GROUP_PATTERN = re.compile(r"[^\W\d_][^:]{1,58}:")  # for example "Lola's family:"
NUMBER_PATTERN = re.compile(r"(?:\d{1,4}[.)]|[-*•·])\s+(?=\D)")


def is_last_first(name: str) -> bool:
    """Return whether the name has the form `Berg, Anna`."""
    return name.count(",") == 1 and all(part.strip() for part in name.split(",")) and not COUPLE_PATTERN.search(name)


def swap_name_parts(name: str) -> str:
    """Return `Anna Berg` for `Berg, Anna`, or an empty string for other names."""
    last, _, first = (part.strip() for part in name.partition(","))
    return f"{first} {last}"[:120] if first and last else ""


def parse_table_name(text: str) -> str:
    match = TABLE_NAME_PATTERN.fullmatch(text[:60].strip(" :-–"))
    return " ".join(match["name"].split()) if match else ""
