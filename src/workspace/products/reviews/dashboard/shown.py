"""Pages and testimonials as the owner sees them: the tools' data with what is only of interest to the eye."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import quote

from workspace.dashboard.forms import ToolForm
from workspace.products.reviews.dashboard.calls import HOME
from workspace.products.reviews.models.testimonial import RELATIONSHIPS, SUSPICIONS
from workspace.publishing.pictures import picture_url

_STATES = {
    "live": ("Live", "good"),
    "paused": ("Paused", "wait"),
    "expired": ("Expired", "wait"),
    "banned": ("Blocked by the operator", "bad"),
}
_STATUSES = {"pending": ("Waiting", "wait"), "approved": ("Approved", "good"), "hidden": ("Hidden", "")}


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def page_shown(row: dict[str, Any]) -> dict[str, Any]:
    url = f"{HOME}/{row['id']}"
    return {
        **row,
        "url": url,
        **{f"{tab}_url": f"{url}/{tab}" for tab in ("share", "widget", "settings", "delete", "add", "import")},
        "badge": _STATES.get(row["state"], (row["state"].capitalize(), "")),
        # by path, since a loopback service is seen under more than one host
        "form_path": f"/r/{row['slug']}",
        "wall_path": f"/r/{row['slug']}/wall",
        "code_path": f"/r/{row['slug']}.svg?v={quote(row['slug'])}",
    }


def testimonial_shown(row: dict[str, Any]) -> dict[str, Any]:
    rating = row["rating"] or 0
    photo_id = row["photo_url"].split("/")[-2] if row["photo_url"] else ""
    return {
        **row,
        "url": f"{HOME}/{row['page_id']}/items/{row['id']}",
        "badge": _STATUSES[row["status"]],
        "stars": "★" * rating,
        "lacking": "★" * (5 - rating),
        "photo": picture_url(photo_id, 192) if photo_id else "",
        "initials": "".join(part[0] for part in row["name"].split()[:2]).upper(),
        "tie": "" if row["relationship"] == "customer" else RELATIONSHIPS.get(row["relationship"], ""),
        "doubt": SUSPICIONS.get(row["suspicion"], ""),
        "written_at": moment(row["written_at"]),
        "created_at": moment(row["created_at"]),
        "consented_at": moment(row.get("consented_at")),
        "verified_at": moment(row.get("verified_at")),
        "tags_text": ", ".join(row["tags"]),
    }


def slots(form: ToolForm, name: str, most: int) -> list[dict[str, str]]:
    """The inputs of a list of texts: those that are filled in, and empty ones up to `most`."""
    texts = form.field(name).texts[:most]
    return [
        {
            "id": f"f-{name}-{number}",
            "text": text,
            "error": ". ".join(form.errors.get(f"{name}.{number}", ())),
        }
        for number, text in enumerate([*texts, *[""] * (most - len(texts))])
    ]
