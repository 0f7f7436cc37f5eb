"""A card as its pages show it: the tool's data with what is only of interest to the eye."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.dashboard import things
from workspace.products.card.dashboard.miniature import Face, miniature
from workspace.products.card.names import Name, initials, split
from workspace.storage.pictures import picture_url

HOME = "/app/card"
TABS = ("details", "look", "leads", "figures", "settings", "delete")


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as `things.shown` makes it, with its `face`, a miniature."""
    return {**things.shown(row, HOME, TABS), "face": miniature(face_of(row))}


def face_of(row: Mapping[str, Any], **other: str) -> Face:
    """The card as a miniature shows it; `other` replaces what is being chosen."""
    full_name = row["full_name"]
    name = Name(row["given_name"], row["family_name"]) if "given_name" in row else split(full_name)
    given = {
        "theme": row["theme"],
        "colour": row["colour"],
        "photo": picture_url(row["photo_id"], 192) if row["photo_id"] else "",
        "logo": picture_url(row["logo_id"], 192) if row["logo_id"] else "",
        **other,
    }
    letters = initials(full_name, name)
    return Face(name=full_name, title=row["title"], company=row["company"], initials=letters, **given)
