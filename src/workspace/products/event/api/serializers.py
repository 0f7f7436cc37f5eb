"""Serializers of programs and their parts, which all answers use. Times are local times of the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, QuerySet

from workspace.accounts.models import Account
from workspace.analytics.queries import load_totals
from workspace.products.event.api.response_types import (
    BlockData,
    ConflictData,
    EventDetail,
    EventSummary,
    SessionData,
    SpeakerData,
)
from workspace.products.event.domain.program import Program, describe_conflict
from workspace.products.event.domain.program_publication import publishing_cost
from workspace.products.event.domain.queries import events_for
from workspace.products.event.models import Block, Day, Event, Session, Speaker
from workspace.products.event.rules.conflicts import Conflict
from workspace.products.event.rules.session_slot import BREAK
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.serializers import build_row, item_summary, item_urls
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.files.images import image_url


def event_summaries(events: Sequence[Event]) -> list[EventSummary]:
    """Return the summaries of programs. The number of queries is fixed."""
    if not events:
        return []
    days: dict[str, list[date]] = {}
    ids = [event.pk for event in events]
    for event_id, day in _days_of.fetch(ids):
        days.setdefault(event_id, []).append(day)
    counts = dict(_session_counts_of.fetch(ids))
    seen = load_totals([event.publication_id for event in events], VIEW_EVENT)
    return [
        _event_summary(event, days.get(event.pk, []), counts.get(event.pk, 0), seen[event.publication_id].total)
        for event in events
    ]


@compile_once
def _days_of(event_ids: list[str]) -> QuerySet[Day, tuple[str, date]]:
    return Day.objects.filter(event__in=event_ids).values_list("event_id", "date")


@compile_once
def _session_counts_of(event_ids: list[str]) -> QuerySet[Session, tuple[str, int]]:
    sessions = Session.objects.filter(event__in=event_ids).order_by()
    counts: QuerySet[Session, tuple[str, int]] = sessions.values_list("event").annotate(count=Count("pk"))
    return counts


def event_summaries_for(account: Account, ids: Sequence[str]) -> list[EventSummary]:
    return event_summaries(events_for.fetch_by_ids(ids, account))


def _event_summary(event: Event, days: Sequence[date], count: int, views: int) -> EventSummary:
    return {
        **item_summary(event),
        "title": event.title,
        "when": format_days(sorted(days)),
        "where": ", ".join(filter(None, [event.venue, event.address])),
        "days": [day.isoformat() for day in sorted(days)],
        "item_count": count,
        "views": views,
        "published": event.is_published,
    }


def format_days(days: Sequence[date]) -> str:
    """Format dates as `15–16 May 2026` or `30 May – 1 June 2026`, or list the individual days."""
    if not days:
        return ""
    first, last = days[0], days[-1]
    if first == last:
        return f"{first.day} {first:%B %Y}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{last.day} {first:%B %Y}"
    begin = f"{first.day} {first:%B}" if first.year == last.year else f"{first.day} {first:%B %Y}"
    return f"{begin} – {last.day} {last:%B %Y}"


def event_detail(event: Event, program: Program | None = None) -> EventDetail:
    program = program or Program.load(event)
    on, within = (Counter(getattr(session, name) for session in program.sessions) for name in ("day_id", "room_id"))
    views = load_totals([event.publication_id], VIEW_EVENT)[event.publication_id].total
    days = [day.date for day in program.days]
    zone = event.zone
    return {
        **_event_summary(event, days, len(program.sessions), views),
        **item_urls(event),
        "calendar_url": f"{event.public_url}.ics",
        "print_url": f"{event.public_url}/print",
        "time_zone": event.time_zone,
        "venue": event.venue,
        "address": event.address,
        "description": event.description,
        "image_id": event.image_id,
        "color": event.color,
        "language": event.language,
        "schedule": list_session_data(program),
        "day_list": [
            {"id": day.pk, "date": day.date.isoformat(), "label": day.label, "sessions": on[day.pk]}
            for day in program.days
        ],
        "rooms": [{"id": room.pk, "name": room.name, "sessions": within[room.pk]} for room in program.rooms],
        "tracks": event.tracks,
        "speakers": list_speaker_data(program),
        "sponsors": [
            {"tier": tier, "sponsors": [block_data(block, zone) for block in blocks]}
            for tier, blocks in program.sponsors_by_tier.items()
        ],
        "ads": [block_data(block, zone) for block in program.blocks if block.kind == Block.AD],
        "info_pages": [block_data(block, zone) for block in program.info_pages],
        "clashes": list_conflict_data(program),
        "without_room": len(sessions_without_room(program)),
        "publishing": {"costs_credits": publishing_cost(event), "unused_credits": event.account.event_credits},
    }


def sessions_without_room(program: Program) -> list[Session]:
    """Return timed sessions that lack a room, if the program has rooms. Breaks do not need a room."""
    if not program.rooms:
        return []
    timed = [
        session for session in program.sessions if session.start and session.room is None and not session.cancelled
    ]
    return [session for session in timed if session.kind != BREAK]


def list_session_data(program: Program, requested: Sequence[str] | None = None) -> list[SessionData]:
    """Return all sessions, or those with the given ids, in the order of the ids."""
    sessions = program.sessions if requested is None else [program.sessions_by_id[id] for id in requested]
    return [session_data(program, session) for session in sessions]


def session_data(program: Program, session: Session) -> SessionData:
    zone = program.event.zone
    values = {
        "public_url": f"{program.event.public_url}/s/{session.pk}",
        "day": session.day.date.isoformat(),
        "start_time": session.start,
        "end_time": session.end,
        "starts_at": to_local_iso(session.starts_at, zone),
        "ends_at": to_local_iso(session.ends_at, zone),
        "location": session.room.name if session.room else "",
        "speakers": [{"id": speaker.pk, "name": speaker.name} for speaker in program.speakers_for(session)],
    }
    return build_row(SessionData, session, values)


def list_speaker_data(program: Program) -> list[SpeakerData]:
    speaks: dict[str, list[str]] = {}
    for session in program.sessions:
        for id in program.speaker_ids.get(session.pk, ()):
            speaks.setdefault(id, []).append(session.pk)
    return [speaker_data(speaker, speaks.get(speaker.pk, [])) for speaker in program.speakers]


def speaker_data(speaker: Speaker, sessions: Sequence[str]) -> SpeakerData:
    values = {"image_url": _full_image_url(speaker.image_id), "sessions": list(sessions)}
    return build_row(SpeakerData, speaker, values)


def block_data(block: Block, zone: ZoneInfo) -> BlockData:
    values = {
        "image_url": _full_image_url(block.image_id),
        "shows_from": to_local_iso(block.shows_from, zone),
        "shows_until": to_local_iso(block.shows_until, zone),
    }
    return build_row(BlockData, block, values)


def list_conflict_data(program: Program) -> list[ConflictData]:
    return [conflict_data(program, clash) for clash in program.clashes]


def conflict_data(program: Program, clash: Conflict) -> ConflictData:
    return {"first_id": clash.first, "second_id": clash.second, "text": describe_conflict(program, clash)}


def to_local_iso(moment: datetime | None, zone: ZoneInfo) -> str | None:
    """Format a time in the given zone, such as `2026-05-15T09:30:00+02:00`. Return None if there is no time."""
    return None if moment is None else moment.astimezone(zone).isoformat(timespec="seconds")


def _full_image_url(id: str | None) -> str | None:
    return f"{settings.BASE_URL}{image_url(id, 384)}" if id else None
