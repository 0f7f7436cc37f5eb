"""Calendars of an account, both ways: when its people are busy, and its bookings in their calendars.

busy(account, start, end, zone=page.zone, page_id=page.pk)    # one statement, over what the worker has expanded
"""

from workspace.delivery.calendars.busy import Busy, busy

__all__ = ["Busy", "busy"]
