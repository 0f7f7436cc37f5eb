"""Helpers for the pages of items: presenting rows, formatting times, redirecting, and confirming deletions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.owner_translation import OwnerText
from workspace.publishing.models import PublishedItem

BADGES = {
    "live": (gettext_lazy("Live"), "good"),
    "paused": (gettext_lazy("Paused"), "wait"),
    "expired": (gettext_lazy("Expired"), "wait"),
    "banned": (gettext_lazy("Blocked by the administrator"), "bad"),
    "static": (gettext_lazy("Fixed"), ""),
}
PRINT_PATH = "/files/qr/print"  # created by svc_qr_print
PNG_SIZES = (512, 1024, 2048, 4096)  # widths of a QR code as PNG, in pixels


def present_item(row: Mapping[str, Any], list_path: str, tabs: Sequence[str] = ()) -> dict[str, Any]:
    """Prepare a tool's row for the page.

    It adds `url` below `list_path` and the URLs of the tabs (`look_url`), `path` and `code` (the guest page and its QR
    code), `badge`, `prefix` (the public URL without the slug), `older` slugs, and times as datetimes. `path` is empty
    if the item has no public URL.
    """
    url, public = f"{list_path}/{row['id']}", str(row["public_url"])
    # as a path, because a loopback service is reached under several host names
    path, version = urlsplit(public).path, quote(str(row["updated_at"]))
    return {
        **row,
        "url": url,
        **{f"{tab}_url": f"{url}/{tab}" for tab in tabs},
        "path": path,
        # the time prevents an outdated picture from being cached
        "code": f"{path}.svg?v={version}" if path else f"{PRINT_PATH}?thing={row['id']}&format=svg",
        "badge": BADGES.get(row["state"], ("", "")),  # a product renders badges for its own states
        "prefix": public.removesuffix(row["slug"]).partition("://")[2] if path else "",
        "older": [slug for slug in row.get("slugs", ()) if slug != row["slug"]],
        **{name: parse_time(row[name]) for name in row if name.endswith("_at")},
    }


def build_share_links(item: PublishedItem) -> dict[str, str]:
    """Return the links that share an item's public URL by email and WhatsApp."""
    url = item.public_url
    return {
        "mail": f"mailto:?subject={quote(str(item))}&body={quote(url)}",
        "whatsapp": f"https://wa.me/?{urlencode({'text': url})}",
    }


def tab_url(url: str, key: str) -> str:
    """Return the URL of an item's tab. The first tab has no key."""
    return f"{url}/{key}" if key else url


def parse_time(text: str | None) -> datetime | None:
    """Parse a time in a tool's answer. Return None if the text is empty."""
    return datetime.fromisoformat(text) if text else None


def format_input_time(text: str | None, zone: ZoneInfo) -> str:
    """Format a time for an input: in the account's time zone, without an offset."""
    found = parse_time(text)
    return found.astimezone(zone).strftime("%Y-%m-%dT%H:%M") if found else ""


def redirect_with_message(request: HttpRequest, message: OwnerText, to: str) -> HttpResponse:
    """Redirect to the next page, which shows the message."""
    messages.success(request, str(message))
    return redirect_full_page(request, to)


def render_confirmation(
    request: SignedInRequest, *, title: OwnerText, text: OwnerText, button: OwnerText, back: str
) -> HttpResponse:
    """Render the confirmation of an irreversible action. Its form posts to the same URL."""
    context = {"title": title, "text": text, "action": request.path, "button": button, "back": back}
    return render(request, "dashboard/confirm.html", context)
