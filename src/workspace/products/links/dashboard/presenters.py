"""Presenters of elements: the tools' data with fields for display."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard.item_presenters import parse_time
from workspace.dashboard.session import SignedInRequest
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.links.api.serializers import PageData, page_detail
from workspace.products.links.domain.queries import get_page
from workspace.products.links.models import ElementKind
from workspace.products.links.rules.button_targets import format_target
from workspace.products.links.rules.themes import THEMES, Theme, build_brand_theme
from workspace.storage.files.images import image_url

ICONS_BY_SCHEME = {"mailto": "mail", "tel": "phone", "sms": "message"}
KIND_LABELS: dict[str, str] = {
    ElementKind.LINK: owner_gettext_lazy("Button"),
    ElementKind.HEADING: owner_gettext_lazy("Heading"),
    ElementKind.TEXT: owner_gettext_lazy("Text"),
    ElementKind.LIVE: owner_gettext_lazy("Live block"),
}


def get_page_data(request: SignedInRequest, id: str) -> PageData:
    """Return the page as data. Raise NotFoundError if it does not exist."""
    return page_detail(get_page(request.account, id))


def present_themes(account: Account) -> list[Theme]:
    """Prepare the themes of a page: first the brand, then the built-in themes."""
    return [build_brand_theme(Brand.for_account(account).style), *THEMES.values()]


def present_element(row: Mapping[str, Any], page_url: str) -> dict[str, Any]:
    """Prepare an element.

    `name` is its name on the page, `note` is the text below it, and `badge` explains why guests do not see it.
    """
    kind = row["kind"]
    name = row.get("text", row["title"])
    if kind == ElementKind.LINK and name == row["url"]:
        name = format_target(row["url"])
    return {
        **row,
        "name": name,
        "label": KIND_LABELS[kind],
        "note": format_target(row["url"]) if kind == ElementKind.LINK else KIND_LABELS[kind],
        "badge": _state_badge(row),
        "picture": image_url(row["image_id"], 192) if row.get("image_id") else "",
        "sign": ICONS_BY_SCHEME.get(row.get("url", "").partition(":")[0], "link"),
        "edit_url": f"{page_url}/links/{row['id']}",
    }


def _state_badge(row: Mapping[str, Any]) -> tuple[str, str] | None:
    since = parse_time(row.get("shows_from"))
    if not row["is_on"]:
        return (gettext("Hidden"), "")
    if row["shows_now"]:
        return (gettext("Scheduled"), "good") if "shows_until" in row else None
    return (gettext("Not yet visible"), "wait") if since and since > clock.now() else (gettext("Ended"), "wait")
