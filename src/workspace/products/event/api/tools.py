"""Tools for event programs as a whole, and for deletion.

Tools for their parts are in `part_tools.py`, statistics and files in `stats_tools.py`."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Unpack

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import escape_markdown, format_count
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


@box.tool("svc_event_list", title="List programs", reads=True, columns="title when where item_count published slug")
def list_events(account: Account, limit: Limit = 50, offset: Offset = 0) -> Answer[Listing[EventSummary]]:
    """Your event programs, newest first: when, where, how many sessions, whether they are published, public link.
    Publishing takes a paid plan or one event credit."""
    events = events_for(account)
    rows = event_summaries(list(events[offset : offset + limit]))
    return listing_answer(rows, total=events.count(), offset=offset, noun="programs", line=format_event)


@box.tool("svc_event_get", title="Get a program", reads=True)
def get(
    account: Account, id: Annotated[EventId, Field(description="The program's id, from svc_event_list")]
) -> Answer[EventDetail]:
    """One program whole: days, rooms, tracks, schedule, speakers, sponsors by tier, ads, info pages, each with its id;
    clashes by name, and what publishing would take."""
    event = event_detail(get_event(account, id))
    return Answer(event, lambda: _format_detail(escape_markdown(event["title"]), event))


def _format_detail(title: str, event: EventDetail, *more: str) -> str:
    return "\n".join([format_fact_list(title, event_facts(event)), *format_parts(event), *more])


@box.tool("svc_event_create", title="Create a program")
def create(
    account: Account,
    title: EventTitle,
    sessions: NewSessions | None = None,
    copy_of: CopyOf | None = None,
    first_day: Annotated[DayArgument, Field(description="With copy_of: moves all days along")] | None = None,
    **fields: Unpack[EventFields],
) -> Answer[EventDetail]:
    """Make a program in one call, with days, rooms and sessions; or like an earlier one, on other dates. Guests do not
    see it before svc_event_edit publishes it. Dates of sessions become days."""
    Event.check_quota(account)
    values: dict[str, Any] = dict(fields)
    lists = {name: values.pop(name) for name in LIST_FIELDS if name in values}
    started: dict[str, Any] = {"time_zone": account.time_zone}
    model = get_event(account, copy_of) if copy_of is not None else None
    if model is not None:
        started = copy_fields(model)
        if lists or sessions is not None:
            raise InvalidInputError.at_path(
                "copy_of", "Give this, or days, rooms, tracks and sessions: change these afterwards"
            )
    elif first_day is not None:
        raise InvalidInputError.at_path("first_day", "Goes with copy_of: give days instead")
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
    credits_spent: NotRequired[Annotated[int, Field(description="Of publishing it now")]]


@box.tool("svc_event_edit", title="Edit or publish a program", idempotent=True)
def edit(
    account: Account,
    event_id: EventId,
    published: Annotated[bool, Field(description="True shows it to guests, and may take one credit: see dry_run")]
    | None = None,
    **fields: Unpack[EventChanges],
) -> Answer[EditedEvent]:
    """Change a program: only what is given; days, rooms and tracks are given all anew. published=true lets guests see
    it: with a paid plan, or for one event credit, once for ever; a dry run tells which. Another time zone keeps the
    clock times."""
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
    head = "Changed" if journal.has_changed() else "Nothing changed on"
    if spent:
        left = format_count(result["publishing"]["unused_credits"], "event credit")
        lines.append(f"Publishing took one event credit, {left} left. It stays paid for, also when it is taken down.")
    elif published is True:
        lines.append("Publishing took no credit.")
    data: EditedEvent = {**result} if spent is None else {**result, "credits_spent": spent}
    more = ["", *format_bullets(lines, str)] if lines else []
    return Answer(data, lambda: _format_detail(f"{head} {escape_markdown(result['title'])}", result, *more))


def _update_lists(event: Event, lists: dict[str, Any], *, moved: bool) -> list[str]:
    """Save the given days, rooms and tracks, and update what depends on them. Return sentences on what was removed."""
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


@box.tool("svc_event_delete", title="Delete programs or parts of them", destructive=True)
def delete(
    account: Account,
    ids: Annotated[Ids, Field(description="Of programs, days, rooms, sessions, speakers, sponsors, ads, pages")],
) -> Answer[DeletedItems]:
    """Delete programs with all that is on them, or single parts; says how many sessions that touches. A day with
    sessions is refused. For 30 days svc_undo brings it back. To hide a program: svc_event_edit, published=false."""
    inside = {"event__account": account, "event__binned_at": None}
    parts = (model.objects.filter(**inside).select_related("event__account") for model in (Session, Speaker, Block))
    places = (model.objects.filter(**inside).select_related("event__account") for model in (Day, Room))
    items = get_many_or_404(ids, NO_ITEM, events_for(account), *parts, *places)
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
    return Answer(data, "\n".join([f"Deleted {len(items)}:", *format_bullets([*lines, *texts], str)]))


NO_ITEM = "There is no such program or part of one: svc_event_list and svc_event_get show them with their ids"


def _delete_parts(parts: list[Any]) -> list[str]:
    """Move parts to the bin. Return sentences on the affected sessions."""
    lines: list[str] = []
    leaving = {item.pk for item in parts if isinstance(item, Session)}
    for day in (item for item in parts if isinstance(item, Day)):
        if count := day.sessions.exclude(pk__in=leaving).count():
            raise OperationNotAllowedError(f"{day} has {format_count(count, 'session')}: move or delete these first")
    lines += days_rooms_tracks.delete_rooms([item for item in parts if isinstance(item, Room)])
    for speaker in (item for item in parts if isinstance(item, Speaker)):
        count = speaker.links_to_sessions.filter(session__binned_at=None).count()
        lines.append(f"{escape_markdown(speaker.name)} spoke at {format_count(count, 'session')}")
    now = clock.now()
    for model in (Session, Speaker, Block, Day):
        journal.update_rows((item, {"binned_at": now}) for item in parts if isinstance(item, model))
    return lines
