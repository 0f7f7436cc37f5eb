"""What the pages of all published things do alike: showing a row, times shown and read, acting, asking before a
deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest, redirect_full_page

BADGES = {
    "live": ("Live", "good"),
    "paused": ("Paused", "wait"),
    "expired": ("Expired", "wait"),
    "banned": ("Blocked by the operator", "bad"),
    "static": ("Fixed", ""),
}
PRINT_PATH = "/files/qr/print"  # what svc_qr_print makes
PNG_SIZES = (512, 1024, 2048, 4096)  # widths of a code as PNG, in pixels


def present_item(row: Mapping[str, Any], home: str, tabs: Sequence[str] = ()) -> dict[str, Any]:
    """A row of a tool for the page: with its `url` below `home` and those of its tabs (`look_url`), `path` and `code`
    (the guests' page and the picture of its QR code), `badge`, `prefix` (its address without the slug) and `older`
    slugs, and its times as datetimes. What has no address for guests has an empty `path`."""
    url, public = f"{home}/{row['id']}", str(row["public_url"])
    # by path, since a loopback service is seen under more than one host
    path, version = urlsplit(public).path, quote(str(row["updated_at"]))
    return {
        **row,
        "url": url,
        **{f"{tab}_url": f"{url}/{tab}" for tab in tabs},
        "path": path,
        # the time keeps an old picture from staying
        "code": f"{path}.svg?v={version}" if path else f"{PRINT_PATH}?thing={row['id']}&format=svg",
        "badge": BADGES.get(row["state"], (row["state"].capitalize(), "")),
        "prefix": public.removesuffix(row["slug"]).partition("://")[2] if path else "",
        "older": [slug for slug in row.get("slugs", ()) if slug != row["slug"]],
        **{name: parse_time(row[name]) for name in row if name.endswith("_at")},
    }


def tab_url(url: str, key: str) -> str:
    """The address of a thing's tab; the first tab has no key."""
    return f"{url}/{key}" if key else url


def parse_time(text: str | None) -> datetime | None:
    """A time as tools write it; None for none."""
    return datetime.fromisoformat(text) if text else None


def format_input_time(text: str | None, zone: ZoneInfo) -> str:
    """A time as an input writes it: in the account's zone, without an offset."""
    found = parse_time(text)
    return found.astimezone(zone).strftime("%Y-%m-%dT%H:%M") if found else ""


def redirect_with_message(request: HttpRequest, message: str, to: str) -> HttpResponse:
    """On to the next page, which says what was done."""
    messages.success(request, message)
    return redirect_full_page(request, to)


def render_confirmation(request: SignedInRequest, *, title: str, text: str, button: str, back: str) -> HttpResponse:
    """The question before what cannot be taken back; its form posts to the address of the question."""
    context = {"title": title, "text": text, "action": request.path, "button": button, "back": back}
    return render(request, "dashboard/confirm.html", context)
