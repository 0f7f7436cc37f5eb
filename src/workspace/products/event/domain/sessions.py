"""Writing sessions, one or many, by few queries: all of a call or nothing. Called under the account's lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.lib import clock
from workspace.lib.errors import InvalidInput, ToolError
from workspace.products.event.domain.name_resolver import Named
from workspace.products.event.domain.program import Program
from workspace.products.event.domain.queries import NO_SESSION
from workspace.products.event.models import Day, Event, Session, SessionSpeaker, Speaker
from workspace.products.event.rules.limits import MOST_SESSIONS
from workspace.products.event.rules.order import place
from workspace.products.event.rules.positions import positions
from workspace.products.event.rules.times import clock_text, is_early, length, minutes, moments
from workspace.storage import journal
from workspace.tools.object_parser import Issues

Given = Mapping[str, Any]
PLAIN = ("title", "time_label", "description", "kind", "links", "cancelled")
TOLD_AGAIN = ("title", "start", "end", "day", "room", "cancelled")  # what a calendar shows of it


@dataclass
class Draft:
    """What becomes of one entry: a new session, or one that changes. `speakers` and `before` None: not said."""

    at: str
    session: Session
    fields: dict[str, Any]
    is_new: bool
    speakers: list[Speaker] | None
    before: str | None

    @property
    def moves(self) -> bool:
        was = self.session
        return (
            self.is_new
            or self.before is not None
            or self.fields.get("day", was.day) != was.day
            or self.fields.get("start", was.start) != was.start
        )


@dataclass
class Written:
    """`saved` are the ids of the entries in their order, `notes` what the owner should know."""

    added: list[Session] = field(default_factory=list)
    changed: list[Session] = field(default_factory=list)
    removed: list[Session] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def save(
    program: Program,
    entries: Sequence[tuple[str, Given]],
    remove: Sequence[str] = (),
    order: Sequence[str] | None = None,
    *,
    grows: bool = False,
    noted: bool = True,
) -> Written:
    """Each entry with the path before its fields (`items.3.`). Raises InvalidInput with all that is wrong."""
    issues = Issues()
    named = Named(program, issues, grows=grows, noted=noted)
    drafts = _drafts(program, entries, remove, named, issues)
    gone = _gone(program, remove, issues)
    issues.refuse()
    if len(program.sessions) - len(gone) + sum(draft.is_new for draft in drafts) > MOST_SESSIONS:
        raise ToolError(f"A program holds at most {MOST_SESSIONS:,} sessions: delete some first")
    named.make()
    _place(program, drafts, gone, order)
    written = _write(drafts, gone, noted=noted)
    _link(drafts, program, noted=noted)
    written.notes = _notes(drafts, named)
    return written


def _drafts(
    program: Program, entries: Sequence[tuple[str, Given]], remove: Sequence[str], named: Named, issues: Issues
) -> list[Draft]:
    found: list[Draft] = []
    seen: set[str] = set()
    for at, given in entries:
        id = given.get("id")
        if id is not None and (id not in program.session or id in remove or id in seen):
            why = NO_SESSION if id not in program.session else "Named twice: change it once, or remove it"
            issues.at(f"{at}id", why)
            continue
        seen |= {id} if id else set()
        session = program.session[id] if id else Session(event=program.event)
        found.append(_draft(program, at, given, session, named, issues, is_new=id is None))
    return found


def _draft(
    program: Program, at: str, given: Given, session: Session, named: Named, issues: Issues, *, is_new: bool
) -> Draft:
    fields = {name: given[name] for name in PLAIN if name in given}
    before = given.get("before_id")
    if before is not None and (before not in program.session or before == session.pk):
        issues.at(f"{at}before_id", NO_SESSION)
        before = None
    if "day" in given:
        fields["day"] = named.day(given["day"], f"{at}day")
    elif before is not None:
        fields["day"] = program.session[before].day
    elif is_new:
        fields["day"] = named.day("", f"{at}day")
    if fields.get("day", session if not is_new else None) is None:
        fields.pop("day", None)
    elif before is not None and program.session[before].day != fields["day"]:
        issues.at(f"{at}before_id", "That session is on another day")
    if "location" in given:
        fields["room"] = named.room(given["location"])
    if "track" in given:
        fields["track"] = named.track(given["track"])
    fields |= _times(given, session, at, issues)
    return Draft(at, session, fields, is_new, named.speaking(given, at), before)


def _times(given: Given, session: Session, at: str, issues: Issues) -> dict[str, str]:
    """A start without an end moves the whole session; without a start there is no end either."""
    start = given.get("start_time", session.start)
    end = given.get("end_time", session.end)
    if "start_time" in given and "end_time" not in given and session.end:
        end = clock_text(minutes(start) + length(session.start, session.end)) if start else ""
    if end and not start:
        issues.at(f"{at}end_time", "It has no start_time: give that as well")
    elif end and end == start:
        name = "end_time" if "end_time" in given else "start_time"
        issues.at(f"{at}{name}", "It would end as it begins: leave the end out, or give another time")
    return {"start": start, "end": end} if {"start_time", "end_time"} & set(given) else {}


def _gone(program: Program, remove: Sequence[str], issues: Issues) -> list[Session]:
    for number, id in enumerate(remove):
        if id not in program.session:
            issues.at(f"remove.{number}", NO_SESSION)
    return [program.session[id] for id in dict.fromkeys(remove) if id in program.session]


def _place(program: Program, drafts: Sequence[Draft], gone: Sequence[Session], order: Sequence[str] | None) -> None:
    """Find each session's place in its day, by the rule or before another; what has to move says so in its draft."""
    left = {one.pk for one in gone}
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
        moves = draft.moves
        if moves and not draft.is_new:
            on[was].remove(session)
        starts[session.pk] = start
        if moves:
            day = draft.fields.get("day") or session.day
            there = on.setdefault(day.pk, [])
            ids = [one.pk for one in there]
            at = ids.index(draft.before) if draft.before in ids else place([starts[id] for id in ids], start)
            there.insert(at, session)
            moved.add(session.pk)
    if order is not None:
        moved |= _ordered(program, on, order, {draft.session.pk for draft in drafts if draft.is_new})
    _number(on, moved, drafted)


def _number(on: Mapping[str, list[Session]], moved: set[str], drafted: Mapping[str, Draft]) -> None:
    """Give what moved a position between its neighbors; these get a new one only where there is no room."""
    for there in on.values():
        numbers = {place for place, one in enumerate(there) if one.pk in moved}
        if not numbers:
            continue
        found = positions([None if one.pk in moved else one.position for one in there], numbers)
        for one, number in zip(there, found, strict=True):
            if one.pk in drafted:
                drafted[one.pk].fields["position"] = number
            elif one.position != number:
                journal.change(one, position=number)


def _ordered(program: Program, on: dict[str, list[Session]], order: Sequence[str], made: set[str]) -> set[str]:
    """The days whose sessions are named, in that order; the ids of all that stand there."""
    for number, id in enumerate(order):
        if id not in program.session or not any(one.pk == id for there in on.values() for one in there):
            raise InvalidInput.at(f"order.{number}", NO_SESSION)
    moved: set[str] = set()
    rank = {id: number for number, id in enumerate(order)}
    for there in on.values():
        ids = [one.pk for one in there]
        if not set(ids) & set(rank):
            continue
        if missing := [one for one in there if one.pk not in rank and one.pk not in made]:
            raise InvalidInput.at("order", f"Name every session of that day once: “{missing[0].title}” is missing")
        there.sort(key=lambda one: rank.get(one.pk, len(rank)))
        moved |= {one.pk for one in there}
    return moved


def _write(drafts: Sequence[Draft], gone: Sequence[Session], *, noted: bool) -> Written:
    now = clock.now()
    new: list[Session] = []
    changes: list[tuple[Session, dict[str, Any]]] = []
    for draft in drafts:
        session, fields = draft.session, draft.fields
        _settle(session, fields)
        if draft.is_new:
            for name, value in fields.items():
                setattr(session, name, value)
            session.changed_at = now
            new.append(session)
        else:
            changes.append((session, _dated(session, fields, draft.speakers is not None, now)))
    Session.objects.bulk_create(new)
    if noted:
        journal.add(*new)
    changed = journal.change_many(changes)
    removed = journal.change_many((session, {"binned_at": now}) for session in gone)
    return Written(added=new, changed=changed, removed=removed, saved=[draft.session.pk for draft in drafts])


def _settle(session: Session, fields: dict[str, Any]) -> None:
    """The moments that follow from day and times."""
    day: Day = fields.get("day") or session.day
    start, end = fields.get("start", session.start), fields.get("end", session.end)
    fields["starts_at"], fields["ends_at"] = moments(day.date, start, end, session.event.zone)


def _dated(session: Session, fields: dict[str, Any], people: bool, now: Any) -> dict[str, Any]:
    """With a new number for calendars where they should show something else."""
    differs = {name for name, value in fields.items() if getattr(session, name) != value}
    if not differs - {"position"} and not people:
        return fields
    more: dict[str, Any] = {"changed_at": now} if differs - {"position"} else {}
    if differs & set(TOLD_AGAIN):
        more["sequence"] = session.sequence + 1
    return {**fields, **more}


def _link(drafts: Sequence[Draft], program: Program, *, noted: bool) -> None:
    """Who speaks where: what differs goes and comes."""
    wanted = {draft.session.pk: draft for draft in drafts if draft.speakers is not None}
    differing = [
        draft
        for id, draft in wanted.items()
        if [one.pk for one in draft.speakers or []] != list(program.speaking.get(id, ()))
    ]
    if not differing:
        return
    earlier = SessionSpeaker.objects.filter(session__in=[one.session.pk for one in differing if not one.is_new])
    journal.drop(*earlier)
    made = [
        SessionSpeaker(session=draft.session, speaker=speaker, position=number)
        for draft in differing
        for number, speaker in enumerate(draft.speakers or [])
    ]
    SessionSpeaker.objects.bulk_create(made)
    if noted:
        journal.add(*made)


def _notes(drafts: Sequence[Draft], named: Named) -> list[str]:
    found = [f"New: {', '.join(named.made)}"] if named.made else []
    dates = {day.date: day for day in named.days}
    for draft in drafts:
        session = draft.session
        if not is_early(session.start) or not {"start", "day"} & set(draft.fields):
            continue
        later = dates.get(session.day.date.fromordinal(session.day.date.toordinal() + 1))
        meant = f"did you mean the night to {later.date.isoformat()}?" if later else "was the next date meant?"
        on = f"{session.start} on {session.day.date.isoformat()}"
        found.append(f"“{session.title}” begins at {on}, before that morning: {meant}")
    return found


def retime(event: Event) -> None:
    """The moments of all sessions anew, after its zone or its days have changed."""
    changes = []
    for session in event.sessions.select_related("day"):
        starts_at, ends_at = moments(session.day.date, session.start, session.end, event.zone)
        fields: dict[str, Any] = {"starts_at": starts_at, "ends_at": ends_at}
        if starts_at != session.starts_at or ends_at != session.ends_at:
            fields |= {"sequence": session.sequence + 1, "changed_at": clock.now()}
        changes.append((session, fields))
    journal.change_many(changes)
