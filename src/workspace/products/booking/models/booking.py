"""A booking: an appointment with its start, end and buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from typing_extensions import override

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.lib.text import search_key
from workspace.products.booking.models.booking_status import (
    LIVE_STATUSES,
    AttendanceStatus,
    PendingReason,
    Status,
    live_filter,
)
from workspace.products.booking.models.page import BookingPage, Resource
from workspace.products.booking.models.service import Service
from workspace.products.booking.rules.busy_times import BusyKind
from workspace.storage.journal import Journaled

EARLY_ARRIVAL = timedelta(hours=1)  # how early before the start a client can be checked in


def _booking_id() -> str:
    return new_id("bkg")


class Booking(Journaled):
    """A booking.

    `blocked_from` and `blocked_until` are the appointment with the buffers that its service had when it was booked.
    `local_start` and `time_zone` are the values that the guest saw, so that a change in the zone's rules can be
    detected. `dedupe_key` comes from the form, so that a repeated submission does not create a second booking. The
    details of the booked service are stored here, and do not change when the service does.
    """

    journal_displayed_fields = {
        **dict.fromkeys(
            ("account", "resource", "page", "uid", "sequence", "blocked_from", "blocked_until", "dedupe_key")
        ),
        **dict.fromkeys(("local_start", "local_date", "hold_until", "updated_at", "price_minor", "search")),
        **dict.fromkeys(
            (
                "due_minor",
                "paid_minor",
                "refunded_minor",
                "remind_at",
                "expiry_notice_pending",
                "invited",
                "link_token_encrypted",
            )
        ),
        "link_hash": None,
        "pending_reason": ("waiting_for", None),
        "owner_note": ("note", None),
        "cancelled_by_guest": ("by_guest", None),
    }
    after_undo: ClassVar[list[Callable[[Booking], None]]] = []  # set by the app's `ready`

    id = models.CharField(primary_key=True, max_length=40, default=_booking_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="bookings")
    resource = models.ForeignKey(Resource, on_delete=models.RESTRICT, related_name="bookings")
    page = models.ForeignKey(BookingPage, on_delete=models.CASCADE, related_name="bookings")
    service = models.ForeignKey(Service, on_delete=models.SET_NULL, null=True, related_name="bookings")
    service_name = models.CharField(max_length=120)
    uid = models.CharField(max_length=120)
    sequence = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.CONFIRMED)
    pending_reason = models.CharField(max_length=10, choices=PendingReason.choices, blank=True)
    hold_until = models.DateTimeField(null=True, blank=True)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    blocked_from = models.DateTimeField()
    blocked_until = models.DateTimeField()
    local_start = models.CharField(max_length=16)  # 2026-11-22T09:30
    local_date = models.DateField()
    time_zone = models.CharField(max_length=64)
    name = models.CharField(max_length=120)
    email = models.CharField(max_length=254, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    answers: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    language = models.CharField(max_length=8, blank=True)
    guest_zone = models.CharField(max_length=64, blank=True)
    price_minor = models.PositiveIntegerField(null=True, blank=True)
    # the amount to pay online before the booking is confirmed, and what was paid and refunded
    due_minor = models.PositiveIntegerField(null=True, blank=True)
    paid_minor = models.PositiveIntegerField(default=0)
    refunded_minor = models.PositiveIntegerField(default=0)
    by_owner = models.BooleanField(default=False)
    # the guest's link: the hash for lookups, and the encrypted token for the next email
    link_hash = models.CharField(max_length=64, blank=True, db_index=True)
    link_token_encrypted = models.CharField(max_length=300, blank=True)
    invited = models.BooleanField(default=False)  # the guest's calendar may contain it
    remind_at = models.DateTimeField(null=True, blank=True)
    expiry_notice_pending = models.BooleanField(default=False)  # it has expired, and the guest has not been notified
    dedupe_key = models.CharField(max_length=64, blank=True)
    owner_note = models.TextField(blank=True)
    search = models.TextField(default="", blank=True)  # case-folded here, because SQLite's LIKE folds only ASCII
    outcome = models.CharField(max_length=10, choices=AttendanceStatus.choices, blank=True)
    reason = models.CharField(max_length=300, blank=True)  # why it was cancelled or rescheduled, as shown to the guest
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_by_guest = models.BooleanField(default=False)  # the guest cancelled it
    created_at = models.DateTimeField(default=clock.now)
    updated_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("starts_at", "id")
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="booking_takes_time"),
            models.CheckConstraint(
                condition=Q(blocked_from__lte=F("starts_at"), blocked_until__gte=F("ends_at")),
                name="booking_is_within_blocked_time",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.PENDING) | Q(hold_until__isnull=False), name="what_waits_has_an_end"
            ),
            models.UniqueConstraint(
                fields=["page", "dedupe_key"], condition=~Q(dedupe_key=""), name="one_booking_a_key"
            ),
        ]
        indexes = [
            models.Index(fields=["resource", "blocked_until", "blocked_from"], name="bookings_of_a_resource"),
            models.Index(fields=["account", "starts_at", "id"], name="bookings_by_their_start"),
            models.Index(fields=["page", "starts_at", "id"], name="bookings_of_a_page"),
            models.Index(fields=["hold_until"], name="bookings_that_wait", condition=Q(status=Status.PENDING)),
            models.Index(fields=["remind_at"], name="bookings_to_remind_of", condition=Q(remind_at__isnull=False)),
            models.Index(fields=["id"], name="bookings_with_expiry_notice", condition=Q(expiry_notice_pending=True)),
        ]

    def __str__(self) -> str:
        return f"{self.service_name}, {self.name}"

    @property
    def dashboard_path(self) -> str:
        return dashboard_path(self.page_id, self.pk)

    def build_search_text(self) -> str:
        """Return the text to search in."""
        said = (answer["text"] for answer in self.answers)
        return search_key("\n".join((self.name, self.email, self.phone, self.service_name, self.owner_note, *said)))

    @property
    def duration(self) -> int:
        """The duration in minutes."""
        return int((self.ends_at - self.starts_at) / timedelta(minutes=1))

    @property
    def unpaid_minor(self) -> int:
        """The amount still to be paid online in minor units, or 0."""
        return 0 if self.paid_minor else self.due_minor or 0

    @override
    @classmethod
    def mark_many_changed(cls, rows: Sequence[Booking]) -> None:
        """Run the functions that must be called after an undo."""
        for booking in rows:
            for follow in cls.after_undo:
                follow(booking)

    def is_live(self, now: datetime) -> bool:
        return self.current_status(now) in LIVE_STATUSES

    def current_status(self, now: datetime) -> Status:
        """Return the status at `now`.

        A pending booking whose hold has ended counts as expired, even if its row has not been updated yet.
        """
        if self.status == Status.PENDING and self.hold_until is not None and self.hold_until <= now:
            return Status.EXPIRED
        return Status(self.status)

    def can_have_arrived(self, now: datetime) -> bool:
        """Return whether the client may already have arrived. This is true from some time before the start."""
        return self.starts_at - EARLY_ARRIVAL <= now

    @classmethod
    def live_filter(cls, now: datetime) -> Q:
        return live_filter(now)


def dashboard_path(page: str, booking: str) -> str:
    """Return the path of a booking's dashboard page."""
    return f"/app/booking/{page}/bookings/{booking}"


def busy_kind(status: str, waiting_for: str) -> BusyKind:
    """Return the kind of busy time that a booking is when it overlaps other bookings."""
    if status == Status.PENDING:
        return BusyKind.REQUEST if waiting_for == PendingReason.APPROVAL else BusyKind.PAYING
    return BusyKind.BOOKING
