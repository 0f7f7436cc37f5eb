"""A menu as its pages show it: the tools' data with what is only of interest to the eye."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from workspace.products.menu.food import ALLERGENS, DIETS
from workspace.publishing.pictures import picture_url
from workspace.toolkit.money import CURRENCIES, SIGNS, amount_of, minor_of, shown

_BADGES = {
    "live": ("Live", "good"),
    "paused": ("Not live", "wait"),
    "expired": ("Expired", "wait"),
    "banned": ("Blocked by the operator", "bad"),
}
TABS = ("share", "views", "settings", "delete", "live")
DAYS = [("mon", "Mon"), ("tue", "Tue"), ("wed", "Wed"), ("thu", "Thu"), ("fri", "Fri"), ("sat", "Sat"), ("sun", "Sun")]
STATES = [("not_declared", "Not declared"), ("may_contain", "May contain"), ("contains", "Contains")]


def currencies() -> list[tuple[str, str]]:
    """For choosing: those most written with a sign of their own first."""
    common = ["EUR", "USD", "GBP", "CHF", "CAD", "AUD"]
    rest = sorted(CURRENCIES - set(common))
    return [(code, f"{code} {SIGNS[code]}" if code in SIGNS else code) for code in [*common, *rest]]


def menu_shown(row: dict[str, Any]) -> dict[str, Any]:
    """With `url`, the addresses of its tabs, `badge`, `path` (of the guests' page) and times as datetimes."""
    url = f"/app/menu/{row['id']}"
    return {
        **row,
        "url": url,
        **{f"{tab}_url": f"{url}/{tab}" for tab in TABS},
        "path": f"/m/{row['slug']}",
        "link": row["public_link"].partition("://")[2],
        "badge": _BADGES.get(row["state"], (row["state"].capitalize(), "")),
        "logo": picture_url(row["logo_id"], 192) if row.get("logo_id") else "",
    }


def sections_shown(found: dict[str, Any], zone: ZoneInfo) -> list[dict[str, Any]]:
    """The sections, each with its `items`, their addresses, and whether they can go up or down."""
    menu = menu_shown(found["menu"])
    sections = []
    last = len(found["sections"]) - 1
    for number, section in enumerate(found["sections"]):
        own = [item for item in found["items"] if item["section_id"] == section["id"]]
        url = f"{menu['url']}/sections/{section['id']}"
        items = [
            item_shown(item, menu, zone, first=place == 0, last=place == len(own) - 1) for place, item in enumerate(own)
        ]
        sections.append({**section, "url": url, "items": items, "first": number == 0, "last": number == last})
    return sections


def item_shown(
    row: dict[str, Any], menu: dict[str, Any], zone: ZoneInfo, *, first: bool = True, last: bool = True
) -> dict[str, Any]:
    allergens = row["allergens"]
    until = moment(row["sold_out_until"])
    return {
        **row,
        "url": f"{menu['url']}/items/{row['id']}",
        "shown_price": row["price_note"] or _price(row, menu["currency"]),
        "diets": [DIETS[key].label for key in row["dietary_tags"]],
        "contains": [ALLERGENS[key].name for key, state in allergens.items() if state == "contains"],
        "may_contain": [ALLERGENS[key].name for key, state in allergens.items() if state == "may_contain"],
        "photo": picture_url(row["photo_id"], 192) if row["photo_id"] else "",
        "until": f"{until.astimezone(zone):%a %H:%M}" if until else "",
        "first": first,
        "last": last,
    }


def _price(row: dict[str, Any], currency: str) -> str:
    if row["price"] is not None:
        return shown(minor_of(amount_of(row["price"]), currency), currency)
    prices = [minor_of(amount_of(variant["price"]), currency) for variant in row["variants"]]
    return f"from {shown(min(prices), currency)}" if prices else ""


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
