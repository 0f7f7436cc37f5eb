"""What is done to bookings, each act one function and one transaction. All ask the judge that lists the free times, and
the database refuses what overlaps once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError

from workspace.delivery.calendars import host
from workspace.lib import clock, ics
from workspace.lib.errors import Conflict, ToolError
from workspace.payments import checkout
from workspace.products.booking.domain import calendar_events, guest_links, payments
from workspace.products.booking.domain.availability_query import around
from workspace.products.booking.domain.locks import (
    OWNERS,
    Moved,
    NotFree,
    acting_on,
    asked,
    change,
    check,
    exempt,
    holding,
    terms_of,
    times,
)
from workspace.products.booking.domain.overlap_constraint import is_overlap
from workspace.products.booking.models import KIND, Block, Booking, BookingPage, Outcome, Service, Status, Waiting
from workspace.products.booking.rules.availability import Availability, Cause, Why
from workspace.publishing import live_blocks
from workspace.storage import journal

ANSWER_WITHIN = timedelta(hours=12)
REMINDED = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    name: str
    email: str = ""
    phone: str = ""
    answers: Sequence[dict[str, Any]] = ()
    language: str = ""
    zone: str = ""
    note: str = ""  # for the owner alone


def book(
    service: Service,
    start: datetime,
    guest: Guest,
    *,
    key: str = "",
    by_owner: bool = False,
    ignore_rules: bool = False,
    pay_within: timedelta | None = None,
) -> Booking:
    """`key`: one that was used on this page before answers the booking that was made then. An owner is not held to
    notice, horizon, cap and grid, and with `ignore_rules` to nothing but other bookings. `pay_within`: it is held so
    long for a payment. Raises NotFree, and Conflict for a key of something else."""
    page, now = service.page, clock.now()
    with holding(page.resource, now):
        if key and (earlier := Booking.objects.filter(page=page, key=key).first()) is not None:
            return _the_same(earlier, service, start, guest)
        spared = exempt(by_owner, ignore_rules)
        found = around(page, service.terms(), start, service=service, now=now, ignoring_blocks=ignore_rules)
        check(found, start, spared)
        made = Booking(
            account=page.account,
            resource_id=page.resource_id,
            page=page,
            service=service,
            service_name=service.name,
            name=guest.name,
            email=guest.email,
            phone=guest.phone,
            answers=list(guest.answers),
            language=guest.language,
            guest_zone=guest.zone,
            note=guest.note,
            price_minor=service.price_minor,
            due_minor=None if by_owner else service.due_minor or None,
            remind_at=remind_at(start, now),
            by_owner=by_owner,
            key=key,
            created_at=now,
            **times(found.terms, start, page),
        )
        made.search = made.searchable()
        made.uid = ics.uid(made.pk, host())
        guest_links.give(made)
        if pay_within is not None:
            _wait(made, Waiting.PAYMENT, now + pay_within)
        elif service.approval and not by_owner:
            _wait(made, Waiting.APPROVAL, now + ANSWER_WITHIN)
        _save(made, found)
        calendar_events.put(made)
        return made


def approve(booking: Booking, *, ignore_rules: bool = False) -> bool:
    """Whether that changed it. What is to be paid online waits for that now, a day at most. Raises NotFree where the
    hours, a block or a calendar stand against it by now, and ToolError for one that waits for no answer."""
    now = clock.now()
    with acting_on(booking, now):
        if booking.status == Status.CONFIRMED:
            return False
        if booking.status != Status.PENDING or booking.waiting_for != Waiting.APPROVAL:
            raise ToolError(_no_request(booking))
        found = asked(booking, booking.starts_at, now, terms_of(booking), ignore_rules)
        check(found, booking.starts_at, exempt(True, ignore_rules))
        if booking.owed_minor and checkout.takes(booking.account, booking.owed_minor, booking.page.currency):
            until = min(now + payments.PAID_WITHIN, booking.starts_at)
            change(booking, now, waiting_for=Waiting.PAYMENT, hold_until=until)
        else:
            _confirm(booking, now)
        return True


def decline(booking: Booking, reason: str = "") -> bool:
    """Whether that changed it: one that is cancelled stays so. Raises ToolError for one that waits for no answer."""
    now = clock.now()
    with acting_on(booking, now):
        if booking.status == Status.CANCELLED:
            return False
        if booking.status != Status.PENDING or booking.waiting_for != Waiting.APPROVAL:
            raise ToolError(_no_request(booking))
        _end(booking, now, reason)
        return True


def paid(booking: Booking) -> bool:
    """What it was held for is paid, perhaps late. False: its time is no longer free, or it was cancelled, so the money
    goes back. A payment that is told twice is one."""
    now = clock.now()
    with acting_on(booking, now):
        if booking.status == Status.CANCELLED:
            return False
        if booking.status == Status.EXPIRED:
            found = asked(booking, booking.starts_at, now, terms_of(booking), False)
            if found.judge(int(booking.starts_at.timestamp()), OWNERS) is not None:
                return False
        if booking.status != Status.CONFIRMED:
            _confirm(booking, now)
        return True


def move(
    booking: Booking,
    start: datetime,
    *,
    sequence: int | None = None,
    by_owner: bool = False,
    ignore_rules: bool = False,
    reason: str = "",
) -> bool:
    """Whether that changed it. It keeps its id, its UID and its length, and takes the buffers that its service has now.
    `sequence`: what it was when it was looked at. Raises NotFree, Moved where it was moved since, and ToolError for one
    that is over."""
    now = clock.now()
    with acting_on(booking, now):
        if sequence is not None and sequence != booking.sequence:
            raise Moved("This booking was changed meanwhile: look at it once more")
        if not booking.is_live(now):
            raise ToolError(f"This booking is {booking.status}: book another one")
        if start == booking.starts_at:
            return False
        service = booking.service
        terms = service.terms(booking.duration) if service is not None else terms_of(booking)
        found = asked(booking, start, now, terms, ignore_rules)
        check(found, start, exempt(by_owner, ignore_rules))
        moved = {**times(terms, start, booking.page), "remind_at": remind_at(start, now)}
        if booking.hold_until is not None:
            moved["hold_until"] = min(booking.hold_until, start)
        change(booking, now, sequence=booking.sequence + 1, reason=reason, **moved)
        return True


def cancel(booking: Booking, reason: str = "", *, by_guest: bool = False) -> bool:
    """Whether that changed it: one that is cancelled stays so. Its time is free at once, and what was paid online goes
    back. Raises ToolError for one that has expired."""
    now = clock.now()
    with acting_on(booking, now):
        if booking.status == Status.CANCELLED:
            return False
        if booking.status == Status.EXPIRED:
            raise ToolError("This booking has expired: its time is free already")
        _end(booking, now, reason, by_guest)
        return True


def block(page: BookingPage, start: datetime, end: datetime, reason: str = "") -> Block:
    """Keep a time for something else. What is booked in it stays."""
    made = Block.objects.create(
        account=page.account, resource_id=page.resource_id, starts_at=start, ends_at=end, reason=reason
    )
    journal.add(made)
    live_blocks.changed(page.account_id, KIND)
    return made


def outcome(booking: Booking, told: str) -> None:
    """Whether somebody came, perhaps a little early. Raises ToolError before that, and for one that was not to be."""
    if booking.status != Status.CONFIRMED:
        raise ToolError(f"This booking is {booking.state(clock.now())}: only a confirmed one has an outcome")
    now = clock.now()
    if told and booking.starts_at > now and not (told == Outcome.ATTENDED and booking.may_have_come(now)):
        raise ToolError("This visit has not begun yet: say afterwards whether they came")
    journal.change(booking, outcome=told)


def details(booking: Booking, **fields: Any) -> None:
    """What is known of the visit and of who comes; nobody is told."""
    if journal.change(booking, **fields):
        journal.change(booking, search=booking.searchable())
        calendar_events.put(booking)


def _wait(booking: Booking, what: Waiting, until: datetime) -> None:
    booking.status, booking.waiting_for = Status.PENDING, what
    booking.hold_until = min(until, booking.starts_at)  # nobody waits for a visit that has begun


def remind_at(start: datetime, now: datetime) -> datetime | None:
    """A day before it; None for one that is booked or moved later than that."""
    at = start - REMINDED
    return at if at > now else None


def _confirm(booking: Booking, now: datetime) -> None:
    change(booking, now, status=Status.CONFIRMED, waiting_for="", hold_until=None,
           remind_at=remind_at(booking.starts_at, now))  # fmt: skip


def _save(booking: Booking, asked: Availability) -> None:
    try:
        booking.save(force_insert=True)
    except IntegrityError as problem:  # nobody gets so far, but by a way around these functions
        if is_overlap(problem):
            raise NotFree(Cause(Why.TAKEN), asked, booking.starts_at) from None
        raise


def _end(booking: Booking, now: datetime, reason: str, by_guest: bool = False) -> None:
    payments.give_back(booking, "The visit was cancelled")
    change(
        booking,
        now,
        status=Status.CANCELLED,
        waiting_for="",
        hold_until=None,
        sequence=booking.sequence + 1,
        reason=reason,
        cancelled_at=now,
        by_guest=by_guest,
        remind_at=None,
    )


def _the_same(earlier: Booking, service: Service, start: datetime, guest: Guest) -> Booking:
    """One that is sent twice is one; what says something else under the same key is refused."""
    if (earlier.service_id, earlier.email, earlier.name) != (service.pk, guest.email, guest.name):
        raise Conflict("This was sent before and says something else now: begin once more")
    return earlier


def _no_request(booking: Booking) -> str:
    if booking.status == Status.PENDING:
        return "This booking waits for its payment, not for your answer"
    if booking.status == Status.EXPIRED:
        return "This request has expired: its time is free again, so book it anew"
    return f"This booking is {booking.status} and waits for no answer"
