"""Presenters of menus: the tools' data with fields for display."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext

from workspace.dashboard import item_presenters
from workspace.lib.weekly_hours import DAY_NAMES
from workspace.lib.weekly_hours import DAYS as KEYS
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, CONTAINS, MAY_CONTAIN
from workspace.products.menu.rules.theme import THEMES
from workspace.products.menu.rules.translations import untranslated_fields
from workspace.publishing.diets import DIETS
from workspace.storage.files.images import image_url

HOME = "/app/menu"
DAY_CHOICES = [(key, DAY_NAMES[key]) for key in KEYS]
# the states of an allergen in the order of taps, each with the next one
STATE_CHOICES = [
    ("not_declared", owner_gettext_lazy("Not declared"), "contains"),
    ("contains", owner_gettext_lazy("Contains"), "may_contain"),
    ("may_contain", owner_gettext_lazy("May contain"), "not_declared"),
]
MAX_OPEN_ITEMS = 24  # in longer menus, only the first section is open initially
THEME_LABELS = {
    "brand": owner_gettext_lazy("Same as brand"),
    "linen": owner_gettext_lazy("Linen"),
    "olive": owner_gettext_lazy("Olive"),
    "terracotta": owner_gettext_lazy("Terracotta"),
    "harbour": owner_gettext_lazy("Harbor"),
    "plum": owner_gettext_lazy("Plum"),
    "slate": owner_gettext_lazy("Slate"),
}
THEME_CHOICES = [(name, THEME_LABELS[name]) for name in THEMES]


def present_sections(menu: Mapping[str, Any], zone: ZoneInfo) -> list[dict[str, Any]]:
    """Prepare the sections with their `items`, URLs, and the token for adding an item."""
    home = f"{HOME}/{menu['menu']['id']}"
    sections = []
    items, untranslated = menu["items"], menu["menu"]["untranslated"]
    # a language without any translations is named once above the rows
    parts = len(items) + len(menu["sections"])
    further = [code for code in menu["menu"]["languages"][1:] if untranslated[code] < parts]
    names_undeclared = menu["menu"]["is_food"] and any(item["allergens"] for item in items)
    by_section: dict[str, list[Any]] = {}
    for item in items:
        row = present_item(item, home, zone, further, names_undeclared=names_undeclared)
        by_section.setdefault(item["section_id"], []).append(row)
    for number, section in enumerate(menu["sections"]):
        own = by_section.get(section["id"], [])
        is_open = number == 0 or len(items) <= MAX_OPEN_ITEMS
        fields = {"url": f"{home}/sections/{section['id']}", "items": own, "open": is_open}
        sections.append({**section, **fields, "token": secrets.token_urlsafe(18)})
    return sections


def present_item(
    row: Mapping[str, Any],
    item_url: str,
    zone: ZoneInfo,
    further_languages: Sequence[str] = (),
    *,
    names_undeclared: bool = False,
) -> dict[str, Any]:
    """Prepare an item. `names_undeclared` says whether to mention that its allergens are not declared."""
    declared = row["allergens"]
    contained, possible = (
        ", ".join([ALLERGENS[key].name for key in declared if declared[key] == state])
        for state in (CONTAINS, MAY_CONTAIN)
    )
    facts = [DIETS[key].label for key in row["dietary_tags"]]
    if row["allergens_checked"]:
        facts.append(gettext("allergens checked"))
    elif names_undeclared and not declared:
        facts.append(gettext("allergens not declared"))
    facts += _missing_languages(row, further_languages)
    state = _format_state(row, zone)
    return {
        **row,
        "url": f"{item_url}/items/{row['id']}",
        "state": state,
        "contains": contained,
        "may_contain": possible,
        "facts": " · ".join(facts),
        "has_facts": bool(facts or state or declared or row["warnings"]),
        "photo_large": image_url(row["photo_id"], 192) if row["photo_id"] else "",
        "photo": image_url(row["photo_id"], 96) if row["photo_id"] else "",
    }


def build_row_labels() -> dict[str, str]:
    """Return the labels that are the same in all rows of items."""
    return {
        "warned": gettext("Check allergens"),
        "contains": gettext("contains"),
        "may_contain": gettext("may contain"),
        "available": gettext("Available:"),
    }


def _format_state(row: Mapping[str, Any], zone: ZoneInfo) -> str:
    """Return what differs from an item that guests can order, or an empty string."""
    until = item_presenters.parse_time(row["sold_out_until"])
    if row["sold_out"] and until:
        return gettext("Sold out until %(time)s") % {"time": f"{until.astimezone(zone):%a %H:%M}"}
    if row["sold_out"]:
        return gettext("Sold out")
    return gettext("Hidden") if row["hidden"] else ""


def _missing_languages(row: Mapping[str, Any], further_languages: Sequence[str]) -> Iterator[str]:
    if codes := [code.upper() for code in further_languages if untranslated_fields(row, code)]:
        yield gettext("not translated: %(languages)s") % {"languages": ", ".join(codes)}
