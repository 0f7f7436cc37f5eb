"""Pairs of an inviter and a friend. A pair is created when the friend signs up and never changes its accounts."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models.account import Account
from workspace.lib import clock

# CAME: the friend's address is not confirmed yet. REFUSED: both accounts belong to the same people.
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
COUNTED_STATES = (JOINED, EARNED, HELD, DENIED, REVERSED)  # counted as friends who joined


class InvitePair(models.Model):
    """A friend's account and its inviter.

    `invoice` is the friend's first paid invoice, `paid_at` the time when the provider says it was paid, and `reason`
    why the reward is withheld.
    """

    friend = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="invited_by")
    inviter = models.ForeignKey(Account, on_delete=models.SET_NULL, null=True, related_name="friends")
    state = models.CharField(max_length=10, choices=STATES, default=CAME)
    invoice = models.CharField(max_length=100, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.friend_id} by {self.inviter_id} ({self.state})"
