"""A code as its pages show it: the tool's data with what is only of interest to the eye."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import quote

from workspace.products.qr.target import Target

_BADGES = {
    "live": ("Live", "good"),
    "paused": ("Paused", "wait"),
    "expired": ("Expired", "wait"),
    "banned": ("Blocked by the operator", "bad"),
}


class Shown(dict[str, Any]):
    """A row of the tools with `target`, `picture`, `badge`, `url`, and times as datetimes."""

    def __init__(self, row: dict[str, Any]) -> None:
        super().__init__(row)
        self["url"] = f"/app/qr/{row['id']}"
        for tab in ("scans", "look", "settings", "delete"):
            self[f"{tab}_url"] = f"{self['url']}/{tab}"
        self["target"] = Target.of(row["target_url"])
        # by path, since a loopback service is seen under more than one host; the time keeps an old picture from staying
        self["picture"] = f"/q/{row['slug']}.svg?v={quote(str(row['updated_at']))}"
        self["inspect"] = f"/q/{row['slug']}+"
        self["badge"] = _BADGES.get(row["state"], (row["state"].capitalize(), ""))
        for name in ("created_at", "updated_at", "expires_at"):
            self[name] = moment(row[name])


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def picture_url(svg: str) -> str:
    """A drawing for an img element: our policy lets pictures be data, and styles inside them bother nobody."""
    return "data:image/svg+xml," + quote(svg, safe="/ =:;,!*'()")
