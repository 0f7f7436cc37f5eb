"""Bookings when an account moves: guests' own links are others, and no reminder is sent twice."""

from __future__ import annotations

from typing import Annotated, Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Arrival, Carried
from workspace.lib import clock
from workspace.products.booking.api.arguments import DayWindows, PageChanges, ServiceFields
from workspace.products.booking.domain import guest_links
from workspace.products.booking.models import Booking, BookingPage, Override, Resource, Service
from workspace.tools.argument_types import Line, Lines


def _arrive(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    guest_links.give(row)
    row.owes_word = False
    if row.remind_at is not None and row.remind_at <= clock.now():
        row.remind_at = None


Answer = column_types.shape(label=Annotated[str, Line(200)], text=Annotated[str, Lines(2000)])
CARRIED = (
    Carried(model=Resource, replaces=True),
    Carried(model=BookingPage, reads=column_types.as_given(PageChanges, "description", "place", "hours", "hosts")),
    Carried(model=Override, reads={"windows": DayWindows}),
    Carried(
        model=Service,
        reads={
            **column_types.as_given(
                ServiceFields, "text", "duration", "buffer_before", "buffer_after", "notice", "horizon"
            ),
            **column_types.as_given(ServiceFields, "questions"),
            "interval": column_types.up_to(720, 1),
            "daily_cap": column_types.up_to(1000, 1),
            **dict.fromkeys(("cancel_until", "move_until"), column_types.up_to(8760)),
        },
    ),
    Carried(
        model=Booking,
        without=("link", "link_hash"),
        arrive=_arrive,
        reads={
            "service_name": column_types.OneLine,
            "local_start": column_types.LocalTime,
            "answers": column_types.list_of(Answer, 20),
        },
    ),
)
