"""An account's connected calendars: busy times are read from them, and bookings are written to them.

    list_busy_periods(account, start, end, zone=page.zone, page_id=page.pk)   # one query over the stored busy times
    push_event(account, booking.pk, event, page_id=page.pk)    # in the booking's transaction; None removes the event
    register_source(EventSource("booking", …))                 # identifies our own events; in the app's `ready`

A UID is `ics.uid(id, uid_host())`.
"""

from workspace.delivery.calendars.busy_times import BusyPeriod, list_busy_periods
from workspace.delivery.calendars.event_push import push_event
from workspace.delivery.calendars.event_sources import EventSource, UpcomingEvent, register_source, uid_host

__all__ = [
    "BusyPeriod",
    "EventSource",
    "UpcomingEvent",
    "list_busy_periods",
    "push_event",
    "register_source",
    "uid_host",
]
