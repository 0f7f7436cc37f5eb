"""iCalendar (RFC 5545) for phones and email clients.

Writing needs no library. Calendars of others are read by `ics.reader` in a subprocess (`ics.worker`), because an
untrusted calendar may use any amount of memory and time."""

from workspace.lib.ics.writer import (
    Alarm,
    CalendarUser,
    Event,
    build_caldav_event,
    build_calendar,
    build_invitation,
    event_uid,
)

__all__ = ["Alarm", "CalendarUser", "Event", "build_caldav_event", "build_calendar", "build_invitation", "event_uid"]
