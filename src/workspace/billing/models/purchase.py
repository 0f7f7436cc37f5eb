"""Customers, purchases and prices at the administrator's provider."""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id

PLAN, CREDITS = "plan", "credits"
OPENING, OPEN, PROCESSING = "opening", "open", "processing"
DONE, FAILED, EXPIRED = "done", "failed", "expired"
PENDING_STATES = (OPENING, OPEN, PROCESSING)


def _purchase_id() -> str:
    return new_id("pur")


class Customer(models.Model):
    """An account as the provider's customer.

    `cards` are hashed fingerprints of its cards, used to detect self-invitations.
    """

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="customer")
    reference = models.CharField(max_length=100, unique=True)
    live = models.BooleanField()
    cards: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return self.reference


class Price(models.Model):
    """A price at the provider. A different amount needs a new price; existing subscriptions keep the old one."""

    reference = models.CharField(max_length=100, unique=True)
    live = models.BooleanField()
    product = models.CharField(max_length=20)
    plan = models.CharField(max_length=20)
    amount = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["live", "product", "plan", "amount"], name="one_price_a_plan"),
        ]

    def __str__(self) -> str:
        return f"{self.product}={self.plan} {self.amount}"


class Purchase(models.Model):
    """A checkout at the provider, for a plan or for event credits.

    `amount` is in cents, `live` is the mode of the key, `payment_intent` is the payment's id, and `refunded` is how
    much of it was refunded. `checked_at` is when the stored state was requested.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_purchase_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="purchases")
    kind = models.CharField(max_length=10, choices=[(PLAN, PLAN), (CREDITS, CREDITS)])
    product = models.CharField(max_length=20)
    plan = models.CharField(max_length=20)
    quantity = models.PositiveSmallIntegerField(default=1)
    amount = models.PositiveIntegerField()
    live = models.BooleanField()
    state = models.CharField(
        max_length=10,
        choices=[(one, one) for one in (*PENDING_STATES, DONE, FAILED, EXPIRED)],
        default=OPENING,
    )
    session = models.CharField(max_length=100, blank=True, db_index=True)
    payment_intent = models.CharField(max_length=100, blank=True, db_index=True)
    refunded = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=clock.now)
    checked_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "checked_at"], name="purchases_to_ask_for")]

    def __str__(self) -> str:
        return f"{self.product}={self.plan} ({self.state})"

    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata to send with the provider's objects."""
        return {"purchase": self.pk, "account": self.account_id, "product": self.product, "plan": self.plan}
