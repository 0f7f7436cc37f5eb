"""Bookings when an account moves: guests' own links are others, and no reminder is sent twice."""

from __future__ import annotations

from typing import Any

from workspace.accounts.carrying.tables import Arrival, Carried
from workspace.products.booking import links
from workspace.products.booking.models import Booking, Resource
from workspace.toolkit import clock


def _arrive(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    links.give(row)
    row.owes_word = False
    if row.remind_at is not None and row.remind_at <= clock.now():
        row.remind_at = None


CARRIED = (
    Carried(model=Resource, replaces=True),
    Carried(model=Booking, without=("link", "link_hash"), arrive=_arrive),
)
