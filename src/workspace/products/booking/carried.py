"""Bookings when an account moves: guests' own links are others, and no reminder is sent twice."""

from __future__ import annotations

from typing import Annotated, Any

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Arrival, Carried
from workspace.products.booking import links
from workspace.products.booking.arguments import DayWindows, PageChanges, ServiceFields
from workspace.products.booking.models import Booking, BookingPage, Override, Resource, Service
from workspace.toolkit import clock
from workspace.toolkit.types import Line, Lines


def _arrive(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    links.give(row)
    row.owes_word = False
    if row.remind_at is not None and row.remind_at <= clock.now():
        row.remind_at = None


Answer = readers.shape(label=Annotated[str, Line(200)], text=Annotated[str, Lines(2000)])
CARRIED = (
    Carried(model=Resource, replaces=True),
    Carried(model=BookingPage, reads=readers.as_given(PageChanges, "description", "place", "hours", "hosts")),
    Carried(model=Override, reads={"windows": DayWindows}),
    Carried(
        model=Service,
        reads={
            **readers.as_given(ServiceFields, "text", "duration", "buffer_before", "buffer_after", "notice", "horizon"),
            **readers.as_given(ServiceFields, "questions"),
            "interval": readers.up_to(720, 1),
            "daily_cap": readers.up_to(1000, 1),
            **dict.fromkeys(("cancel_until", "move_until"), readers.up_to(8760)),
        },
    ),
    Carried(
        model=Booking,
        without=("link", "link_hash"),
        arrive=_arrive,
        reads={
            "service_name": readers.OneLine,
            "local_start": readers.LocalTime,
            "answers": readers.list_of(Answer, 20),
        },
    ),
)
