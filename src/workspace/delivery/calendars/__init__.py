"""Calendars of an account, both ways: when its people are busy, and its bookings in their calendars.

    busy(account, start, end, zone=page.zone, page_id=page.pk)    # one statement, over what the worker has expanded
    push(account, booking.pk, event, page_id=page.pk)             # in the booking's transaction; None takes it away
    register(Source("booking", own=…, coming=…))                  # whose our UIDs are, in the `ready` of the app

A UID is `ics.uid(id, host())`.
"""

from workspace.delivery.calendars.busy_times import BusyPeriod, list_busy_periods
from workspace.delivery.calendars.event_push import push_event
from workspace.delivery.calendars.sources import EventSource, UpcomingEvent, register_source, uid_host

__all__ = [
    "BusyPeriod",
    "EventSource",
    "UpcomingEvent",
    "list_busy_periods",
    "push_event",
    "register_source",
    "uid_host",
]
