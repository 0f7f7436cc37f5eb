"""Actions on the floor plan. Each uses its tool and returns a message about the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, parse_whole_number
from workspace.lib.errors import InvalidInputError, NotFoundError
from workspace.products.seat import messages
from workspace.products.seat.api import arrange_tools, bulk_tools, tools
from workspace.products.seat.dashboard import length_input
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.floor_plan import format_item_label
from workspace.products.seat.domain.queries import get_table, get_table_by_name
from workspace.products.seat.models import Chart, Guest, Table
from workspace.products.seat.rules.limits import MAX_SEATS_PER_TABLE
from workspace.publishing.serializers import get_or_404

MAX_GUESTS = 500
_NUDGES = {"left": ("x", -10), "right": ("x", 10), "up": ("y", -10), "down": ("y", 10), "turn": ("rotation", 15)}


def run_action(request: SignedInRequest, chart: Chart) -> str:
    """Run the requested action and return its message. Raise ToolError if it fails."""
    name = request.POST.get("act", "")
    if name not in ACTIONS:
        raise InvalidInputError.at_path("act", messages.NOT_ONE_OF(values=", ".join(ACTIONS)))
    return ACTIONS[name](request, chart)


def return_url(request: SignedInRequest, id: str) -> str:
    """Return the URL of the page to return to in browsers without scripts."""
    part = request.POST.get("back", "")
    return f"{LAYOUT.home}/{id}" + (f"/{part}" if part.replace("/", "").replace("_", "").isalnum() else "")


def selected_guests(request: SignedInRequest, chart: Chart) -> list[Guest]:
    """Return the guests in the field `guest`. With `whole`, add all attending guests in their parties."""
    ids = [id for id in request.POST.getlist("guest")[:MAX_GUESTS] if id.isprintable()]
    guests = list(chart.guests.filter(pk__in=ids).select_related("table"))
    if not guests:
        raise NotFoundError(messages.GUEST_REMOVED)
    if request.POST.get("whole"):
        keys = {guest.party_key for guest in guests if guest.party_key}
        everybody = chart.guests.exclude(party="").exclude(reply="no").select_related("table")
        guests += [guest for guest in everybody if guest.party_key in keys and guest not in guests]
    return guests


def selected_table(request: SignedInRequest, chart: Chart) -> Table | None:
    """Return the table with the given id or typed name, or None if no table is given."""
    if id := request.POST.get("table", ""):
        result: Table = get_or_404(chart.tables.filter(kind="table"), id[:40], messages.TABLE_NOT_FOUND)
        return result
    typed = request.POST.get("named", "").strip()
    return get_table_by_name(chart, typed, "named") if typed else None


def _move_guests(request: SignedInRequest, chart: Chart) -> str:
    guests, table = selected_guests(request, chart), selected_table(request, chart)
    over = bool(request.POST.get("over"))
    seat = _parse_chair(request, "seat") if table and len(guests) == 1 else 0
    result: Any
    if len(guests) == 1 and not seat:
        fields = {"table_id": table.pk} if table else {}
        result = call_tool(
            request, tools.assign_guest, event_id=chart.pk, guest_id=guests[0].pk, allow_over_capacity=over, **fields
        )
    else:
        chair = {"seat": seat} if seat else {}
        items = [{"id": guest.pk, "table_id": table.pk if table else "", **chair} for guest in guests]
        result = call_tool(request, bulk_tools.save_guests, event_id=chart.pk, items=items, allow_over_capacity=over)
    return " ".join([_describe_move(guests, table), *result["warnings"]])


def _parse_chair(request: SignedInRequest, name: str) -> int:
    """Return the number of a chair, or 0 if none was given."""
    return parse_whole_number(request.POST.get(name), 0, 0, MAX_SEATS_PER_TABLE)


def _describe_move(guests: Sequence[Guest], table: Table | None) -> str:
    parties = {guest.party for guest in guests}
    values: dict[str, Any] = {"count": len(guests), "table": label_item(table) if table else ""}
    if len(guests) == 1:
        text = gettext("%(name)s moved to %(table)s.") if table else gettext("%(name)s unseated.")
        return text % {**values, "name": guests[0].name}
    if len(parties) == 1 and "" not in parties:
        text = gettext("Party “%(party)s” moved to %(table)s.") if table else gettext("Party “%(party)s” unseated.")
        return text % {**values, "party": parties.pop()}
    if table:
        text = ngettext("%(count)s guest moved to %(table)s.", "%(count)s guests moved to %(table)s.", len(guests))
    else:
        text = ngettext("%(count)s guest unseated.", "%(count)s guests unseated.", len(guests))
    return text % values


def _swap_guests(request: SignedInRequest, chart: Chart) -> str:
    """Swap the places of two guests. If one has no table, the other loses theirs."""
    [guest] = selected_guests(request, chart)[:1]
    other: Guest = get_or_404(
        chart.guests.select_related("table"), request.POST.get("other", "")[:40], messages.GUEST_REMOVED
    )
    items: list[dict[str, Any]] = [
        {"id": guest.pk, "table_id": other.table_id or ""},
        {"id": other.pk, "table_id": guest.table_id or ""},
    ]
    for item, chair in zip(items, (_parse_chair(request, "seat"), _parse_chair(request, "other_seat")), strict=True):
        if chair:
            item["seat"] = chair
    call_tool(request, bulk_tools.save_guests, event_id=chart.pk, items=items)
    return gettext("%(name)s and %(other)s swapped.") % {"name": guest.name, "other": other.name}


def _place_table(request: SignedInRequest, chart: Chart) -> str:
    """Move or rotate a table to where it was dragged, or by the step or turn of a button (`by`)."""
    table = get_table(chart, request.POST.get("table", "")[:40])
    fields: dict[str, Any] = {"id": table.pk}
    for name in ("x", "y", "rotation"):
        if (text := request.POST.get(name)) is not None:
            fields[name] = length_input.parse_number(text, name)
    if by := _NUDGES.get(request.POST.get("by", "")):
        fields[by[0]] = getattr(table, by[0]) + by[1]
    if "rotation" in fields:
        fields["rotation"] = fields["rotation"] % 360
    call_tool(request, bulk_tools.save_tables, event_id=chart.pk, items=[fields])
    text = gettext("%(name)s rotated.") if "rotation" in fields else gettext("%(name)s moved.")
    return text % {"name": label_item(table)}


def _add_tables(request: SignedInRequest, chart: Chart) -> str:
    kind = request.POST.get("kind", "table")
    if kind != "table":
        result: Any = call_tool(request, bulk_tools.save_tables, event_id=chart.pk, items=[{"kind": kind}])
        return gettext("Object added. Drag it to its place.")
    fields: dict[str, Any] = {
        "shape": request.POST.get("shape", "round"),
        "capacity": parse_whole_number(request.POST.get("capacity"), 8, 0, 60),
        "count": parse_whole_number(request.POST.get("count"), 1, 1, 100),
        "end_seats": bool(request.POST.get("end_seats")),
    }
    result = call_tool(request, bulk_tools.save_tables, event_id=chart.pk, items=[fields])
    added = result["added"]
    return ngettext("%(count)s table added.", "%(count)s tables added.", added) % {"count": added}


def _add_chair(request: SignedInRequest, chart: Chart) -> str:
    table: Table = get_or_404(
        chart.tables.filter(kind="table"), request.POST.get("table", "")[:40], messages.TABLE_NOT_FOUND
    )
    call_tool(
        request, bulk_tools.save_tables, event_id=chart.pk, items=[{"id": table.pk, "capacity": table.capacity + 1}]
    )
    text = ngettext(
        "Chair added. %(table)s has %(count)s seat.",
        "Chair added. %(table)s has %(count)s seats.",
        table.capacity + 1,
    )
    return text % {"table": label_item(table), "count": table.capacity + 1}


def _remove_table(request: SignedInRequest, chart: Chart) -> str:
    table = get_table(chart, request.POST.get("table", "")[:40])
    result: Any = call_tool(request, bulk_tools.save_tables, event_id=chart.pk, remove=[table.pk])
    sentences = [gettext("%(name)s removed.") % {"name": label_item(table)}]
    if unseated := result["unseated"]:
        text = ngettext("%(count)s guest is now unseated.", "%(count)s guests are now unseated.", unseated)
        sentences.append(text % {"count": unseated})
    return " ".join(sentences)


def _lock_guests(request: SignedInRequest, chart: Chart) -> str:
    locked = request.POST.get("locked") == "yes"
    guests = selected_guests(request, chart)
    call_tool(
        request,
        bulk_tools.save_guests,
        event_id=chart.pk,
        items=[{"id": guest.pk, "locked": locked} for guest in guests],
    )
    text = gettext("%(name)s locked to this table.") if locked else gettext("%(name)s unlocked.")
    return text % {"name": guests[0].name}


def _undo_or_redo(request: SignedInRequest, chart: Chart) -> str:
    step = request.POST["act"]
    result: Any = call_tool(request, arrange_tools.arrange, event_id=chart.pk, step=step)
    if result["refused"] and not result["moves"]:
        sentences = [gettext("No guests were moved.")]
    else:
        text = gettext("Undone: %(change)s.") if step == "undo" else gettext("Redone: %(change)s.")
        sentences = [text % {"change": result["what"]}]
    return " ".join([*sentences, *(row["why"] for row in result["refused"][:3])])


def label_item(table: Table) -> str:
    return format_item_label(table.name, table.kind)


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
