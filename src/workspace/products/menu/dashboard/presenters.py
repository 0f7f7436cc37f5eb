"""Presenters of menus: the tools' data with fields for display."""

from __future__ import annotations

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
STATE_CHOICES = [
    ("not_declared", owner_gettext_lazy("Not declared")),
    ("may_contain", owner_gettext_lazy("May contain")),
    ("contains", owner_gettext_lazy("Contains")),
]
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
    """Prepare the sections, each with its `items`, their URLs, and whether they can be moved up or down."""
    home = f"{HOME}/{menu['menu']['id']}"
    sections = []
    further = menu["menu"]["languages"][1:]
    by_section: dict[str, list[Any]] = {}
    for item in menu["items"]:
        by_section.setdefault(item["section_id"], []).append(item)
    last = len(menu["sections"]) - 1
    for number, section in enumerate(menu["sections"]):
        own = by_section.get(section["id"], [])
        items = [present_item(item, home, zone, further, is_food=menu["menu"]["is_food"]) for item in own]
        url = f"{home}/sections/{section['id']}"
        sections.append({**section, "url": url, "items": items, "first": number == 0, "last": number == last})
    return sections


def present_item(
    row: Mapping[str, Any],
    item_url: str,
    zone: ZoneInfo,
    further_languages: Sequence[str] = (),
    *,
    is_food: bool = True,
) -> dict[str, Any]:
    """Prepare an item. `is_food` says whether to mention that allergens are not declared."""
    until = item_presenters.parse_time(row["sold_out_until"])
    return {
        **row,
        "url": f"{item_url}/items/{row['id']}",
        "facts": " · ".join([*_list_facts(row, is_food), *_missing_languages(row, further_languages)]),
        "photo_large": image_url(row["photo_id"], 192) if row["photo_id"] else "",
        "photo": image_url(row["photo_id"], 96) if row["photo_id"] else "",
        "until": f"{until.astimezone(zone):%a %H:%M}" if until else "",
    }


def _missing_languages(row: Mapping[str, Any], further_languages: Sequence[str]) -> Iterator[str]:
    if codes := [code.upper() for code in further_languages if untranslated_fields(row, code)]:
        yield gettext("not translated: %(languages)s") % {"languages": ", ".join(codes)}


def _list_facts(row: Mapping[str, Any], is_food: bool) -> Iterator[str]:
    """Yield the diets and allergens of a dish, and whether its allergens were checked."""
    yield from (DIETS[key].label for key in row["dietary_tags"])
    allergens = row["allergens"]
    for state, text in (
        (CONTAINS, gettext("contains %(allergens)s")),
        (MAY_CONTAIN, gettext("may contain %(allergens)s")),
    ):
        named = [ALLERGENS[key].name for key in allergens if allergens[key] == state]
        if named:
            yield text % {"allergens": ", ".join(named)}
    if row["allergens_checked"]:
        yield gettext("allergens checked")
    elif is_food and not allergens:
        yield gettext("allergens not declared")
