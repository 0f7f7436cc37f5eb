"""A service of a booking page, such as a haircut of 45 minutes."""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.lib.ids import new_id
from workspace.lib.money import to_wire_number
from workspace.products.booking.models.page import BookingPage
from workspace.products.booking.rules.availability import ServiceTerms
from workspace.publishing.models import SoftDeleted

# what guests pay online before the booking is confirmed
NO_PAYMENT, DEPOSIT_PAYMENT, FULL_PAYMENT = "none", "deposit", "full"
DEFAULT_INTERVAL = 30  # minutes between offered times, unless the service is shorter


def _service_id() -> str:
    return new_id("svc")


class Service(SoftDeleted):
    """A service.

    Times are in minutes, except `max_days_ahead`, in whole days after today, and `cancel_until` and `move_until`, in
    hours before the start (None means not allowed). If `interval` is None, it is the service's duration. If `daily_cap`
    is None, there is no cap.
    """

    journal_item_path = "page"
    journal_displayed_fields = {
        **SoftDeleted.journal_displayed_fields,
        "price_minor": ("price", None),
        "deposit_minor": ("deposit", None),
        "min_notice_minutes": ("notice", None),
        "max_days_ahead": ("horizon", None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_service_id, editable=False)
    page = models.ForeignKey(BookingPage, on_delete=models.CASCADE, related_name="services")
    name = models.CharField(max_length=120)
    text = models.TextField(blank=True)
    duration = models.PositiveSmallIntegerField()
    price_minor = models.PositiveIntegerField(null=True, blank=True)
    payment = models.CharField(
        max_length=8,
        choices=[(value, value) for value in (NO_PAYMENT, DEPOSIT_PAYMENT, FULL_PAYMENT)],
        default=NO_PAYMENT,
    )
    deposit_minor = models.PositiveIntegerField(null=True, blank=True)
    buffer_before = models.PositiveSmallIntegerField(default=0)
    buffer_after = models.PositiveSmallIntegerField(default=0)
    min_notice_minutes = models.PositiveIntegerField(default=120)
    max_days_ahead = models.PositiveSmallIntegerField(default=60)
    interval = models.PositiveSmallIntegerField(null=True, blank=True)
    daily_cap = models.PositiveSmallIntegerField(null=True, blank=True)
    approval = models.BooleanField(default=False)
    questions: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    cancel_until = models.PositiveSmallIntegerField(null=True, blank=True, default=24)
    move_until = models.PositiveSmallIntegerField(null=True, blank=True, default=24)
    hidden = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("position", "id")
        indexes = [models.Index(fields=["page", "position", "id"], name="services_in_their_order")]

    def __str__(self) -> str:
        return self.name

    @property
    def start_interval(self) -> int:
        return self.interval or min(self.duration, DEFAULT_INTERVAL)

    @property
    def price(self) -> float | None:
        return to_wire_number(self.price_minor, self.page.currency)

    @property
    def due_minor(self) -> int:
        """The amount to pay online in minor units, or 0."""
        amount = {DEPOSIT_PAYMENT: self.deposit_minor, FULL_PAYMENT: self.price_minor}.get(self.payment)
        return amount or 0

    def _format_price(self, minor: int | None) -> float | None:
        return to_wire_number(minor, self.page.currency)

    journal_value_formatters = {"price_minor": _format_price, "deposit_minor": _format_price}

    def build_terms(self, duration: int | None = None) -> ServiceTerms:
        """Build the terms of the service. For an existing booking, `duration` replaces the service's duration."""
        return ServiceTerms(
            duration=duration or self.duration,
            interval=self.start_interval,
            before=self.buffer_before,
            after=self.buffer_after,
            notice=self.min_notice_minutes,
            horizon=self.max_days_ahead,
            daily_cap=self.daily_cap,
        )
