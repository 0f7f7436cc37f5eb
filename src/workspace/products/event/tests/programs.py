"""A program for tests, created directly as rows."""

from __future__ import annotations

from datetime import date
from typing import Any

from workspace.accounts.models import Account
from workspace.products.event.models import Day, Event, Room, Session, SessionSpeaker, Speaker, name_key
from workspace.products.event.rules.session_times import compute_session_times

FRIDAY, SATURDAY = date(2026, 5, 15), date(2026, 5, 16)


def program(account: Account, *, live: bool = True, zone: str = "Europe/Paris", **fields: Any) -> Event:
    """Create a program of two days, a Friday and a Saturday, without sessions."""
    event = Event.open(account, live=live, **{"title": "Harbour Days", "time_zone": zone, **fields})
    Day.objects.bulk_create([Day(event=event, date=day) for day in (FRIDAY, SATURDAY)])
    return event


def session(
    event: Event,
    title: str,
    start: str = "",
    end: str = "",
    *,
    day: date = FRIDAY,
    room: str = "",
    speakers: tuple[str, ...] = (),
    **fields: Any,
) -> Session:
    """Create a session at the end of its day. Its room and speakers are created if they do not exist."""
    on = event.days.get(date=day)
    place = event.sessions.count()
    result = event.rooms.filter(name_key=name_key(room)).first() if room else None
    if room and result is None:
        result = Room.objects.create(event=event, name=room, name_key=name_key(room), position=event.rooms.count())
    starts_at, ends_at = compute_session_times(day, start, end, event.zone)
    made = Session.objects.create(
        event=event, day=on, room=result, title=title, start=start, end=end, starts_at=starts_at, ends_at=ends_at,
        position=place, **fields,
    )  # fmt: skip
    for number, name in enumerate(speakers):
        speaker = event.speakers.filter(name=name).first() or Speaker.objects.create(
            event=event, name=name, position=event.speakers.count()
        )
        SessionSpeaker.objects.create(session=made, speaker=speaker, position=number)
    return made
