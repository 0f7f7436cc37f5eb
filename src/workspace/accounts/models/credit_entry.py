"""Event credits: each pays for publishing one program for ever. What came and what went, one row each; the sum stands
on the account."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from workspace.accounts.models.account import Account
from workspace.lib import clock


class CreditEntry(models.Model):
    """`count` came where it is above zero, and went where it is below. `source` tells what for (`payment:pay_…`,
    `program:evt_…`), and the same comes or goes once."""

    JOURNAL_SILENT: ClassVar[bool] = True  # a ledger is never taken back, but by an entry more

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="credit_entries")
    count = models.IntegerField()
    reason = models.CharField(max_length=200)
    source = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("created_at", "id")
        constraints = [
            models.UniqueConstraint(fields=["account", "source"], name="credits_come_and_go_once"),
            models.CheckConstraint(condition=~models.Q(count=0), name="credits_are_some"),
        ]

    def __str__(self) -> str:
        return f"{self.count:+} {self.reason}"
