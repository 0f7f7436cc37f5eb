"""Payments, each with one checkout at the provider, and refunds."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.payments.provider import DONE, EXPIRED, FAILED, OPEN, OPENING, PAID, PROCESSING, REFUSED, WAITING

STATES = [(one, one) for one in (OPENING, OPEN, PROCESSING, PAID, FAILED, EXPIRED)]
UNPAID = (OPENING, OPEN)
MAX_PROBLEM_LENGTH = 300


def _payment_id() -> str:
    return new_id("pay")


def _refund_id() -> str:
    return new_id("rfd")


class Payment(models.Model):
    """A payment by a customer. It cannot be undone, because the money has moved at the provider.

    - `purpose`, `subject`: the purpose of a product, and the id of the paid item.
    - `amount`, `refunded`: in minor units.
    - `version`: counts writes, so that one of two concurrent writers has to start again.
    - `checked_at`: when the stored state was requested.
    - `applied_at`: when the product was notified of the payment, which happens only once.
    - `hold_until`: no payment is accepted after this time.
    - `is_current`: the newest payment of its subject.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_payment_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="payments")
    provider = models.CharField(max_length=20)
    live = models.BooleanField()
    provider_account = models.CharField(max_length=60, blank=True)
    purpose = models.CharField(max_length=40)
    subject = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    email = models.CharField(max_length=254, blank=True)
    language = models.CharField(max_length=8, blank=True)
    return_url = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=STATES, default=OPENING)
    is_current = models.BooleanField(default=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    session = models.CharField(max_length=100, blank=True, db_index=True)
    url = models.TextField(blank=True)
    payment_intent = models.CharField(max_length=100, blank=True, db_index=True)
    refunded = models.BigIntegerField(default=0)
    dispute = models.CharField(max_length=10, blank=True)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()
    hold_until = models.DateTimeField(null=True, blank=True)
    returned_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    applied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["account", "-id"], name="payments_newest_first"),
            models.Index(fields=["account", "purpose", "subject"], name="payments_of_a_subject"),
            models.Index(fields=["state", "checked_at"], name="payments_to_ask_for"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["account", "purpose", "subject"],
                condition=Q(is_current=True, state__in=UNPAID),
                name="one_open_payment_a_subject",
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.state})"

    @property
    def is_paid(self) -> bool:
        return self.state == PAID

    @property
    def refundable_amount(self) -> int:
        """The amount that can still be refunded."""
        return self.amount - self.refunded if self.is_paid else 0

    @property
    def display_state(self) -> str:
        """The state to display, including refunds and disputes of a paid payment."""
        if self.is_paid and self.dispute in ("open", "lost"):
            return "disputed" if self.dispute == "open" else "lost"
        if self.is_paid and self.refunded:
            return "refunded" if self.refunded >= self.amount else "partly_refunded"
        return "open" if self.state == OPENING else self.state


class Refund(models.Model):
    """A refund requested here. `Payment.refunded` is the total reported by the provider."""

    id = models.CharField(primary_key=True, max_length=40, default=_refund_id, editable=False)
    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, related_name="refunds")
    amount = models.BigIntegerField()
    reason = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=[(one, one) for one in (WAITING, DONE, REFUSED)], default=WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    reference = models.CharField(max_length=100, blank=True)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.amount} ({self.state})"
