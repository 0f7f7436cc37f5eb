"""Paid invoices, and the subscriptions and plan grants that determine an account's plans."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock

ACTIVE_STATUSES = ("active", "trialing", "past_due")
ENDED_STATUSES = ("canceled", "incomplete_expired")


class Subscription(models.Model):
    """A subscription at the provider, as of `checked_at`.

    `status` is the provider's. Each of `items` has `item` (the provider's id), `product`, `plan`, `amount` in cents and
    `months`, the number of months in its price. `ends_at` is the end of a cancelled subscription; otherwise `renews_at`
    is the time of the next invoice.
    """

    id = models.CharField(primary_key=True, max_length=100, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="subscriptions")
    live = models.BooleanField()
    status = models.CharField(max_length=30)
    items: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list, blank=True)
    renews_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField()
    checked_at = models.DateTimeField()

    class Meta:
        ordering = ("started_at", "id")

    def __str__(self) -> str:
        return f"{self.pk} ({self.status})"

    def is_active(self, now: datetime) -> bool:
        """Return whether the plans apply, that is, it has not ended, and it is paid or payment will be retried."""
        return self.status in ACTIVE_STATUSES and (self.ends_at is None or self.ends_at > now)

    @property
    def is_over(self) -> bool:
        return self.status in ENDED_STATUSES

    def find_plan(self, product: str) -> dict[str, Any] | None:
        return next((one for one in self.items if one["product"] == product), None)


class PlanGrant(models.Model):
    """A plan that the administrator granted until a certain time."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="plan_grants")
    product = models.CharField(max_length=20)
    plan = models.CharField(max_length=20)
    ends_at = models.DateTimeField(db_index=True)
    is_over = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.product}={self.plan} until {self.ends_at:%Y-%m-%d}"


class Invoice(models.Model):
    """A paid invoice. `paid` and `refunded` are in cents."""

    id = models.CharField(primary_key=True, max_length=100, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invoices")
    live = models.BooleanField()
    paid = models.PositiveIntegerField(default=0)
    paid_at = models.DateTimeField(null=True, blank=True)
    refunded = models.PositiveIntegerField(default=0)
    is_lost = models.BooleanField(default=False)
    payment_intent = models.CharField(max_length=100, blank=True, db_index=True)
    subscription = models.CharField(max_length=100, blank=True)
    checked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.pk} ({self.paid})"

    @property
    def is_refunded(self) -> bool:
        """True if the whole amount was refunded or lost in a dispute."""
        return self.is_lost or (self.paid > 0 and self.refunded >= self.paid)
