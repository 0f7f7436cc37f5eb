"""A card as its pages show it: the tool's data with what is only of interest to the eye."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from workspace.products.card.dashboard.miniature import Face, miniature
from workspace.publishing.pictures import picture_url

TABS = ("details", "look", "leads", "figures", "settings", "delete", "pause", "resume")
_BADGES = {"live": ("Live", "good"), "paused": ("Paused", "wait"), "banned": ("Blocked by the operator", "bad")}


class Shown(dict[str, Any]):
    """A row of the tools with its addresses, `badge`, `face` (a miniature), and times as datetimes."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        super().__init__(row)
        self["url"] = f"/app/card/{row['id']}"
        for tab in TABS:
            self[f"{tab}_url"] = f"{self['url']}/{tab}"
        # by path, since a loopback service is seen under more than one host; the time keeps an old picture from staying
        self["path"] = f"/c/{row['slug']}"
        self["code"] = f"/c/{row['slug']}.svg?v={quote(str(row['updated_at']))}"
        self["badge"] = _BADGES.get(row["state"], (row["state"].capitalize(), ""))
        self["face"] = miniature(face_of(row))
        for name in ("created_at", "updated_at"):
            self[name] = moment(row[name])


def face_of(row: Mapping[str, Any], **other: str) -> Face:
    """The card as a miniature shows it; `other` replaces what is being chosen."""
    words = row["full_name"].split()
    initials = (words[0][0] + (words[-1][0] if len(words) > 1 else "")).upper() if words else ""
    given = {
        "theme": row["theme"],
        "colour": row["colour"],
        "photo_id": row["photo_id"] or "",
        "logo_id": row["logo_id"] or "",
        "photo": "",
        "logo": "",
        **other,
    }
    return Face(
        name=row["full_name"],
        title=row["title"],
        company=row["company"],
        initials=initials,
        theme=given["theme"],
        colour=given["colour"],
        photo=given["photo"] or (picture_url(given["photo_id"], 192) if given["photo_id"] else ""),
        logo=given["logo"] or (picture_url(given["logo_id"], 192) if given["logo_id"] else ""),
    )


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
