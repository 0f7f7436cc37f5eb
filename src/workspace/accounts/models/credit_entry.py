"""Ledger of event credits: each credit pays for publishing one program permanently.

There is one row for each addition or removal. The account's row stores the sum.
"""

from __future__ import annotations

from django.db import models

from workspace.accounts.models.account import Account
from workspace.lib import clock


class CreditEntry(models.Model):
    """An addition (`count` > 0) or removal (`count` < 0) of event credits.

    `source` is the cause (`payment:pay_…`, `program:evt_…`). Each source has one entry. A ledger is corrected by
    another entry, never by an undo.
    """

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
