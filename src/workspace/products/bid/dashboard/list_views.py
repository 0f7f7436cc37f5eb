"""The list of proposals and the page for a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import FilterChip, ListItem
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib import clock, money
from workspace.lib.errors import ToolError
from workspace.owner_translation import owner_gettext_lazy as _
from workspace.products.bid.api import library_tools, tools
from workspace.products.bid.dashboard.forms import LABELS, format_price
from workspace.products.bid.dashboard.item_layout import LAYOUT
from workspace.products.bid.domain.status_totals import StatusTotal, compute_status_totals
from workspace.products.bid.models import CLOSED_STATUSES, OPEN_STATUSES, Status
from workspace.storage.files.images import image_url

STATUS_LABELS = {
    "draft": _("Drafts"),
    "sent": _("Sent"),
    "viewed": _("Opened"),
    "approved": _("Approved"),
    "declined": _("Declined"),
}
RECENT_PERIOD = timedelta(days=30)  # the period of the figures above the list
CLIENT_FIELDS = ("client_name", "client_company", "client_email")


@page()
def bids(request: SignedInRequest) -> HttpResponse:
    status = request.GET.get("status", "")
    status = status if status in STATUS_LABELS else ""
    listing = LAYOUT.list_items(request, tools.list_bids, *(["status"] if status else []))
    # the list's state says whether guests can see an item, but a proposal's status says more
    rows = [{**row, "state": _display_state(row)} for row in listing["items"]]
    stages = compute_status_totals(request.account, clock.now() - RECENT_PERIOD)
    counts = Counter[str]()
    for stage in stages:
        counts[stage.status] += stage.count
    chips = [FilterChip(gettext("All"), counts.total(), LAYOUT.home, not status)] if listing["total"] or status else []
    chips += [
        FilterChip(label, counts[key], f"{LAYOUT.home}?status={key}", key == status)
        for key, label in STATUS_LABELS.items()
        if chips and (counts[key] or key == status)
    ]
    data = {**listing, "items": rows, "tiles": _build_tiles(stages)}
    return LAYOUT.render_list(request, data, _list_item, chips=chips, filters=["status"] if status else [])


def _build_tiles(stages: Sequence[StatusTotal]) -> list[tuple[str, str, str]]:
    """Build the tiles for open and recently decided proposals: label, total and count."""
    waiting = [stage for stage in stages if stage.status in OPEN_STATUSES and not stage.expired]
    recent = {
        status: [
            replace(stage, count=stage.recent, total=stage.recent_total) for stage in stages if stage.status == status
        ]
        for status in CLOSED_STATUSES
    }
    period = {"days": RECENT_PERIOD.days}
    tiles = [
        (gettext("Awaiting decision"), *_format_sums(waiting)),
        (gettext("Approved, last %(days)s days") % period, *_format_sums(recent[Status.APPROVED])),
    ]
    if any(stage.count for stage in recent[Status.DECLINED]):
        tiles.append((gettext("Declined, last %(days)s days") % period, *_format_sums(recent[Status.DECLINED])))
    if over := sum(stage.count for stage in stages if stage.expired):
        tiles.append((gettext("Expired"), str(over), gettext("without a decision")))
    return tiles if any(stage.status != Status.DRAFT for stage in stages) else []


def _format_sums(stages: Sequence[StatusTotal]) -> tuple[str, str]:
    """Format the totals by currency, with large ones in whole units, and the number of proposals."""
    sums = Counter[str]()
    for stage in stages:
        sums[stage.currency] += stage.total if stage.count else 0
    shown = [_format_rounded(total, currency) for currency, total in sums.items() if total]
    count = sum(stage.count for stage in stages)
    number = ngettext("%(count)s proposal", "%(count)s proposals", count) % {"count": f"{count:,}"}
    return " + ".join(shown) or "–", number


def _format_rounded(total: int, currency: str) -> str:
    shown, unit = money.format_amount(total, currency), 10 ** money.currency_decimals(currency)
    if total < 1000 * unit or unit == 1:
        return shown
    return money.format_amount((total + unit // 2) // unit * unit, currency).partition(".")[0]


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    """Create a blank proposal, or a copy of a template or an earlier proposal."""
    form = ToolForm(tools.create, request, labels=LABELS)
    source = request.POST.get("_source", "")
    if source and form.is_bound:
        if made := _copy_source(request, form, source):
            return redirect_full_page(request, f"{LAYOUT.home}/{made}?made")
    elif answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    recent = call_tool(request, tools.list_bids, limit=20)["items"]
    templates = call_tool(request, library_tools.list_library, kind="templates", limit=100)["items"]
    context = {
        "form": form,
        "source": source or request.GET.get("from", ""),
        "templates": [(template["id"], template["name"]) for template in templates],
        "recent": [(bid["id"], f"{bid['number']}: {bid['title']}") for bid in recent],
    }
    return render(request, "bid/owner/new.html", context, status=form.status)


def _copy_source(request: SignedInRequest, form: ToolForm, source: str) -> str:
    """Return the id of a copy with the typed values.

    If the copy was rejected, show the error in the form and return "".
    """
    fields = form.arguments
    try:
        copied_bid = call_tool(
            request, tools.copy, id=source, **({"title": fields["title"]} if fields.get("title") else {})
        )
        client = {name: fields[name] for name in CLIENT_FIELDS if fields.get(name)}
        if client:
            call_tool(request, tools.edit, id=copied_bid["id"], **client)
    except ToolError as refusal:
        form.error = refusal.message
        return ""
    return str(copied_bid["id"])


def _display_state(row: Mapping[str, Any]) -> str:
    if row["state"] != "live":
        return str(row["state"])
    return "expired" if row["expired"] else {"viewed": "opened"}.get(row["status"], row["status"])


def _list_item(bid: Mapping[str, Any]) -> ListItem:
    client = bid["client_name"] or bid["client_company"]
    client = f"\u2068{client}\u2069" if client else ""  # isolated, because it may be written from right to left
    parts = [
        client,
        format_price(bid["total"], bid["currency"]),
        _format_days_left(bid["days_left"]),
        _format_last_opened(bid["last_viewed_at"]),
    ]
    return ListItem(
        title=bid["title"],
        about=" · ".join(part for part in parts if part),
        picture=image_url(bid["image_id"], 192) if bid["image_id"] else "",
        number=bid["views"],
        unit=ngettext("view", "views", bid["views"]),
    )


def _format_days_left(days: int | None) -> str:
    if days is None or days < 0:
        return ""
    if days == 0:
        return gettext("expires today")
    return ngettext("expires in %(days)s day", "expires in %(days)s days", days) % {"days": days}


def _format_last_opened(at: str | None) -> str:
    if at is None:
        return ""
    days = (clock.now() - datetime.fromisoformat(at)).days
    if days < 1:
        return gettext("opened today")
    return ngettext("opened %(days)s day ago", "opened %(days)s days ago", days) % {"days": days}
