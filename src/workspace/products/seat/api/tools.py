"""Tools for whole seating charts, and those that the contract requires.

The tools that save tables and guests as lists are in `bulk_tools.py`, and auto-seating is in `arrange_tools.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.dispatch import Caller
from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.lib.errors import InvalidInputError
from workspace.lib.name_order import name_order_for
from workspace.lib.text import escape_markdown, format_count, search_key
from workspace.products.seat import messages
from workspace.products.seat.api.arguments import (
    ChartChanges,
    ChartFields,
    EventId,
    GuestId,
    NewGuests,
    NewTables,
    OverCapacity,
    Preferences,
    TableId,
)
from workspace.products.seat.api.chart_answer import chart_answer
from workspace.products.seat.api.response_types import ChartContents, ChartSummary, GuestData
from workspace.products.seat.api.serializers import chart_summary, guest_data
from workspace.products.seat.api.text import format_chart, format_guest
from workspace.products.seat.domain import change_steps, duplication, guest_moves, guests, preferences
from workspace.products.seat.domain import tables as seat_tables
from workspace.products.seat.domain.move_warnings import find_split_warnings
from workspace.products.seat.domain.queries import (
    GuestFilter,
    charts_for,
    get_chart,
    get_chart_with_counts,
    get_table,
    matching_guests_for,
)
from workspace.products.seat.models import KIND, Chart, Guest, Table
from workspace.products.seat.rules.limits import MAX_ITEMS
from workspace.products.seat.rules.table_labels import format_table_label
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids, parse_future_moment
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, format_bullets, listing_answer
from workspace.tools.argument_types import Id, Limit, Line, Offset, Query
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Seating charts")
ROOM_FIELDS = {
    "width",
    "depth",
    "units",
    "background_image_id",
    "background_width",
    "courses",
}  # what Undo on the floor plan covers
Title = Annotated[str, Line(120), Field(description="Title, such as Anna & Ben's wedding.")]


@box.tool(
    "svc_seat_charts",
    title="List seating charts",
    about="List seating charts, newest first, with date, venue, number of tables and seated guests, guest limit and "
    "find-my-table link.",
    short="List seating charts with tables and seated guests.",
    synonyms="weddings, seating plans, my events, floor plans, sitzpläne, tischpläne, hochzeiten, planos de mesas, "
    "bodas",
    reads=True,
    columns="title date venue seated guest_count slug",
)
def list_charts(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[ChartSummary]]:
    charts, total = charts_for.fetch_page(limit, offset, account)
    rows = [chart_summary(chart) for chart in charts]
    return listing_answer(rows, total=total, offset=offset, noun="seating charts", line=format_chart)


@box.tool(
    "svc_seat_tables",
    title="Get a seating chart",
    about="Get a seating chart: tables with ID, shape, capacity and guests, other objects in the room, and "
    "preferences. Also returns warnings about spacing and capacity, and the reason if not everyone can be seated.",
    short="Get tables, guests, objects, preferences and warnings of a chart.",
    synonyms="who sits where, which table, free seats, floor plan, layout, wer sitzt wo, tische, freie plätze, "
    "quién se sienta, mesas, plano, asientos libres, guests at table, who is at table, wer sitzt am "
    "tisch, quién se sienta en la mesa",
    reads=True,
    columns="name shape capacity guest_count id",
)
def list_tables(account: Account, event_id: EventId) -> Answer[ChartContents]:
    return chart_answer(account, event_id, "Seating chart")


@box.tool(
    "svc_seat_guests",
    title="List guests of a seating chart",
    about="List the guests of a chart by name, with ID, party, meal, notes, table and check-in.",
    short="List guests of a chart with party, meal, table and check-in.",
    synonyms="guest list, unseated guests, meals, who has arrived, rsvp list, gästeliste, wer ist da, ohne "
    "tisch, lista de invitados, quién ha llegado, sin mesa, comidas, guests without table, guests "
    "without seat, dietary needs, allergies, who said no, gäste ohne tisch, invitados sin mesa, "
    "alergias",
    reads=True,
    columns="name party table meal reply id",
)
def list_guests(
    account: Account,
    event_id: EventId,
    q: Annotated[Query, Field(description="Part of a guest's or party's name.")] | None = None,
    unseated_only: Annotated[
        bool, Field(description="Whether to list only guests without a table. Defaults to false.")
    ] = False,
    limit: Limit = 50,
    offset: Offset = 0,
    filter: Annotated[
        Literal["all", "coming", "waiting", "declined", "unseated", "needs"],
        Field(description="Which guests to list. needs means with a diet or notes. Defaults to all."),
    ] = "all",
    sort: Annotated[Literal["name", "party"], Field(description="Order of the list. Defaults to name.")] = "name",
) -> Answer[Listing[GuestData]]:
    chart = get_chart(account, event_id)
    words = search_key(q or "").split()
    guests, total = matching_guests_for.fetch_page(
        limit, offset, chart, unseated_only, GuestFilter(filter), sort == "party", *words
    )
    rows = [guest_data(guest) for guest in guests]
    return listing_answer(rows, total=total, offset=offset, noun="guests", line=format_guest)


class AddedGuests(TypedDict):
    added: int
    did_not_fit: Annotated[int, Field(description="Number of guests beyond the plan's limit per chart.")]
    items: list[GuestData]


@box.tool(
    "svc_seat_add_guests",
    title="Add guests to a seating chart",
    about="Add unseated guests. A guest is {name, party, meal, notes}. All fields of svc_seat_save_guests are "
    "accepted. party groups people who sit together. Stops at your plan's limit of guests and returns did_not_fit. "
    "To seat guests, use svc_seat_assign or svc_seat_arrange.",
    short="Add unseated guests to a chart.",
    synonyms="new guest, invite guest, plus one, additional guest, gäste hinzufügen, neuer gast, begleitung, "
    "añadir invitado, agregar invitados, acompañante, add guests, add people, guests to the wedding",
)
def add_guests(caller: Caller, event_id: EventId, guests: NewGuests) -> Answer[AddedGuests]:
    chart = get_chart(caller.account, event_id)
    made, left = _add_to_chart(chart, guests)
    if made:
        change_steps.record_step(chart, caller.actor_key, "guests", guests=[guest.pk for guest in made])
    rows = [guest_data(guest) for guest in made]
    data: AddedGuests = {"added": len(made), "did_not_fit": left, "items": rows}
    return Answer(
        data, lambda: "\n".join([format_added(chart, len(made), left), "", *format_bullets(rows, format_guest)])
    )


_add_to_chart = guests.add_guests


def format_added(chart: Chart, added: int, omitted: int) -> str:
    text = f"Added {format_count(added, 'guest')}."
    if omitted:
        way_out = chart.account.with_upgrade_hint(KIND, "remove some")
        most = chart.account.limits(KIND).guests
        text += f" Not added: {format_count(omitted, 'guest')}. Your plan allows {most} guests per chart: {way_out}."
    return text


class AssignedGuest(TypedDict):
    guest: GuestData
    warnings: list[str]


@box.tool(
    "svc_seat_assign",
    title="Seat a guest",
    about="Seat a guest at a table, or omit table_id to unseat the guest. Fails if the table is full, unless "
    "allow_over_capacity is true. Returns members of the party who are seated elsewhere. To move several "
    "guests at once, use svc_seat_save_guests.",
    short="Seat or unseat one guest.",
    synonyms="move guest, put at table, change table, assign table, gast umsetzen, an tisch setzen, tisch "
    "zuweisen, sentar, mover invitado, cambiar de mesa, asignar mesa",
    idempotent=True,
)
def assign_guest(
    caller: Caller,
    event_id: EventId,
    guest_id: GuestId,
    table_id: TableId | None = None,
    allow_over_capacity: OverCapacity = False,
) -> Answer[AssignedGuest]:
    chart = get_chart(caller.account, event_id)
    guest = guests.get_guest(chart, guest_id)
    table = get_table(chart, table_id) if table_id is not None else None
    moves = guest_moves.move_guests(chart, [(guest, table)], allow_over_capacity=allow_over_capacity)
    if moves:
        change_steps.record_step(chart, caller.actor_key, "move", moves=moves)
    row = guest_data(guest)
    said = find_split_warnings(chart, [guest])
    where = f"moved to {escape_markdown(format_table_label(row['table']))}" if row["table"] else "unseated"
    head = f"{escape_markdown(guest.name)} {where}." if moves else "Nothing changed."
    data: AssignedGuest = {"guest": row, "warnings": said}
    return Answer(data, lambda: "\n".join([head, f"- {format_guest(row)}", *(f"- {line}" for line in said)]))


@box.tool(
    "svc_seat_create",
    title="Create a seating chart",
    about='Create a seating chart with tables. [{"capacity": 8, "count": 12}] creates twelve numbered tables for '
    "eight and places them in the room. To add guests, use svc_seat_add_guests. With find_table, guests can "
    "look up their table on a public page.",
    short="Create a seating chart with tables.",
    synonyms="wedding seating, seating plan, banquet, table plan, gala, sitzplan erstellen, tischplan, hochzeit, "
    "crear plano de mesas, boda, banquete",
)
def create(
    account: Account,
    title: Title,
    tables: NewTables | None = None,
    copy_of: Annotated[Id, Field(description="Chart to copy, with its room, tables and guests (unseated).")]
    | None = None,
    **fields: Unpack[ChartFields],
) -> Answer[ChartContents]:
    values = _chart_fields(account, dict(fields))
    if copy_of is not None:
        values = {**duplication.copied_chart_fields(get_chart_with_counts(account, copy_of)), **values}
    else:
        brand = Brand.for_account(account)
        values.setdefault("name_order", name_order_for(brand.country, brand.languages))
    if copy_of is None and tables and not {"width", "depth"} & set(values):
        values["width"], values["depth"] = _remap_errors(
            "items", "tables", lambda: seat_tables.compute_room_size(tables)
        )
    chart = Chart.open(account, title=title, **values)
    if copy_of is not None:
        duplication.copy_contents(chart, get_chart_with_counts(account, copy_of), with_tables=tables is None)
    if tables:
        _remap_errors("items", "tables", lambda: seat_tables.save_tables(chart, tables, (), is_journaled=False))
    return chart_answer(account, chart.pk, "Seating chart created")


@box.tool(
    "svc_seat_edit",
    title="Update a seating chart",
    about="Update a chart's title, date, venue, room, courses, guest page or seating preferences. Preferences say "
    "who sits together or apart, or near or away from a table, and how important that is (must, wanted, nice). "
    "Pass only the fields to change.",
    short="Update a chart's details, room or seating preferences.",
    synonyms="keep apart, not next to each other, sit together, rules, ex, enemies, don't get along, near the "
    "stage, find my table, nebeneinander, nicht zusammen, getrennt setzen, sitzwünsche, separar, no sentar juntos, "
    "sentar juntos, preferencias",
    idempotent=True,
)
def edit(
    caller: Caller,
    event_id: EventId,
    preferences: Preferences | None = None,
    remove: Annotated[list[Id], Field(max_length=MAX_ITEMS, description="IDs of preferences to delete.")] | None = None,
    **fields: Unpack[ChartChanges],
) -> Answer[ChartContents]:
    chart = get_chart(caller.account, event_id)
    values = _chart_fields(caller.account, dict(fields))
    name_order = guests.get_name_order(chart)
    if values:
        chart.edit(**values)
    if chart.name_order != name_order:
        guests.update_sort_names(chart, name_order)
    has_new_room = bool(ROOM_FIELDS & set(values)) and journal.has_changed()
    if (preferences or remove) and _save_preferences(chart, preferences or [], remove or [], path_prefix="preferences"):
        change_steps.record_step(chart, caller.actor_key, "rules")
    elif has_new_room:
        change_steps.record_step(chart, caller.actor_key, "room")
    return chart_answer(
        caller.account, event_id, "Seating chart updated" if journal.has_changed() else "Nothing changed"
    )


_save_preferences = preferences.save_preferences


@box.tool(
    "svc_seat_delete",
    title="Delete charts, tables or guests",
    about="Delete charts with everything on them, tables or guests. The guests of a deleted table lose their seats. "
    "To restore within 30 days, use svc_undo.",
    short="Delete charts, tables or guests. Restorable for 30 days.",
    synonyms="remove guest, remove table, uninvite, löschen, gast entfernen, tisch löschen, eliminar invitado, "
    "borrar mesa, quitar",
    destructive=True,
)
def delete(
    caller: Caller,
    ids: Annotated[Ids, Field(description="IDs of charts, tables, objects or guests.")],
) -> Answer[DeletedItems]:
    account = caller.account
    items: list[Any] = get_many_or_404(
        ids,
        messages.ITEM_NOT_FOUND,
        account.seating_charts.select_related("account", "publication"),
        *(
            model.objects.filter(chart__account=account, chart__binned_at=None).select_related(
                "chart__account", "chart__publication"
            )
            for model in (Table, Guest)
        ),
    )
    whole = [item for item in items if isinstance(item, Chart)]
    parts = [item for item in items if not isinstance(item, Chart) and item.chart not in whole]
    unseated = 0
    for chart in {part.chart_id: part.chart for part in parts}.values():
        mine = [part for part in parts if part.chart_id == chart.pk]
        guests.delete_guests(chart, [item for item in mine if isinstance(item, Guest)])
        moves = seat_tables.delete_tables([item for item in mine if isinstance(item, Table)])
        unseated += len(moves)
        change_steps.record_step(chart, caller.actor_key, "gone", moves=moves, removed=[item.pk for item in mine])
    Chart.remove_many(whole)
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    lines = [f"- {escape_markdown(str(item))} `{item.pk}`" for item in items]
    text = f"Deleted {len(items)}." + (
        f" {format_count(unseated, 'guest is', 'guests are')} unseated." if unseated else ""
    )
    return Answer(data, "\n".join([text, *lines]))


def _chart_fields(account: Account, fields: dict[str, Any]) -> dict[str, Any]:
    """Convert the arguments to the form that a chart stores."""
    if "date" in fields:
        fields["date"] = fields["date"] or None
    if "find_from" in fields:
        fields["find_from"] = parse_future_moment(fields["find_from"], account.zone, "find_from")
    if "courses" in fields:
        fields["courses"] = [
            {"name": course["name"], "choices": course.get("choices", [])} for course in fields["courses"]
        ]
    return fields


def _remap_errors(old_path: str, new_path: str, operation: Any) -> Any:
    """Call `operation`. Report errors at paths below `old_path` at `new_path`."""
    try:
        return operation()
    except InvalidInputError as refusal:
        raise InvalidInputError.from_pairs(
            [(f"{new_path}{issue.path.removeprefix(old_path)}", issue.message) for issue in refusal.issues]
        ) from None
