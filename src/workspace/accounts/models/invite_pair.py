"""Who came by whose link. It is settled when the friend signs up, once for ever."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from workspace.accounts.models.account import Account
from workspace.lib import clock

# came: the friend's address is not confirmed yet; refused: they are the same people
CAME, JOINED, EARNED, HELD, DENIED, REVERSED, REFUSED = (
    "came",
    "joined",
    "earned",
    "held",
    "denied",
    "reversed",
    "refused",
)
STATES = [(one, one) for one in (CAME, JOINED, EARNED, HELD, DENIED, REVERSED, REFUSED)]
COUNTED_STATES = (JOINED, EARNED, HELD, DENIED, REVERSED)  # as friends who joined


class InvitePair(models.Model):
    """`invoice` is the friend's first that was paid, `paid_at` when, by the provider's clock; `reason` it is held."""

    JOURNAL_SILENT: ClassVar = True

    friend = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="invited_by")
    inviter = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="friends")
    state = models.CharField(max_length=10, choices=STATES, default=CAME)
    invoice = models.CharField(max_length=100, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.friend_id} by {self.inviter_id} ({self.state})"
