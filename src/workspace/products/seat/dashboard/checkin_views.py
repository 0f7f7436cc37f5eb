"""Who has come: a list to tick for the staff at the door, which goes on without a connection and tells later."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse, JsonResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from workspace.accounts.dispatch import Caller, perform
from workspace.dashboard import device_storage
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page, words
from workspace.lib import clock, strict_json
from workspace.lib.errors import Busy, InvalidInput, RateLimited, Refusal, Unavailable
from workspace.lib.text import fold
from workspace.products.seat.api import list_tools
from workspace.products.seat.api.serializers import guest_row
from workspace.products.seat.dashboard.layout import FRAME
from workspace.products.seat.domain.guests import order_of
from workspace.products.seat.domain.placement import counts_of
from workspace.products.seat.domain.queries import chart_of, tables_of
from workspace.products.seat.models import Chart, Reply
from workspace.products.seat.rules.surnames import listed, order
from workspace.publishing.checkin import digits

MOST = 500  # ticks that come at once
_LATER = (Busy, Unavailable, RateLimited)  # of which a moment is the cure


class Tick(BaseModel):
    model_config = ConfigDict(extra="forbid")
    guest: str = Field(max_length=40)
    arrived: bool
    at: str = Field(max_length=40)
    id: str = Field(max_length=80)


class Ticks(BaseModel):
    model_config = ConfigDict(extra="forbid")
    device: str = Field(max_length=80)
    ticks: list[Tick] = Field(max_length=MOST)


@page("GET", "HEAD", "POST")
def door(request: SignedInRequest, id: str) -> HttpResponse:
    """Without script a button ticks; somebody unexpected is seated where there is room."""
    chart = chart_of(request.account, id)
    if request.method == "POST":
        return _taken(request, chart)
    rows = [_row(guest) for guest in chart.guests.exclude(reply=Reply.NO).select_related("table")]
    rows.sort(key=lambda row: order(row["listed"]))
    context = {
        "chart": chart,
        "rows": rows,
        "arrived": sum(row["arrived"] for row in rows),
        "free": free_tables(chart),
        "worker": f"{FRAME.home}/door-worker.js",
    }
    return FRAME.page(request, id, "seat/door.html", context)


def _row(guest: Any) -> dict[str, Any]:
    row = guest_row(guest)
    shown = listed(guest.name, guest.sort_name, order_of(guest.chart))
    return {**row, "listed": shown, "find": fold(f"{guest.name} {guest.party} {guest.sort_name} {digits(guest.phone)}")}


def free_tables(chart: Chart) -> list[tuple[str, str, int]]:
    counts = counts_of(chart)
    found = [
        (table.pk, table.name, table.capacity - counts[table.pk])
        for table in tables_of(chart)
        if not table.closed and table.capacity > counts[table.pk]
    ]
    return sorted(found, key=lambda one: -one[2])


def _taken(request: SignedInRequest, chart: Chart) -> HttpResponse:
    if guest := words(request.POST.get("tick"), 40):
        arrived = not chart.guests.filter(pk=guest, arrived_at__isnull=False).exists()
        call(request, list_tools.save_guests, event_id=chart.pk, items=[{"id": guest, "arrived": arrived}])
        return redirect_whole(request, f"{FRAME.home}/{chart.pk}/door#t-{guest}")
    name = request.POST.get("name", "").strip()
    item = {"name": name, "reply": "yes", "arrived": True, "table_id": request.POST.get("table", "")}
    found: Any = call(request, list_tools.save_guests, event_id=chart.pk, items=[item])
    if found["did_not_fit"]:
        return done(request, f"Your plan holds no more guests: {name} was not added.", f"{FRAME.home}/{chart.pk}/door")
    where = found["items"][0]["table"]
    return done(
        request, f"{name} sits at table {where}." if where else f"{name} is added.", f"{FRAME.home}/{chart.pk}/door"
    )


@page("GET", "HEAD", "POST")
def ticks(request: SignedInRequest, id: str) -> HttpResponse:
    """Ticks as a device kept them, in any order and perhaps not for the first time; who is here by now."""
    chart = chart_of(request.account, id)
    refused: list[dict[str, str]] = []
    waiting: list[str] = []
    if request.method == "POST":
        try:
            told = strict_json.parse(request.body)
            strict_json.check(told)
            sent = Ticks.model_validate(told)
        except (ValidationError, ValueError, InvalidInput):
            return JsonResponse({"problem": "These are no ticks"}, status=422)
        refused, waiting = taken(request.caller, chart, sent)
    here = chart.guests.exclude(reply=Reply.NO)
    arrived = list(here.filter(arrived_at__isnull=False).values_list("pk", flat=True))
    return JsonResponse({"arrived": arrived, "total": here.count(), "refused": refused, "waiting": waiting})


def taken(caller: Caller, chart: Chart, sent: Ticks) -> tuple[list[dict[str, str]], list[str]]:
    """What was not taken, each with why; and what should be sent again. One tick that cannot be taken keeps no other
    from being so."""
    known = set(chart.guests.filter(pk__in=[one.guest for one in sent.ticks]).values_list("pk", flat=True))
    refused: list[dict[str, str]] = []
    waiting: list[str] = []
    good = []
    for tick in sent.ticks:
        if tick.guest not in known:
            refused.append({"id": tick.id, "why": "They are on this list no more"})
        elif not _is_moment(tick.at):
            refused.append({"id": tick.id, "why": "The device’s clock tells no time"})
        else:
            good.append(tick)
    # one at a time, by guest: of one guest a list may hold several
    batches = _batches(good)
    while batches:
        batch = batches.pop(0)
        items = [
            {"id": one.guest, "arrived": one.arrived, "at": _past(one.at), "device_id": sent.device, "tick_id": one.id}
            for one in batch
        ]
        try:
            perform(list_tools.save_guests, caller, {"event_id": chart.pk, "items": items})
        except _LATER:
            waiting += [one.id for one in batch]
        except Refusal as refusal:
            if len(batch) == 1:
                refused.append({"id": batch[0].id, "why": refusal.message})
            else:
                batches = [[one] for one in batch] + batches
    return refused, waiting


def _is_moment(at: str) -> bool:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True


def _past(at: str) -> str:
    """The moment of a tick; a clock at the door that is fast ticks now."""
    moment = datetime.fromisoformat(at)
    now = clock.now()
    return at if moment.tzinfo is None or moment <= now else now.isoformat()


def _batches(ticks: list[Tick]) -> list[list[Tick]]:
    found: list[list[Tick]] = []
    for tick in sorted(ticks, key=lambda one: one.at):
        batch = next((some for some in found if all(one.guest != tick.guest for one in some)), None)
        if batch is None:
            found.append([tick])
        else:
            batch.append(tick)
    return found


@page()
def worker(request: SignedInRequest) -> HttpResponse:
    """Stands beside the pages that it keeps."""
    return device_storage.worker("seat/door-worker.js")
