"""Bookings as what comes in: on home, in the search, in the list of contacts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.booking.api import booking_tools
from workspace.products.booking.models import Booking, Status, Waiting
from workspace.publishing.submissions import Act, Arrivals, Left


def _rows(account: Account) -> QuerySet[Booking]:
    return Booking.objects.filter(account=account, page__binned_at=None).select_related("page")


def _note(one: Booking, now: datetime) -> str:
    """What it is and when, and what became of it where it does not simply take place."""
    at, state = one.starts_at.astimezone(one.page.zone), one.state(now)
    told = f"{one.service_name}, {at:%a} {at.day} {at:%b %Y, %H:%M}"
    if state is Status.PENDING:
        return f"{told}: {'not paid yet' if one.waiting_for == Waiting.PAYMENT else 'waits for your answer'}"
    return told if state is Status.CONFIRMED else f"{told}: {state.value}"


def _told(bookings: Sequence[Booking]) -> list[Left]:
    now = clock.now()
    return [
        {
            "id": one.pk,
            "name": one.name,
            "email": one.email,
            "phone": one.phone,
            "note": _note(one, now),
            "at": clock.iso(one.created_at) or "",
            "thing_id": one.page_id,
            "page": one.owners_path,
        }
        for one in bookings
    ]


def _answers(request: str) -> Callable[[Left], dict[str, Any]]:
    return lambda left: {"page_id": left["thing_id"], "items": [{"id": left["id"], "request": request}]}


ARRIVALS = Arrivals(
    kind="booking",
    noun="booking",
    title="Bookings",
    page="/app/booking",
    rows=_rows,
    of="page",
    told=_told,
    came=Q(by_owner=False),
    waits=Q(status=Status.PENDING, waiting_for=Waiting.APPROVAL, hold_until__gt=Now()),
    waiting="for your answer",
    did="booked a time",
    acts=[
        Act(
            name="approve",
            label="Approve",
            tool=booking_tools.save_bookings,
            arguments=_answers("approve"),
            told="Approved: the time is theirs, and they get a mail.",
            only_waiting=True,
        ),
        Act(
            name="decline",
            label="Decline",
            tool=booking_tools.save_bookings,
            arguments=_answers("decline"),
            told="Declined: the time is free again, and they get a mail.",
            icon="close",
            only_waiting=True,
        ),
    ],
)
