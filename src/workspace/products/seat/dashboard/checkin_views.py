"""Check-in: a list of guests that staff check off. It works offline and syncs later."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.dashboard import device_storage
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.lib import clock, strict_json
from workspace.lib.errors import BusyError, InvalidInputError, RateLimitedError, ToolError, UnavailableError
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.api import bulk_tools
from workspace.products.seat.api.serializers import guest_data
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.guest_moves import count_guests_by_table
from workspace.products.seat.domain.guests import get_name_order
from workspace.products.seat.domain.queries import get_chart_with_counts, tables_for
from workspace.products.seat.models import Chart, Reply
from workspace.products.seat.rules.alphabetical_names import format_by_surname, name_sort_key
from workspace.products.seat.rules.table_labels import format_table_label
from workspace.publishing.checkin import extract_digits

MAX_TICKS = 500  # check-offs in one request
_RETRYABLE_ERRORS = (BusyError, UnavailableError, RateLimitedError)  # errors that a later attempt may not have


class Tick(BaseModel):
    model_config = ConfigDict(extra="forbid")
    guest: str = Field(max_length=40)
    arrived: bool
    at: str = Field(max_length=40)
    id: str = Field(max_length=80)


class Ticks(BaseModel):
    model_config = ConfigDict(extra="forbid")
    device: str = Field(max_length=80)
    ticks: list[Tick] = Field(max_length=MAX_TICKS)


@page("GET", "HEAD", "POST")
def checkin(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the check-in list. Without scripts, each guest has a button for checking in.

    An unexpected guest is seated at a table with a free seat.
    """
    chart = get_chart_with_counts(request.account, id)
    if request.method == "POST":
        return _handle_post(request, chart)
    rows = [_present_guest(guest) for guest in chart.guests.exclude(reply=Reply.NO).select_related("table")]
    rows.sort(key=lambda row: name_sort_key(row["listed"]))
    context = {
        "chart": chart,
        "rows": rows,
        "arrived": sum(row["arrived"] for row in rows),
        "free": list_free_tables(chart),
        "worker": f"{LAYOUT.home}/door-worker.js",
    }
    return LAYOUT.render_item_page(request, id, "seat/owner/checkin.html", context)


def _present_guest(guest: Any) -> dict[str, Any]:
    row = guest_data(guest)
    shown = format_by_surname(guest.name, guest.sort_name, get_name_order(guest.chart))
    return {
        **row,
        "listed": shown,
        "find": search_key(f"{guest.name} {guest.party} {guest.sort_name} {extract_digits(guest.phone)}"),
    }


def list_free_tables(chart: Chart) -> list[tuple[str, str, int]]:
    counts = count_guests_by_table(chart)
    results = [
        (table.pk, table.label, table.capacity - counts[table.pk])
        for table in tables_for(chart)
        if not table.is_closed and table.capacity > counts[table.pk]
    ]
    return sorted(results, key=lambda item: -item[2])


def _handle_post(request: SignedInRequest, chart: Chart) -> HttpResponse:
    if guest := clean_text(request.POST.get("tick"), 40):
        arrived = not chart.guests.filter(pk=guest, checked_in_at__isnull=False).exists()
        call_tool(request, bulk_tools.save_guests, event_id=chart.pk, items=[{"id": guest, "arrived": arrived}])
        return redirect_full_page(request, f"{LAYOUT.home}/{chart.pk}/door#t-{guest}")
    name = request.POST.get("name", "").strip()
    item = {"name": name, "reply": "yes", "arrived": True, "table_id": request.POST.get("table", "")}
    result: Any = call_tool(request, bulk_tools.save_guests, event_id=chart.pk, items=[item])
    if result["did_not_fit"]:
        text = gettext("%(name)s was not added, because you’ve reached your plan’s guest limit.") % {"name": name}
        return redirect_with_message(request, text, f"{LAYOUT.home}/{chart.pk}/door")
    if where := result["items"][0]["table"]:
        label = format_table_label(where)
        text = gettext("%(name)s added at %(table)s and checked in.") % {"name": name, "table": label}
    else:
        text = gettext("%(name)s added and checked in.") % {"name": name}
    return redirect_with_message(request, text, f"{LAYOUT.home}/{chart.pk}/door")


@page("GET", "HEAD", "POST")
def sync_ticks(request: SignedInRequest, id: str) -> HttpResponse:
    """Save the check-ins from a device, and return who has arrived.

    Check-ins may be sent in any order and more than once.
    """
    chart = get_chart_with_counts(request.account, id)
    refused: list[dict[str, str]] = []
    waiting: list[str] = []
    if request.method == "POST":
        try:
            data = strict_json.parse(request.body)
            strict_json.check_storable(data)
            sent = Ticks.model_validate(data)
        except (ValidationError, ValueError, InvalidInputError):
            return JsonResponse({"problem": str(messages.CHECKIN_DATA_INVALID)}, status=422)
        refused, waiting = save_ticks(request.caller, chart, sent)
    here = chart.guests.exclude(reply=Reply.NO)
    arrived = list(here.filter(checked_in_at__isnull=False).values_list("pk", flat=True))
    return JsonResponse({"arrived": arrived, "total": here.count(), "refused": refused, "waiting": waiting})


def save_ticks(caller: Caller, chart: Chart, ticks: Ticks) -> tuple[list[dict[str, str]], list[str]]:
    """Save check-ins. Return those rejected, with the reasons, and the ids of those to send again.

    The others are saved even if one is rejected.
    """
    known = set(chart.guests.filter(pk__in=[tick.guest for tick in ticks.ticks]).values_list("pk", flat=True))
    refused: list[dict[str, str]] = []
    waiting: list[str] = []
    good = []
    for tick in ticks.ticks:
        if tick.guest not in known:
            refused.append({"id": tick.id, "why": gettext("This guest is no longer on the list.")})
        elif not _is_valid_time(tick.at):
            refused.append({"id": tick.id, "why": gettext("The clock of this device is wrong.")})
        else:
            good.append(tick)
    # in batches with at most one check-off per guest, because a list may contain several for one guest
    batches = _split_batches(good)
    while batches:
        batch = batches.pop(0)
        items = [
            {
                "id": tick.guest,
                "arrived": tick.arrived,
                "at": _limit_to_now(tick.at),
                "device_id": ticks.device,
                "tick_id": tick.id,
            }
            for tick in batch
        ]
        try:
            execute_tool(bulk_tools.save_guests, caller, {"event_id": chart.pk, "items": items})
        except _RETRYABLE_ERRORS:
            waiting += [tick.id for tick in batch]
        except ToolError as refusal:
            if len(batch) == 1:
                refused.append({"id": batch[0].id, "why": refusal.message})
            else:
                batches = [[tick] for tick in batch] + batches
    return refused, waiting


def _is_valid_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _limit_to_now(text: str) -> str:
    """Return the time of a check-off, or now if the device's clock is ahead."""
    moment = datetime.fromisoformat(text)
    now = clock.now()
    return text if moment.tzinfo is None or moment <= now else now.isoformat()


def _split_batches(ticks: list[Tick]) -> list[list[Tick]]:
    results: list[list[Tick]] = []
    for tick in sorted(ticks, key=lambda tick: tick.at):
        batch = next((some for some in results if all(item.guest != tick.guest for item in some)), None)
        if batch is None:
            results.append([tick])
        else:
            batch.append(tick)
    return results


@page()
def service_worker(request: SignedInRequest) -> HttpResponse:
    """Return the service worker's script. Its URL is in the same folder as the pages that it caches."""
    return device_storage.service_worker_response("seat/checkin-worker.js")
