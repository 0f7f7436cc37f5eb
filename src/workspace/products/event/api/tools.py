"""Tools for event programs as a whole, and for deletion.

The tools for their parts are in `part_tools.py`, and those for statistics and files in `stats_tools.py`.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.event import messages
from workspace.products.event.api.arguments import EventChanges, EventFields, EventId, EventTitle, NewSessions
from workspace.products.event.api.response_types import EventDetail, EventSummary
from workspace.products.event.api.serializers import event_detail, event_summaries
from workspace.products.event.api.text import event_facts, format_event, format_parts
from workspace.products.event.domain import days_rooms_tracks, duplication, program_publication
from workspace.products.event.domain.program import Program
from workspace.products.event.domain.queries import events_for, get_event
from workspace.products.event.domain.sessions import recompute_session_times
from workspace.products.event.domain.sessions import save_sessions as write_sessions
from workspace.products.event.models import KIND, Block, Day, Event, Room, Session, Speaker
from workspace.publishing.duplication import CopyOf, copy_fields
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage import journal
from workspace.tools.answer import Answer, Listing, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import Day as DayArgument
from workspace.tools.argument_types import Limit, Offset
from workspace.tools.object_parser import Issues
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "Event programs")
LIST_FIELDS = ("days", "rooms", "tracks")


@box.tool(
    "svc_event_list",
    title="List programs",
    about="List event programs, newest first, with dates, place, number of sessions, public link, and whether they "
    "are published. Publishing requires a paid plan or an event credit.",
    short="List event programs with dates, sessions and public link.",
    synonyms="events, agendas, conferences, schedules, veranstaltungen, programme, konferenzen, eventos, "
    "programas, congresos",
    reads=True,
    columns="title when where item_count published slug",
)
def list_events(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[EventSummary]]:
    events, total = events_for.fetch_page(limit, offset, account)
    rows = event_summaries(events)
    return listing_answer(rows, total=total, offset=offset, noun="programs", line=format_event)


@box.tool(
    "svc_event_get",
    title="Get a program",
    about="Get an event program: days, rooms, tracks, schedule, speakers, sponsors by tier, ads and info pages, with "
    "IDs. Also returns room and speaker conflicts in the schedule, and the cost of publishing.",
    short="Get a program with schedule, speakers, sponsors and conflicts.",
    synonyms="agenda, timetable, overlapping, clash, double-booked room, conflicts, collisions, programm "
    "ansehen, zeitplan, überschneidungen, ver programa, agenda, conflictos de horario, solapamientos, "
    "which sessions, sessions in a room, sessions of a speaker, sessions today, welche vorträge, qué "
    "charlas",
    reads=True,
)
def get(
    account: Account, id: Annotated[EventId, Field(description="Program ID, from svc_event_list.")]
) -> Answer[EventDetail]:
    event = event_detail(get_event(account, id))
    return Answer(event, lambda: _format_detail(escape_markdown(event["title"]), event))


def _format_detail(title: str, event: EventDetail, *more: str) -> str:
    return "\n".join([format_fact_list(title, event_facts(event)), *format_parts(event), *more])


@box.tool(
    "svc_event_create",
    title="Create a program",
    about="Create an event program with days, rooms and sessions in one call, or copy an earlier one with new dates. "
    "Days are created from the dates of sessions. Guests can't see the program until you publish it with "
    "svc_event_edit.",
    short="Create an event program with days, rooms and sessions.",
    synonyms="agenda, conference, schedule, timetable, festival, workshop day, programm erstellen, tagesordnung, "
    "konferenz, veranstaltung, crear programa, agenda, congreso, evento",
)
def create(
    account: Account,
    title: EventTitle,
    sessions: NewSessions | None = None,
    copy_of: CopyOf | None = None,
    first_day: Annotated[DayArgument, Field(description="With copy_of: the new first date. All days move with it.")]
    | None = None,
    **fields: Unpack[EventFields],
) -> Answer[EventDetail]:
    Event.check_quota(account)
    values: dict[str, Any] = dict(fields)
    lists = {name: values.pop(name) for name in LIST_FIELDS if name in values}
    started: dict[str, Any] = {"time_zone": account.time_zone}
    model = get_event(account, copy_of) if copy_of is not None else None
    if model is not None:
        started = copy_fields(model)
        if lists or sessions is not None:
            raise InvalidInputError.at_path("copy_of", messages.COPY_AND_PARTS)
    elif first_day is not None:
        raise InvalidInputError.at_path("first_day", messages.COPY_NEEDED)
    event = Event.open(account, **{**started, **values, "title": title, "live": False})
    if model is not None:
        duplication.copy_program_parts(event, model, first_day)
    else:
        _fill_event(event, lists, sessions or [])
    result = event_detail(get_event(account, event.pk))
    return Answer(result, lambda: _format_detail(f"Created {escape_markdown(title)}", result))


def _fill_event(event: Event, lists: dict[str, Any], sessions: Any) -> None:
    issues = Issues()
    with issues.collect_errors():
        days_rooms_tracks.set_days(event, lists.get("days", []), Issues(), is_journaled=False)
    with issues.collect_errors():
        days_rooms_tracks.set_rooms(event, lists.get("rooms", []), Issues(), is_journaled=False)
    with issues.collect_errors():
        days_rooms_tracks.set_tracks(event, lists.get("tracks", []), Issues(), is_journaled=False)
    with issues.collect_errors():
        entries = [(f"sessions.{number}.", session) for number, session in enumerate(sessions)]
        write_sessions(Program.load(event), entries, adds_days="days" not in lists, is_journaled=False)
    issues.raise_if_any()


class EditedEvent(EventDetail):
    credits_spent: NotRequired[Annotated[int, Field(description="Number of credits used to publish it.")]]


@box.tool(
    "svc_event_edit",
    title="Update or publish a program",
    about="Update or publish a program. Pass only the fields to change; days, rooms and tracks replace the whole "
    "list. published=true makes it public, which requires a paid plan or one event credit (dry_run shows "
    "which). Clock times stay the same if you change the time zone.",
    short="Update, publish or unpublish a program.",
    synonyms="go live, make public, unpublish, hide program, venue, rooms, tracks, days, agenda, "
    "veröffentlichen, programm ändern, raum, publicar, ocultar programa, salas, cambiar programa, take "
    "program offline, take offline, publish program, program public, offline nehmen, despublicar",
    idempotent=True,
)
def edit(
    account: Account,
    event_id: EventId,
    published: Annotated[
        bool,
        Field(
            description="Whether the program is public. Publishing may use one credit; dry_run shows whether it does."
        ),
    ]
    | None = None,
    **fields: Unpack[EventChanges],
) -> Answer[EditedEvent]:
    event = get_event(account, event_id)
    values: dict[str, Any] = dict(fields)
    lists = {name: values.pop(name) for name in LIST_FIELDS if name in values}
    zone = event.time_zone
    if values:
        event.edit(**values)
    lines = _update_lists(event, lists, moved=event.time_zone != zone)
    spent = None
    if published is True:
        spent = program_publication.publish_event(event)
    elif published is False:
        event.pause()
    result = event_detail(get_event(account, event_id))
    head = "Updated" if journal.has_changed() else "No changes to"
    if spent:
        left = format_count(result["publishing"]["unused_credits"], "event credit")
        lines.append(f"Publishing used one event credit. {left} left. You can publish it again for free.")
    elif published is True:
        lines.append("Publishing used no event credit.")
    data: EditedEvent = {**result} if spent is None else {**result, "credits_spent": spent}
    more = ["", *format_bullets(lines, str)] if lines else []
    return Answer(data, lambda: _format_detail(f"{head} {escape_markdown(result['title'])}", result, *more))


def _update_lists(event: Event, lists: dict[str, Any], *, moved: bool) -> list[str]:
    """Save the given days, rooms and tracks, and update everything that depends on them.

    Return sentences about removed items.
    """
    lines: list[str] = []
    issues = Issues()
    with issues.collect_errors():
        if "days" in lists and days_rooms_tracks.set_days(event, lists["days"], Issues()):
            moved = True
    with issues.collect_errors():
        if "rooms" in lists:
            lines = days_rooms_tracks.set_rooms(event, lists["rooms"], Issues())
    with issues.collect_errors():
        if "tracks" in lists:
            days_rooms_tracks.set_tracks(event, lists["tracks"], Issues())
    issues.raise_if_any()
    if moved:
        recompute_session_times(event)
    if lists or moved:
        event.mark_changed()
    return lines


@box.tool(
    "svc_event_delete",
    title="Delete programs or parts",
    about="Delete programs with everything in them, or single parts. Returns how many sessions are affected. A day "
    "with sessions can't be deleted. To restore within 30 days, use svc_undo. To hide a program, use "
    "svc_event_edit with published=false.",
    short="Delete programs or parts of them. Restorable for 30 days.",
    synonyms="remove session, remove speaker, remove sponsor, cancel event, löschen, veranstaltung löschen, "
    "eliminar evento, borrar sesión, quitar, delete program, delete session",
    destructive=True,
)
def delete(
    account: Account,
    ids: Annotated[Ids, Field(description="IDs of programs or their parts, such as days or sessions.")],
) -> Answer[DeletedItems]:
    inside = {"event__account": account, "event__binned_at": None}
    parts = (model.objects.filter(**inside).select_related("event__account") for model in (Session, Speaker, Block))
    places = (model.objects.filter(**inside).select_related("event__account") for model in (Day, Room))
    items = get_many_or_404(ids, messages.PROGRAM_OR_PART_NOT_FOUND, events_for(account), *parts, *places)
    events = [item for item in items if isinstance(item, Event)]
    singles = [item for item in items if not isinstance(item, Event)]
    texts = _delete_parts(singles)
    if events:
        count = Session.objects.filter(event__in=events).count()
        texts.append(f"{format_count(len(events), 'program')} with {format_count(count, 'session')}")
    touched = {item.event_id: item.event for item in singles if item.event_id not in {event.pk for event in events}}
    if touched:
        Event.mark_many_changed([touched[id] for id in sorted(touched)])
    Event.remove_many(events)
    data: DeletedItems = {"deleted": [{"id": item.pk, "title": str(item)} for item in items]}
    lines = [f"{escape_markdown(row['title'])} `{row['id']}`" for row in data["deleted"]]
    return Answer(
        data, "\n".join([f"Deleted {format_count(len(items), 'item')}:", *format_bullets([*lines, *texts], str)])
    )


def _delete_parts(parts: list[Any]) -> list[str]:
    """Move parts to the bin. Return sentences on the affected sessions."""
    lines: list[str] = []
    leaving = {item.pk for item in parts if isinstance(item, Session)}
    for day in (item for item in parts if isinstance(item, Day)):
        if count := day.sessions.exclude(pk__in=leaving).count():
            raise OperationNotAllowedError(messages.DAY_HAS_SESSIONS(day=day, count=count))
    lines += days_rooms_tracks.delete_rooms([item for item in parts if isinstance(item, Room)])
    for speaker in (item for item in parts if isinstance(item, Speaker)):
        count = speaker.links_to_sessions.filter(session__binned_at=None).count()
        lines.append(f"{escape_markdown(speaker.name)} removed from {format_count(count, 'session')}")
    now = clock.now()
    for model in (Session, Speaker, Block, Day):
        journal.update_rows((item, {"binned_at": now}) for item in parts if isinstance(item, model))
    return lines
