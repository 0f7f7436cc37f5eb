"""Seating charts as tools: charts as wholes, and what the contract asks for. Tables and guests are saved by list in
`list_tools.py`; who sits where by itself is in `arrange_tools.py`."""

from __future__ import annotations

from typing import Annotated, Any, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.lib.errors import InvalidInput
from workspace.lib.name_order import order_of
from workspace.lib.text import counted, escape_markdown, fold
from workspace.products.seat.api.arguments import (
    ChartChanges,
    ChartFields,
    EventId,
    GuestId,
    NewGuests,
    NewTables,
    OverCapacity,
    TableId,
    Wishes,
)
from workspace.products.seat.api.detail_serializers import whole
from workspace.products.seat.api.response_types import ChartRow, GuestRow, Tables
from workspace.products.seat.api.serializers import chart_row, guest_row
from workspace.products.seat.api.text import chart_line, guest_line
from workspace.products.seat.domain import change_steps, duplication, guests, placement, preferences
from workspace.products.seat.domain import tables as seat_tables
from workspace.products.seat.domain.queries import (
    NO_TABLE,
    chart_named,
    chart_of,
    charts_of,
    guests_of,
    in_reading_order,
)
from workspace.products.seat.domain.split_parties import warnings_of
from workspace.products.seat.models import KIND, Chart, Guest, Table
from workspace.products.seat.rules.limits import MOST
from workspace.publishing.arguments import Ids, moment
from workspace.publishing.serializers import DeletedAll, one, several
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, bullets, listing
from workspace.tools.argument_types import Id, Limit, Line, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Seating charts")
ROOM = {"width", "depth", "units", "background_id", "background_width", "courses"}  # what the floor plan can undo
Title = Annotated[str, Line(120), Field(description="What it is called: Anna & Ben's wedding")]


@box.tool(
    "svc_seat_charts", title="List seating charts", reads=True, columns="title date venue seated guest_count slug"
)
def charts(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[ChartRow]]:
    """Your seating charts, newest first, with date, venue, tables, seated guests, guest limit and find-my-table
    link."""
    rows = [chart_row(chart) for chart in charts_of(account)[offset : offset + limit]]
    total = account.seating_charts.count()
    return listing(rows, total=total, offset=offset, noun="seating charts", line=chart_line)


@box.tool(
    "svc_seat_tables", title="What stands on a seating chart", reads=True, columns="name shape capacity guest_count id"
)
def tables(account: Account, event_id: EventId) -> Answer[Tables]:
    """Every table of a chart with id, shape, capacity, guest count and guests; the room's objects, all wishes, what is
    too near or too full, and why not everybody can be seated, where that is so."""
    return whole(account, event_id, "")


@box.tool("svc_seat_guests", title="List the guests of a chart", reads=True, columns="name party table meal reply id")
def list_guests(
    account: Account,
    event_id: EventId,
    q: Annotated[Query, Field(description="Part of a guest's or party's name")] | None = None,
    unseated_only: Annotated[bool, Field(description="Only those who have no table")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[Listing[GuestRow]]:
    """Guests of a chart by name, with ids, party, meal, notes, table and check-in."""
    chart = chart_named(account, event_id)
    found = guests_of(chart)
    for word in fold(q or "").split():
        found = found.filter(search__contains=word)
    if unseated_only:
        found = found.filter(table=None)
    rows = [guest_row(guest) for guest in in_reading_order(found)[offset : offset + limit]]
    return listing(rows, total=found.count(), offset=offset, noun="guests", line=guest_line)


class Added(TypedDict):
    added: int
    did_not_fit: Annotated[int, Field(description="Beyond the plan's guests per chart")]
    items: list[GuestRow]


@box.tool("svc_seat_add_guests", title="Add guests")
def add_guests(caller: Caller, event_id: EventId, guests: NewGuests) -> Answer[Added]:
    """Add guests, unseated: {name, party, meal, notes} each, or more as in svc_seat_save_guests; party groups people
    who sit together. Stops at the plan's guests per chart and says how many did not fit. svc_seat_assign or
    svc_seat_arrange seats them."""
    chart = chart_named(caller.account, event_id)
    made, left = _add(chart, guests)
    if made:
        change_steps.record(chart, caller.actor, "guests", guests=[guest.pk for guest in made])
    rows = [guest_row(guest) for guest in made]
    data: Added = {"added": len(made), "did_not_fit": left, "items": rows}
    return Answer(data, lambda: "\n".join([told_added(chart, len(made), left), "", *bullets(rows, guest_line)]))


_add = guests.add


def told_added(chart: Chart, made: int, left: int) -> str:
    text = f"Added {counted(made, 'guest')}."
    if left:
        way_out = chart.account.or_larger(KIND, "remove some")
        text += f" {left} did not fit into your plan's {chart.account.limits(KIND).guests} guests a chart: {way_out}."
    return text


class Assigned(TypedDict):
    guest: GuestRow
    warnings: list[str]


@box.tool("svc_seat_assign", title="Seat a guest", idempotent=True)
def assign(
    caller: Caller,
    event_id: EventId,
    guest_id: GuestId,
    table_id: TableId | None = None,
    allow_over_capacity: OverCapacity = False,
) -> Answer[Assigned]:
    """Move one guest to a table, or unseat them where table_id is left out. Refuses a full table unless
    allow_over_capacity is true. Says who of the party stays behind; svc_seat_save_guests moves several at once."""
    chart = chart_named(caller.account, event_id)
    guest = guests.one_guest(chart, guest_id)
    table = one(chart.tables.all(), table_id, NO_TABLE) if table_id is not None else None
    moves = placement.place(chart, [(guest, table)], over=allow_over_capacity)
    if moves:
        change_steps.record(chart, caller.actor, "move", moves=moves)
    row = guest_row(guest)
    said = warnings_of(chart, [guest])
    where = f"moved to table {escape_markdown(row['table'])}" if row["table"] else "unseated"
    head = f"{escape_markdown(guest.name)} {where}." if moves else "Nothing changed."
    data: Assigned = {"guest": row, "warnings": said}
    return Answer(data, lambda: "\n".join([head, f"- {guest_line(row)}", *(f"- {line}" for line in said)]))


@box.tool("svc_seat_create", title="Create a seating chart")
def create(
    account: Account,
    title: Title,
    tables: NewTables | None = None,
    copy_of: Annotated[Id, Field(description="Like this chart of yours: its room, tables and guests, unseated")]
    | None = None,
    **fields: Unpack[ChartFields],
) -> Answer[Tables]:
    """Make a seating chart with its tables: [{capacity: 8, count: 12}] makes twelve for eight, placed and numbered.
    svc_seat_add_guests adds guests, find_table lets them find their table at its address."""
    given = _given(account, dict(fields))
    if copy_of is not None:
        given = {**duplication.fields_of(chart_of(account, copy_of)), **given}
    else:
        brand = Brand.of(account)
        given.setdefault("name_order", order_of(brand.country, brand.languages))
    if copy_of is None and tables and not {"width", "depth"} & set(given):
        given["width"], given["depth"] = _under("items", "tables", lambda: seat_tables.room_for(tables))
    chart = Chart.open(account, title=title, **given)
    if copy_of is not None:
        duplication.fill(chart, chart_of(account, copy_of), with_tables=tables is None)
    if tables:
        _under("items", "tables", lambda: seat_tables.save(chart, tables, (), noted=False))
    return whole(account, chart.pk, "Created")


@box.tool("svc_seat_edit", title="Edit a seating chart", idempotent=True)
def edit(
    caller: Caller,
    event_id: EventId,
    wishes: Wishes | None = None,
    remove: Annotated[list[Id], Field(max_length=MOST, description="Wishes to remove, by id")] | None = None,
    **fields: Unpack[ChartChanges],
) -> Answer[Tables]:
    """Change a chart's title, date, venue, room, courses or its guests' page, and its wishes: who sits together or
    apart (must, wanted, nice), near a table or not at it. Only what is given changes."""
    chart = chart_named(caller.account, event_id)
    given = _given(caller.account, dict(fields))
    name_order = guests.order_of(chart)
    if given:
        chart.edit(**given)
    if chart.name_order != name_order:
        guests.resort(chart, name_order)
    has_new_room = bool(ROOM & set(given)) and journal.has_changed()
    if (wishes or remove) and _save_wishes(chart, wishes or [], remove or [], at="wishes"):
        change_steps.record(chart, caller.actor, "wishes")
    elif has_new_room:
        change_steps.record(chart, caller.actor, "room")
    return whole(caller.account, event_id, "Changed" if journal.has_changed() else "Nothing changed on")


_save_wishes = preferences.save


@box.tool("svc_seat_delete", title="Delete charts, tables, guests", destructive=True)
def delete(
    caller: Caller,
    ids: Annotated[Ids, Field(description="Of charts, tables, objects, guests")],
) -> Answer[DeletedAll]:
    """Delete charts with all on them, tables, whose guests become unseated, or guests. For 30 days svc_undo brings
    all of it back."""
    account = caller.account
    things: list[Any] = several(
        ids,
        "There is no such chart, table or guest: svc_seat_charts, svc_seat_tables, svc_seat_guests show yours",
        account.seating_charts.select_related("account", "publication"),
        *(
            model.objects.filter(chart__account=account, chart__binned_at=None).select_related(
                "chart__account", "chart__publication"
            )
            for model in (Table, Guest)
        ),
    )
    whole = [one for one in things if isinstance(one, Chart)]
    parts = [one for one in things if not isinstance(one, Chart) and one.chart not in whole]
    unseated = 0
    for chart in {part.chart_id: part.chart for part in parts}.values():
        mine = [part for part in parts if part.chart_id == chart.pk]
        guests.drop(chart, [one for one in mine if isinstance(one, Guest)])
        moves = seat_tables.drop([one for one in mine if isinstance(one, Table)])
        unseated += len(moves)
        change_steps.record(chart, caller.actor, "gone", moves=moves, gone=[one.pk for one in mine])
    Chart.remove_many(whole)
    data: DeletedAll = {"deleted": [{"id": one.pk, "title": str(one)} for one in things]}
    lines = [f"- {escape_markdown(str(one))} `{one.pk}`" for one in things]
    told = f"Deleted {len(things)}." + (f" {counted(unseated, 'guest is', 'guests are')} unseated." if unseated else "")
    return Answer(data, "\n".join([told, *lines]))


def _given(account: Account, given: dict[str, Any]) -> dict[str, Any]:
    """As a chart stores it."""
    if "date" in given:
        given["date"] = given["date"] or None
    if "find_from" in given:
        given["find_from"] = moment(given["find_from"], account.zone, "find_from")
    if "courses" in given:
        given["courses"] = [{"name": one["name"], "choices": one.get("choices", [])} for one in given["courses"]]
    return given


def _under(there: str, here: str, act: Any) -> Any:
    """What is refused at `there` is told at `here`."""
    try:
        return act()
    except InvalidInput as refusal:
        raise InvalidInput.of(
            [(f"{here}{one.path.removeprefix(there)}", one.message) for one in refusal.issues]
        ) from None
