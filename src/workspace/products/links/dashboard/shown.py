"""Pages and elements as the dashboard shows them: the tool's data with what is only of interest to the eye."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from workspace.products.links.dashboard.calls import HOME
from workspace.products.links.targets import readable
from workspace.publishing import live_blocks
from workspace.publishing.pictures import picture_url
from workspace.toolkit import clock

_BADGES = {
    "live": ("Live", "good"),
    "paused": ("Paused", "wait"),
    "banned": ("Blocked by the operator", "bad"),
}
_KINDS = {"link": "button", "heading": "heading", "text": "text", "live": "live block"}


def shown_page(row: dict[str, Any]) -> dict[str, Any]:
    url = f"{HOME}/{row['id']}"
    return {
        **row,
        "url": url,
        **{f"{tab}_url": f"{url}/{tab}" for tab in ("look", "figures", "settings", "delete", "preview")},
        # by path, since a loopback service is seen under more than one host
        "path": f"/l/{row['slug']}",
        "told": row["public_url"].partition("://")[2],
        "badge": _BADGES.get(row["state"], (row["state"].capitalize(), "")),
        "avatar": picture_url(row["avatar_id"], 192) if row.get("avatar_id") else "",
        "share_picture": picture_url(row["share_picture_id"], 768) if row.get("share_picture_id") else "",
    }


def shown_element(row: dict[str, Any], page_url: str) -> dict[str, Any]:
    """`name` is what it is called on the page, `note` what stands below it, `badge` why guests do not see it now."""
    kind = row["kind"]
    titles = live_blocks.kinds()
    name = row["title"]
    if kind == "link" and name == row["url"]:
        name = readable(row["url"])
    if kind == "text":
        name = row["text"]
    if kind == "live":
        name = titles.get(row["live"], row["live"])
    return {
        **row,
        "name": name,
        "called": _KINDS[kind],
        "note": readable(row["url"]) if kind == "link" else _KINDS[kind].capitalize(),
        "badge": _badge(row),
        "edit_url": f"{page_url}/links/{row['id']}",
        "from": moment(row["shows_from"]),
        "until": moment(row["shows_until"]),
    }


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def input_time(text: str | None, zone: ZoneInfo) -> str:
    """A time as an input writes it: in the account's zone, without an offset."""
    found = moment(text)
    return found.astimezone(zone).strftime("%Y-%m-%dT%H:%M") if found else ""


def _badge(row: dict[str, Any]) -> tuple[str, str] | None:
    since = moment(row["shows_from"])
    if not row["is_on"]:
        return ("Off", "")
    if row["shows_now"]:
        return ("Scheduled", "good") if row["shows_until"] else None
    return ("Later", "wait") if since and since > clock.now() else ("Over", "wait")
