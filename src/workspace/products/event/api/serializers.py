"""Programs and what stands on them as data, the same in every answer. Times are local ones of the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count

from workspace.accounts.models import Account
from workspace.analytics.queries import totals
from workspace.products.event.api.response_types import BlockRow, ClashRow, EventRow, EventWhole, SessionRow, SpeakerRow
from workspace.products.event.domain.program import Program, clash_text
from workspace.products.event.domain.publication_credit import costs
from workspace.products.event.domain.queries import events_of
from workspace.products.event.models import Block, Day, Event, Session, Speaker
from workspace.products.event.rules.conflicts import Clash
from workspace.products.event.rules.slot import BREAK
from workspace.publishing.models.visit import VIEW
from workspace.publishing.serializers import addresses_of, published_row
from workspace.storage.files.images import picture_url


def event_rows(events: Sequence[Event]) -> list[EventRow]:
    """A fixed number of queries, however many programs."""
    if not events:
        return []
    days: dict[str, list[date]] = {}
    for event_id, day in Day.objects.filter(event__in=events).values_list("event_id", "date"):
        days.setdefault(event_id, []).append(day)
    counts = dict(Session.objects.filter(event__in=events).order_by().values_list("event").annotate(count=Count("pk")))
    seen = totals([event.publication_id for event in events], VIEW)
    return [
        _event_row(event, days.get(event.pk, []), counts.get(event.pk, 0), seen[event.publication_id].total)
        for event in events
    ]


def rows_of(account: Account, ids: Sequence[str]) -> list[EventRow]:
    return event_rows(list(events_of(account).filter(pk__in=ids)))


def _event_row(event: Event, days: Sequence[date], count: int, views: int) -> EventRow:
    return {
        **published_row(event),
        "title": event.title,
        "when": when(sorted(days)),
        "where": ", ".join(filter(None, [event.venue, event.address])),
        "days": [day.isoformat() for day in sorted(days)],
        "item_count": count,
        "views": views,
        "published": event.is_published,
    }


def when(days: Sequence[date]) -> str:
    """`15–16 May 2026`, `30 May – 1 June 2026`, or the single days."""
    if not days:
        return ""
    first, last = days[0], days[-1]
    if first == last:
        return f"{first.day} {first:%B %Y}"
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{last.day} {first:%B %Y}"
    begin = f"{first.day} {first:%B}" if first.year == last.year else f"{first.day} {first:%B %Y}"
    return f"{begin} – {last.day} {last:%B %Y}"


def whole(event: Event, program: Program | None = None) -> EventWhole:
    program = program or Program.of(event)
    on, within = (Counter(getattr(one, name) for one in program.sessions) for name in ("day_id", "room_id"))
    views = totals([event.publication_id], VIEW)[event.publication_id].total
    days = [day.date for day in program.days]
    zone = event.zone
    return {
        **_event_row(event, days, len(program.sessions), views),
        **addresses_of(event),
        "calendar_url": f"{event.public_url}.ics",
        "print_url": f"{event.public_url}/print",
        "time_zone": event.time_zone,
        "venue": event.venue,
        "address": event.address,
        "description": event.description,
        "picture_id": event.picture_id,
        "colour": event.colour,
        "language": event.language,
        "schedule": session_rows(program),
        "day_list": [
            {"id": day.pk, "date": day.date.isoformat(), "label": day.label, "sessions": on[day.pk]}
            for day in program.days
        ],
        "rooms": [{"id": room.pk, "name": room.name, "sessions": within[room.pk]} for room in program.rooms],
        "tracks": event.tracks,
        "speakers": speaker_rows(program),
        "sponsors": [
            {"tier": tier, "sponsors": [block_row(block, zone) for block in blocks]}
            for tier, blocks in program.sponsors.items()
        ],
        "ads": [block_row(block, zone) for block in program.blocks if block.kind == Block.AD],
        "info_pages": [block_row(block, zone) for block in program.infos],
        "clashes": clash_rows(program),
        "without_room": len(roomless(program)),
        "publishing": {"costs_credits": costs(event), "unused_credits": event.account.event_credits},
    }


def roomless(program: Program) -> list[Session]:
    """Timed sessions that say no room, where the program has rooms at all; a break needs none."""
    if not program.rooms:
        return []
    timed = [one for one in program.sessions if one.start and one.room is None and not one.cancelled]
    return [one for one in timed if one.kind != BREAK]


def session_rows(program: Program, wanted: Sequence[str] | None = None) -> list[SessionRow]:
    """All, or those of these ids in their order."""
    found = program.sessions if wanted is None else [program.session[id] for id in wanted]
    return [session_row(program, session) for session in found]


def session_row(program: Program, session: Session) -> SessionRow:
    zone = program.event.zone
    return {
        "id": session.pk,
        "public_url": f"{program.event.public_url}/s/{session.pk}",
        "title": session.title,
        "day": session.day.date.isoformat(),
        "start_time": session.start,
        "end_time": session.end,
        "time_label": session.time_label,
        "starts_at": local(session.starts_at, zone),
        "ends_at": local(session.ends_at, zone),
        "location": session.room.name if session.room else "",
        "speakers": [{"id": speaker.pk, "name": speaker.name} for speaker in program.speakers_of(session)],
        "description": session.description,
        "kind": session.kind,
        "track": session.track,
        "links": session.links,
        "cancelled": session.cancelled,
    }


def speaker_rows(program: Program) -> list[SpeakerRow]:
    speaks: dict[str, list[str]] = {}
    for session in program.sessions:
        for id in program.speaking.get(session.pk, ()):
            speaks.setdefault(id, []).append(session.pk)
    return [speaker_row(speaker, speaks.get(speaker.pk, [])) for speaker in program.speakers]


def speaker_row(speaker: Speaker, sessions: Sequence[str]) -> SpeakerRow:
    return {
        "id": speaker.pk,
        "name": speaker.name,
        "role": speaker.role,
        "organization": speaker.organization,
        "bio": speaker.bio,
        "picture_id": speaker.picture_id,
        "picture_url": _picture(speaker.picture_id),
        "links": speaker.links,
        "sessions": list(sessions),
    }


def block_row(block: Block, zone: ZoneInfo) -> BlockRow:
    return {
        "id": block.pk,
        "kind": block.kind,
        "title": block.title,
        "text": block.text,
        "url": block.url,
        "picture_id": block.picture_id,
        "picture_url": _picture(block.picture_id),
        "alt": block.alt,
        "tier": block.tier,
        "place": block.place,
        "shows_from": local(block.shows_from, zone),
        "shows_until": local(block.shows_until, zone),
    }


def clash_rows(program: Program) -> list[ClashRow]:
    return [clash_row(program, clash) for clash in program.clashes]


def clash_row(program: Program, clash: Clash) -> ClashRow:
    return {"first_id": clash.first, "second_id": clash.second, "text": clash_text(program, clash)}


def local(moment: datetime | None, zone: ZoneInfo) -> str | None:
    """`2026-05-15T09:30:00+02:00`"""
    return None if moment is None else moment.astimezone(zone).isoformat(timespec="seconds")


def _picture(id: str | None) -> str | None:
    return f"{settings.BASE_URL}{picture_url(id, 384)}" if id else None
