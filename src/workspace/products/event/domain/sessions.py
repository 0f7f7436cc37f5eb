"""Saving sessions with few queries: all entries of a call or none. Call it with the account locked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.products.event import messages
from workspace.products.event.domain.name_resolver import NameResolver
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Day, Event, Session, SessionSpeaker, Speaker
from workspace.products.event.rules.limits import MAX_SESSIONS
from workspace.products.event.rules.session_fields import SessionFields
from workspace.products.event.rules.session_order import insertion_index
from workspace.products.event.rules.session_positions import compute_positions
from workspace.products.event.rules.session_times import (
    compute_session_times,
    format_minutes,
    is_after_midnight,
    minutes_between,
    to_minutes,
)
from workspace.storage import journal
from workspace.storage.database.columns import TEXT, argument_columns
from workspace.tools.object_parser import Issues

SessionInput = Mapping[str, Any]
# the fields that are stored as they are given, and those that are texts
PLAIN_FIELDS = argument_columns(Session, SessionFields, skip=("track",))
TEXT_FIELDS = argument_columns(Session, SessionFields, kinds=TEXT)
CALENDAR_FIELDS = ("title", "start", "end", "day", "room", "cancelled")  # the fields that a calendar shows


@dataclass
class SessionDraft:
    """The planned change for an entry: a new or a changed session.

    `speakers` and `before_id` are None if not given.
    """

    path: str
    session: Session
    fields: dict[str, Any]
    is_new: bool
    speakers: list[Speaker] | None
    before_id: str | None

    @property
    def changes_position(self) -> bool:
        was = self.session
        return (
            self.is_new
            or self.before_id is not None
            or self.fields.get("day", was.day) != was.day
            or self.fields.get("start", was.start) != was.start
        )


@dataclass
class SaveResult:
    """The result of a save. `saved` are the ids of the entries in order. `notes` are for the owner."""

    added: list[Session] = field(default_factory=list)
    changed: list[Session] = field(default_factory=list)
    removed: list[Session] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def save_sessions(
    program: Program,
    entries: Sequence[tuple[str, SessionInput]],
    remove: Sequence[str] = (),
    order: Sequence[str] | None = None,
    *,
    adds_days: bool = False,
    is_journaled: bool = True,
) -> SaveResult:
    """Save sessions. Raise InvalidInputError with all errors found.

    Each entry is paired with the prefix of its paths (`items.3.`).
    """
    issues = Issues()
    name_resolver = NameResolver(program, issues, adds_days=adds_days, is_journaled=is_journaled)
    drafts = _build_drafts(program, entries, remove, name_resolver, issues)
    sessions = _sessions_to_delete(program, remove, issues)
    issues.raise_if_any()
    if len(program.sessions) - len(sessions) + sum(draft.is_new for draft in drafts) > MAX_SESSIONS:
        raise OperationNotAllowedError(messages.SESSION_LIMIT(most=MAX_SESSIONS))
    name_resolver.save_created()
    _assign_places(program, drafts, sessions, order)
    written = _save_drafts(drafts, sessions, is_journaled=is_journaled)
    _link_speakers(drafts, program, is_journaled=is_journaled)
    written.notes = _list_notes(drafts, name_resolver)
    return written


def _build_drafts(
    program: Program,
    entries: Sequence[tuple[str, SessionInput]],
    remove: Sequence[str],
    name_resolver: NameResolver,
    issues: Issues,
) -> list[SessionDraft]:
    drafts: list[SessionDraft] = []
    seen: set[str] = set()
    for at, fields in entries:
        id = fields.get("id")
        if id is not None and (id not in program.sessions_by_id or id in remove or id in seen):
            is_known = id in program.sessions_by_id
            issues.add(f"{at}id", messages.ID_REPEATED if is_known else messages.SESSION_NOT_FOUND)
            continue
        seen |= {id} if id else set()
        session = program.sessions_by_id[id] if id else Session(event=program.event)
        drafts.append(_build_draft(program, at, fields, session, name_resolver, issues, is_new=id is None))
    return drafts


def _build_draft(
    program: Program,
    path: str,
    values: SessionInput,
    session: Session,
    name_resolver: NameResolver,
    issues: Issues,
    *,
    is_new: bool,
) -> SessionDraft:
    fields = {name: values[name] for name in PLAIN_FIELDS if name in values}
    before = values.get("before_id")
    if before is not None and (before not in program.sessions_by_id or before == session.pk):
        issues.add(f"{path}before_id", messages.SESSION_NOT_FOUND)
        before = None
    if "day" in values:
        fields["day"] = name_resolver.resolve_day(values["day"], f"{path}day")
    elif before is not None:
        fields["day"] = program.sessions_by_id[before].day
    elif is_new:
        fields["day"] = name_resolver.resolve_day("", f"{path}day")
    if fields.get("day", session if not is_new else None) is None:
        fields.pop("day", None)
    elif before is not None and program.sessions_by_id[before].day != fields["day"]:
        issues.add(f"{path}before_id", messages.OTHER_DAY)
    if "location" in values:
        fields["room"] = name_resolver.resolve_room(values["location"])
    if "track" in values:
        fields["track"] = name_resolver.resolve_track(values["track"])
    fields |= _resolve_times(values, session, path, issues)
    return SessionDraft(path, session, fields, is_new, name_resolver.resolve_speakers(values, path), before)


def _resolve_times(fields: SessionInput, session: Session, path: str, issues: Issues) -> dict[str, str]:
    """Return the start and end.

    A new start without an end moves the whole session. A session without a start has no end.
    """
    start = fields.get("start_time", session.start)
    end = fields.get("end_time", session.end)
    if "start_time" in fields and "end_time" not in fields and session.end:
        end = format_minutes(to_minutes(start) + minutes_between(session.start, session.end)) if start else ""
    if end and not start:
        issues.add(f"{path}end_time", messages.START_NEEDED)
    elif end and end == start:
        name = "end_time" if "end_time" in fields else "start_time"
        issues.add(f"{path}{name}", messages.END_IS_START)
    return {"start": start, "end": end} if {"start_time", "end_time"} & set(fields) else {}


def _sessions_to_delete(program: Program, remove: Sequence[str], issues: Issues) -> list[Session]:
    for number, id in enumerate(remove):
        if id not in program.sessions_by_id:
            issues.add(f"remove.{number}", messages.SESSION_NOT_FOUND)
    return [program.sessions_by_id[id] for id in dict.fromkeys(remove) if id in program.sessions_by_id]


def _assign_places(
    program: Program, drafts: Sequence[SessionDraft], sessions: Sequence[Session], order: Sequence[str] | None
) -> None:
    """Find each session's place in its day, by its time or before another session.

    New positions are stored in the drafts.
    """
    left = {session.pk for session in sessions}
    on: dict[str, list[Session]] = {}
    for session in program.sessions:
        if session.pk not in left:
            on.setdefault(session.day_id, []).append(session)
    starts = {session.pk: session.start for session in program.sessions}
    drafted = {draft.session.pk: draft for draft in drafts}
    moved: set[str] = set()
    for draft in drafts:
        session, was = draft.session, draft.session.day_id
        start = draft.fields.get("start", session.start)
        moves = draft.changes_position
        if moves and not draft.is_new:
            on[was].remove(session)
        starts[session.pk] = start
        if moves:
            day = draft.fields.get("day") or session.day
            existing = on.setdefault(day.pk, [])
            ids = [session.pk for session in existing]
            at = (
                ids.index(draft.before_id)
                if draft.before_id in ids
                else insertion_index([starts[id] for id in ids], start)
            )
            existing.insert(at, session)
            moved.add(session.pk)
    if order is not None:
        moved |= _apply_order(program, on, order, {draft.session.pk for draft in drafts if draft.is_new})
    _assign_positions(on, moved, drafted)


def _assign_positions(
    day: Mapping[str, list[Session]], moved: set[str], drafted_ids: Mapping[str, SessionDraft]
) -> None:
    """Assign positions between the neighbors.

    Change the neighbors' positions only if no number between them is free.
    """
    for sessions in day.values():
        numbers = {place for place, session in enumerate(sessions) if session.pk in moved}
        if not numbers:
            continue
        results = compute_positions(
            [None if session.pk in moved else session.position for session in sessions], numbers
        )
        for session, number in zip(sessions, results, strict=True):
            if session.pk in drafted_ids:
                drafted_ids[session.pk].fields["position"] = number
            elif session.position != number:
                journal.update_row(session, position=number)


def _apply_order(
    program: Program, day: dict[str, list[Session]], order: Sequence[str], created_ids: set[str]
) -> set[str]:
    """Order the days of the named sessions. Return the ids of all sessions on these days."""
    for number, id in enumerate(order):
        if id not in program.sessions_by_id or not any(
            session.pk == id for sessions in day.values() for session in sessions
        ):
            raise InvalidInputError.at_path(f"order.{number}", messages.SESSION_NOT_FOUND)
    moved: set[str] = set()
    rank = {id: number for number, id in enumerate(order)}
    for sessions in day.values():
        ids = [session.pk for session in sessions]
        if not set(ids) & set(rank):
            continue
        if missing := [session for session in sessions if session.pk not in rank and session.pk not in created_ids]:
            raise InvalidInputError.at_path("order", messages.ORDER_INCOMPLETE(title=missing[0].title))
        sessions.sort(key=lambda session: rank.get(session.pk, len(rank)))
        moved |= {session.pk for session in sessions}
    return moved


def _save_drafts(drafts: Sequence[SessionDraft], sessions: Sequence[Session], *, is_journaled: bool) -> SaveResult:
    now = clock.now()
    new: list[Session] = []
    changes: list[tuple[Session, dict[str, Any]]] = []
    for draft in drafts:
        session, fields = draft.session, draft.fields
        _set_start_and_end(session, fields)
        if draft.is_new:
            for name, value in fields.items():
                setattr(session, name, value)
            session.changed_at = now
            new.append(session)
        else:
            changes.append((session, _with_sequence(session, fields, draft.speakers is not None, now)))
    Session.objects.bulk_create(new)
    if is_journaled:
        journal.record_new_rows(*new)
    changed = journal.update_rows(changes)
    removed = journal.update_rows((session, {"binned_at": now}) for session in sessions)
    return SaveResult(added=new, changed=changed, removed=removed, saved=[draft.session.pk for draft in drafts])


def _set_start_and_end(session: Session, fields: dict[str, Any]) -> None:
    """Set the start and end times that follow from day and clock times."""
    day: Day = fields.get("day") or session.day
    start, end = fields.get("start", session.start), fields.get("end", session.end)
    fields["starts_at"], fields["ends_at"] = compute_session_times(day.date, start, end, session.event.zone)


def _with_sequence(session: Session, fields: dict[str, Any], people: bool, now: Any) -> dict[str, Any]:
    """Increment the sequence number for calendars if they must show a change."""
    differs = {name for name, value in fields.items() if getattr(session, name) != value}
    if not differs - {"position"} and not people:
        return fields
    more: dict[str, Any] = {"changed_at": now} if differs - {"position"} else {}
    if differs & set(CALENDAR_FIELDS):
        more["sequence"] = session.sequence + 1
    return {**fields, **more}


def _link_speakers(drafts: Sequence[SessionDraft], program: Program, *, is_journaled: bool) -> None:
    """Update the links between sessions and speakers that differ."""
    requested = {draft.session.pk: draft for draft in drafts if draft.speakers is not None}
    differing = [
        draft
        for id, draft in requested.items()
        if [speaker.pk for speaker in draft.speakers or []] != list(program.speaker_ids.get(id, ()))
    ]
    if not differing:
        return
    earlier = SessionSpeaker.objects.filter(session__in=[draft.session.pk for draft in differing if not draft.is_new])
    journal.delete_rows(*earlier)
    speakers = [
        SessionSpeaker(session=draft.session, speaker=speaker, position=number)
        for draft in differing
        for number, speaker in enumerate(draft.speakers or [])
    ]
    SessionSpeaker.objects.bulk_create(speakers)
    if is_journaled:
        journal.record_new_rows(*speakers)


def _list_notes(drafts: Sequence[SessionDraft], name_resolver: NameResolver) -> list[str]:
    names = ", ".join(name_resolver.created_names)
    results = [str(messages.CREATED_PARTS(names=names))] if names else []
    dates = {day.date: day for day in name_resolver.days}
    for draft in drafts:
        session = draft.session
        if not is_after_midnight(session.start) or not {"start", "day"} & set(draft.fields):
            continue
        later = dates.get(session.day.date.fromordinal(session.day.date.toordinal() + 1))
        text = messages.EARLY_START(later=later.date.isoformat()) if later else messages.EARLY_START_WITHOUT_LATER_DAY
        on = session.day.date.isoformat()
        results.append(str(text(title=session.title, time=session.start, date=on)))
    return results


def recompute_session_times(event: Event) -> None:
    """Recompute the times of all sessions after a change of the time zone or of the days."""
    changes = []
    for session in event.sessions.select_related("day"):
        starts_at, ends_at = compute_session_times(session.day.date, session.start, session.end, event.zone)
        fields: dict[str, Any] = {"starts_at": starts_at, "ends_at": ends_at}
        if starts_at != session.starts_at or ends_at != session.ends_at:
            fields |= {"sequence": session.sequence + 1, "changed_at": clock.now()}
        changes.append((session, fields))
    journal.update_rows(changes)
