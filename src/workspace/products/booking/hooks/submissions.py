"""Bookings as submissions: on home, in search, and among contacts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy, owner_gettext_noop
from workspace.products.booking.api import booking_tools
from workspace.products.booking.domain.status_texts import format_status
from workspace.products.booking.models import Booking, PendingReason, Status
from workspace.publishing.submissions import Submission, SubmissionAction, SubmissionSource


def _list_bookings(account: Account) -> QuerySet[Booking]:
    return Booking.objects.filter(account=account, page__binned_at=None).select_related("page")


def _format_note(booking: Booking, now: datetime) -> str:
    """Format a note with the service, the time, and the status unless the booking is confirmed."""
    at, state = booking.starts_at.astimezone(booking.page.zone), booking.current_status(now)
    text = f"{booking.service_name}, {at:%a} {at.day} {at:%b %Y, %H:%M}"
    if state is Status.PENDING:
        is_unpaid = booking.pending_reason == PendingReason.PAYMENT
        return f"{text}: {owner_gettext('not paid yet') if is_unpaid else owner_gettext('waiting for your reply')}"
    return text if state is Status.CONFIRMED else f"{text}: {format_status(state)}"


def _serialize_bookings(bookings: Sequence[Booking]) -> list[Submission]:
    now = clock.now()
    return [
        {
            "id": booking.pk,
            "name": booking.name,
            "email": booking.email,
            "phone": booking.phone,
            "note": _format_note(booking, now),
            "at": clock.to_iso(booking.created_at) or "",
            "thing_id": booking.page_id,
            "page": booking.dashboard_path,
        }
        for booking in bookings
    ]


def _answer_arguments(request: str) -> Callable[[Submission], dict[str, Any]]:
    return lambda left: {"page_id": left["thing_id"], "items": [{"id": left["id"], "request": request}]}


SUBMISSION_SOURCE = SubmissionSource(
    kind="booking",
    noun="booking",
    title=owner_gettext_noop("Bookings"),
    page="/app/booking",
    rows=_list_bookings,
    item_column="page",
    serialize=_serialize_bookings,
    from_guests=Q(by_owner=False),
    waiting_filter=Q(status=Status.PENDING, pending_reason=PendingReason.APPROVAL, hold_until__gt=Now()),
    waiting_reason="for your answer",
    action_phrase="booked a time",
    actions=[
        SubmissionAction(
            name="approve",
            label=owner_gettext_lazy("Approve"),
            tool=booking_tools.save_bookings,
            arguments=_answer_arguments("approve"),
            done_message=owner_gettext_lazy("Booking approved. Client notified."),
            only_waiting=True,
        ),
        SubmissionAction(
            name="decline",
            label=owner_gettext_lazy("Decline"),
            tool=booking_tools.save_bookings,
            arguments=_answer_arguments("decline"),
            done_message=owner_gettext_lazy("Request declined. Client notified."),
            icon="close",
            only_waiting=True,
        ),
    ],
)
