"""Actions on the floor plan, each by its tool, with a message about the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, parse_whole_number
from workspace.lib.errors import InvalidInputError, NotFoundError
from workspace.lib.text import format_count, search_key
from workspace.products.seat.api import arrange_tools, bulk_tools, tools
from workspace.products.seat.dashboard import length_input
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.floor_plan import OBJECT_LABELS
from workspace.products.seat.domain.queries import TABLE_NOT_FOUND, natural_sort_key
from workspace.products.seat.models import Chart, Guest, Table
from workspace.publishing.serializers import get_or_404

MAX_GUESTS = 500
_NUDGES = {"left": ("x", -10), "right": ("x", 10), "up": ("y", -10), "down": ("y", 10), "turn": ("rotation", 15)}


def run_action(request: SignedInRequest, chart: Chart) -> str:
    """Run the requested action and return its message. Raise ToolError if it fails."""
    name = request.POST.get("act", "")
    if name not in ACTIONS:
        raise InvalidInputError.at_path("act", f"Must be one of {', '.join(ACTIONS)}")
    return ACTIONS[name](request, chart)


def return_url(request: SignedInRequest, id: str) -> str:
    """Return the URL of the page that a browser without scripts came from."""
    part = request.POST.get("back", "")
    return f"{LAYOUT.home}/{id}" + (f"/{part}" if part.replace("/", "").replace("_", "").isalnum() else "")


def selected_guests(request: SignedInRequest, chart: Chart) -> list[Guest]:
    """Return the guests in the field `guest`; with `whole`, also everyone of their parties who comes."""
    ids = [id for id in request.POST.getlist("guest")[:MAX_GUESTS] if id.isprintable()]
    guests = list(chart.guests.filter(pk__in=ids).select_related("table"))
    if not guests:
        raise NotFoundError("There is no such guest on this chart any more")
    if request.POST.get("whole"):
        keys = {guest.party_key for guest in guests if guest.party_key}
        everybody = chart.guests.exclude(party="").exclude(reply="no").select_related("table")
        guests += [guest for guest in everybody if guest.party_key in keys and guest not in guests]
    return guests


def selected_table(request: SignedInRequest, chart: Chart) -> Table | None:
    """Return the table by its id or its typed name, or None for no table."""
    if id := request.POST.get("table", ""):
        result: Table = get_or_404(chart.tables.filter(kind="table"), id[:40], TABLE_NOT_FOUND)
        return result
    typed = request.POST.get("named", "").strip()
    if not typed:
        return None
    tables = list(chart.tables.filter(kind="table"))
    for table in tables:
        if search_key(table.name) == search_key(typed) or search_key(f"table {table.name}") == search_key(typed):
            return table
    known = ", ".join(sorted((table.name for table in tables), key=natural_sort_key)[:40])
    existing = f"There are {known}" if known else "There are none yet"
    raise InvalidInputError.at_path("named", f"There is no table {typed[:60]}. {existing}")


def _move_guests(request: SignedInRequest, chart: Chart) -> str:
    guests, table = selected_guests(request, chart), selected_table(request, chart)
    over = bool(request.POST.get("over"))
    where = f"moved to {table_label(table)}" if table else "unseated"
    if len(guests) == 1:
        fields = {"table_id": table.pk} if table else {}
        result: Any = call_tool(
            request, tools.assign_guest, event_id=chart.pk, guest_id=guests[0].pk, allow_over_capacity=over, **fields
        )
        return ". ".join([f"{guests[0].name} {where}", *result["warnings"]])
    items = [{"id": guest.pk, "table_id": table.pk if table else ""} for guest in guests]
    result = call_tool(request, bulk_tools.save_guests, event_id=chart.pk, items=items, allow_over_capacity=over)
    parties = {guest.party for guest in guests}
    who = f"Party {parties.pop()}" if len(parties) == 1 and "" not in parties else format_count(len(guests), "guest")
    return ". ".join([f"{who} {where}", *result["warnings"]])


def _swap_guests(request: SignedInRequest, chart: Chart) -> str:
    """Swap the places of two guests. If one has no table, the other loses theirs."""
    [guest] = selected_guests(request, chart)[:1]
    other: Guest = get_or_404(
        chart.guests.select_related("table"), request.POST.get("other", "")[:40], "That guest is gone"
    )
    items = [
        {"id": guest.pk, "table_id": other.table_id or ""},
        {"id": other.pk, "table_id": guest.table_id or ""},
    ]
    call_tool(request, bulk_tools.save_guests, event_id=chart.pk, items=items)
    return f"{guest.name} and {other.name} changed places"


def _place_table(request: SignedInRequest, chart: Chart) -> str:
    """Move or rotate a table to where it was dragged, or by the step or turn of a button (`by`)."""
    table: Table = get_or_404(chart.tables.all(), request.POST.get("table", "")[:40], TABLE_NOT_FOUND)
    fields: dict[str, Any] = {"id": table.pk}
    for name in ("x", "y", "rotation"):
        if (text := request.POST.get(name)) is not None:
            fields[name] = length_input.parse_number(text, name)
    if by := _NUDGES.get(request.POST.get("by", "")):
        fields[by[0]] = getattr(table, by[0]) + by[1]
    if "rotation" in fields:
        fields["rotation"] = fields["rotation"] % 360
    call_tool(request, bulk_tools.save_tables, event_id=chart.pk, items=[fields])
    return f"{table_label(table)} {'turned' if 'rotation' in fields else 'moved'}"


def _add_tables(request: SignedInRequest, chart: Chart) -> str:
    kind = request.POST.get("kind", "table")
    if kind != "table":
        result: Any = call_tool(request, bulk_tools.save_tables, event_id=chart.pk, items=[{"kind": kind}])
        return "Added to the room. Drag it where it stands"
    fields: dict[str, Any] = {
        "shape": request.POST.get("shape", "round"),
        "capacity": parse_whole_number(request.POST.get("capacity"), 8, 0, 60),
        "count": parse_whole_number(request.POST.get("count"), 1, 1, 100),
        "end_seats": bool(request.POST.get("end_seats")),
    }
    result = call_tool(request, bulk_tools.save_tables, event_id=chart.pk, items=[fields])
    return f"Added {format_count(result['added'], 'table')}"


def _add_chair(request: SignedInRequest, chart: Chart) -> str:
    table: Table = get_or_404(chart.tables.filter(kind="table"), request.POST.get("table", "")[:40], TABLE_NOT_FOUND)
    call_tool(
        request, bulk_tools.save_tables, event_id=chart.pk, items=[{"id": table.pk, "capacity": table.capacity + 1}]
    )
    return f"{table_label(table)} has {format_count(table.capacity + 1, 'seat')}"


def _remove_table(request: SignedInRequest, chart: Chart) -> str:
    table: Table = get_or_404(chart.tables.all(), request.POST.get("table", "")[:40], TABLE_NOT_FOUND)
    result: Any = call_tool(request, bulk_tools.save_tables, event_id=chart.pk, remove=[table.pk])
    more = (
        f". {format_count(result['unseated'], 'guest has', 'guests have')} no table now" if result["unseated"] else ""
    )
    return f"{table_label(table)} removed{more}"


def _lock_guests(request: SignedInRequest, chart: Chart) -> str:
    locked = request.POST.get("locked") == "yes"
    guests = selected_guests(request, chart)
    call_tool(
        request,
        bulk_tools.save_guests,
        event_id=chart.pk,
        items=[{"id": guest.pk, "locked": locked} for guest in guests],
    )
    return f"{guests[0].name} {'stays at the table' if locked else 'may be moved'}"


def _undo_or_redo(request: SignedInRequest, chart: Chart) -> str:
    step = request.POST["act"]
    result: Any = call_tool(request, arrange_tools.arrange, event_id=chart.pk, step=step)
    head = "Taken back" if step == "undo" else "Made again"
    if not result["what"].startswith(("moving", "unseating", "auto-seating")):
        return f"{head}: {result['what']}"
    names = [row["name"] for row in result["moves"]]
    if not names:
        return "Nothing was moved"
    who = f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else names[0]
    where = f" back to {result['moves'][0]['to_table'] or 'no table'}" if len(names) == 1 else ""
    more = "".join(f". {row['name']} stayed: {row['why']}" for row in result["refused"][:3])
    return f"{head}: {who}{where}{more}"


def table_label(table: Table) -> str:
    if not table.is_table:
        return table.name or OBJECT_LABELS.get(table.kind, "It")
    return f"table {table.name}" if table.name.isdigit() else table.name


ACTIONS: dict[str, Callable[[SignedInRequest, Chart], str]] = {
    "move": _move_guests,
    "swap": _swap_guests,
    "place": _place_table,
    "add": _add_tables,
    "chair": _add_chair,
    "remove": _remove_table,
    "lock": _lock_guests,
    "undo": _undo_or_redo,
    "redo": _undo_or_redo,
}
