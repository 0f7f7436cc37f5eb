"""iCalendar (RFC 5545) for phones and email clients.

Writing needs no library. Calendars written by others are read by `ics.busy_times` in a subprocess
(`ics.subprocess_reader`), because an untrusted calendar may use any amount of memory and time.
"""

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
