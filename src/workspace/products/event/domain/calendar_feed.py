"""Calendar feeds of a program, a session, or a guest's starred sessions.

A session is the same event in all of them, with the same bytes until it changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings

from workspace.lib import ics
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Session

_DEFAULT_LENGTH = timedelta(hours=1)


def build_calendar(program: Program, sessions: Iterable[Session], name: str) -> bytes:
    """Build a calendar with the sessions that have a time. Cancelled sessions are marked as cancelled."""
    timed = [(session, session.starts_at) for session in sessions if session.starts_at is not None]
    timed.sort(key=lambda pair: (pair[1], pair[0].pk))
    return ics.build_calendar([_calendar_event(program, session, starts) for session, starts in timed], name=name)


def _calendar_event(program: Program, session: Session, starts: datetime) -> ics.Event:
    event = program.event
    ends = program.ends.get(session.pk) or session.ends_at or starts + _DEFAULT_LENGTH
    room = session.room.name if session.room else ""
    speakers = ", ".join(speaker.name for speaker in program.speakers_for(session))
    address = " ".join(event.address.split())
    return ics.Event(
        uid=ics.event_uid(session.pk, urlsplit(settings.BASE_URL).hostname or "localhost"),
        start=starts.astimezone(event.zone),
        end=ends.astimezone(event.zone),
        title=session.title,
        changed_at=session.changed_at,
        sequence=session.sequence,
        description="\n\n".join(filter(None, [speakers, session.description])),
        location=", ".join(filter(None, [room, event.venue, address])),
        url=f"{event.public_url}/s/{session.pk}",
        status="cancelled" if session.cancelled else "confirmed",
        categories=(session.track,) if session.track else (),
    )
