"""iCalendar (RFC 5545), as phones and mail programs read it.

What is written here needs no library; what others have written is read by `ics.reading`, in a child process
(`ics.child`), since a stranger's calendar may cost anything."""

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
