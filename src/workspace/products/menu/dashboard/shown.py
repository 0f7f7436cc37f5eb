"""A menu as its pages show it: the tools' data with what is only of interest to the eye."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from workspace.dashboard import things
from workspace.products.menu.food import ALLERGENS, DIETS
from workspace.storage.pictures import picture_url
from workspace.toolkit.hours import DAYS as KEYS
from workspace.toolkit.hours import NAMES
from workspace.toolkit.money import CURRENCIES, SIGNS

HOME = "/app/menu"
TABS = ("share", "views", "settings", "delete", "live")
DAYS = [(key, NAMES[key]) for key in KEYS]
STATES = [("not_declared", "Not declared"), ("may_contain", "May contain"), ("contains", "Contains")]


def currencies() -> list[tuple[str, str]]:
    """For choosing: those most written with a sign of their own first."""
    common = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD"]
    rest = sorted(CURRENCIES - set(common))
    return [(code, f"{code} {SIGNS[code]}" if code in SIGNS else code) for code in [*common, *rest]]


def menu_shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """As `things.shown` makes it, with its address in short."""
    times = {name: value for name, value in row.items() if name == "sold_out_resets_at"}  # of a day, on the clock
    rest = {name: value for name, value in row.items() if name not in times}
    return {**things.shown(rest, HOME, TABS), **times, "link": row["public_url"].partition("://")[2]}


def sections_shown(found: Mapping[str, Any], zone: ZoneInfo) -> list[dict[str, Any]]:
    """The sections, each with its `items`, their addresses, and whether they can go up or down."""
    home = f"{HOME}/{found['menu']['id']}"
    sections = []
    last = len(found["sections"]) - 1
    for number, section in enumerate(found["sections"]):
        own = [item for item in found["items"] if item["section_id"] == section["id"]]
        items = [
            {**item_shown(item, home, zone), "first": place == 0, "last": place == len(own) - 1}
            for place, item in enumerate(own)
        ]
        url = f"{home}/sections/{section['id']}"
        sections.append({**section, "url": url, "items": items, "first": number == 0, "last": number == last})
    return sections


def item_shown(row: Mapping[str, Any], home: str, zone: ZoneInfo) -> dict[str, Any]:
    allergens = row["allergens"]
    until = things.moment(row["sold_out_until"])
    return {
        **row,
        "url": f"{home}/items/{row['id']}",
        "diets": [DIETS[key].label for key in row["dietary_tags"]],
        "contains": [ALLERGENS[key].name for key, state in allergens.items() if state == "contains"],
        "may_contain": [ALLERGENS[key].name for key, state in allergens.items() if state == "may_contain"],
        "photo": picture_url(row["photo_id"], 192) if row["photo_id"] else "",
        "until": f"{until.astimezone(zone):%a %H:%M}" if until else "",
    }
