"""Presenters of testimonials: the tools' data with fields for display."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from workspace.dashboard import item_presenters
from workspace.dashboard.tool_views import build_page_decorator
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.reviews.models.testimonial import RELATIONSHIPS, SUSPICION_REASONS
from workspace.storage.files.images import image_url

HOME_PATH = "/app/reviews"
# errors are shown on the list of testimonials: /app/reviews/ID/items
page = build_page_decorator(find_parent_url=lambda request: "/".join(request.path.split("/")[:5]))
_STATUS_BADGES = {
    "pending": (owner_gettext_lazy("Pending"), "wait"),
    "approved": (owner_gettext_lazy("Approved"), "good"),
    "hidden": (owner_gettext_lazy("Hidden"), ""),
}


def list_relationships() -> list[tuple[str, str]]:
    """Return the relationships that authors can choose from."""
    return [(value, gettext(label)) for value, label in RELATIONSHIPS.items()]


def present_testimonial(row: Mapping[str, Any]) -> dict[str, Any]:
    rating = row["rating"] or 0
    photo_id = row["photo_url"].split("/")[-2] if row["photo_url"] else ""
    return {
        **row,
        "url": f"{HOME_PATH}/{row['page_id']}/items/{row['id']}",
        "badge": _STATUS_BADGES[row["status"]],
        "stars": "★" * rating,
        "lacking": "☆" * (5 - rating),
        "photo": image_url(photo_id, 192) if photo_id else "",
        "initials": "".join(part[0] for part in row["name"].split()[:2]).upper(),
        "tie": dict(list_relationships()[1:]).get(row["relationship"], ""),
        "doubt": SUSPICION_REASONS.get(row["suspicion"], ""),
        "tags_text": ", ".join(row["tags"]),
        **{name: item_presenters.parse_time(row[name]) for name in row if name.endswith("_at")},
    }
