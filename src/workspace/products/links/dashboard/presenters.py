"""Elements as the dashboard shows them: the tool's data with what is only of interest to the eye."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.dashboard.item_presenters import moment
from workspace.dashboard.session import SignedInRequest
from workspace.lib import clock
from workspace.products.links.api.serializers import PageRow, page_of, whole
from workspace.products.links.domain.element_input import NAMES
from workspace.products.links.models import Kind
from workspace.products.links.rules.targets import readable
from workspace.products.links.rules.themes import THEMES, Theme, brand_in_small
from workspace.storage.files.images import picture_url

SIGNS = {"mailto": "mail", "tel": "phone", "sms": "message"}


def find(request: SignedInRequest, id: str) -> PageRow:
    """Raises NotFound."""
    return whole(page_of(request.account, id))


def themes_of(account: Account) -> list[Theme]:
    """What a page can look like: the brand first, then ours."""
    return [brand_in_small(Brand.of(account).look), *THEMES.values()]


def shown_element(row: Mapping[str, Any], page_url: str) -> dict[str, Any]:
    """`name` is what it is called on the page, `note` what stands below it, `badge` why guests do not see it now."""
    kind = row["kind"]
    name = row.get("text", row["title"])
    if kind == Kind.LINK and name == row["url"]:
        name = readable(row["url"])
    return {
        **row,
        "name": name,
        "called": NAMES[kind],
        "note": readable(row["url"]) if kind == Kind.LINK else NAMES[kind].capitalize(),
        "badge": _badge(row),
        "picture": picture_url(row["picture_id"], 192) if row.get("picture_id") else "",
        "sign": SIGNS.get(row.get("url", "").partition(":")[0], "link"),
        "edit_url": f"{page_url}/links/{row['id']}",
    }


def _badge(row: Mapping[str, Any]) -> tuple[str, str] | None:
    since = moment(row.get("shows_from"))
    if not row["is_on"]:
        return ("Off", "")
    if row["shows_now"]:
        return ("Scheduled", "good") if "shows_until" in row else None
    return ("Later", "wait") if since and since > clock.now() else ("Over", "wait")
