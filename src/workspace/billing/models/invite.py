"""Free months of invite rewards, and invitations sent by email."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account, InvitePair
from workspace.lib import clock
from workspace.lib.ids import new_id

FRIEND, INVITER = "friend", "inviter"
# BANKED: waits until the account pays. SENDING: being credited at the provider. RETURNING: to be revoked there.
HELD, BANKED, SENDING, CREDITED = "held", "banked", "sending", "credited"
RETURNING, GONE, DENIED = "returning", "gone", "denied"
STATES = [(one, one) for one in (HELD, BANKED, SENDING, CREDITED, RETURNING, GONE, DENIED)]
EARNED = (BANKED, SENDING, CREDITED)


def _month_id() -> str:
    return new_id("inm")


class InviteMonth(models.Model):
    """A free month of one side of a pair.

    `amount` in cents is credited to the next invoice. `paid_at` is when the friend paid, as reported by the provider.
    The month counts for that year in UTC.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_month_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invite_months")
    pair = models.ForeignKey(InvitePair, on_delete=models.SET_NULL, null=True, related_name="months")
    side = models.CharField(max_length=10, choices=[(FRIEND, FRIEND), (INVITER, INVITER)])
    state = models.CharField(max_length=10, choices=STATES)
    product = models.CharField(max_length=20)
    plan = models.CharField(max_length=20)
    amount = models.PositiveIntegerField()
    paid_at = models.DateTimeField()
    reference = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [models.UniqueConstraint(fields=["pair", "side"], name="one_free_month_a_side")]

    def __str__(self) -> str:
        return f"{self.side} {self.amount} ({self.state})"


class InviteMail(models.Model):
    """An invitation sent by email, stored for 30 days, so that no one is invited twice."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invite_mails")
    email = models.EmailField(max_length=254)
    sent_at = models.DateTimeField(default=clock.now, db_index=True)

    def __str__(self) -> str:
        return f"mail of {self.sent_at:%Y-%m-%d}"
