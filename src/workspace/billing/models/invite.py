"""Free months of invitations, and to whom an owner has written."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from workspace.accounts.models import Account, InvitePair
from workspace.lib import clock
from workspace.lib.ids import new_id

FRIEND, INVITER = "friend", "inviter"
# banked: kept until they pay for something; sending: on its way to the provider; returning: to be taken back there
HELD, BANKED, SENDING, CREDITED = "held", "banked", "sending", "credited"
RETURNING, GONE, DENIED = "returning", "gone", "denied"
STATES = [(one, one) for one in (HELD, BANKED, SENDING, CREDITED, RETURNING, GONE, DENIED)]
EARNED = (BANKED, SENDING, CREDITED)


def _month_id() -> str:
    return new_id("inm")


class InviteMonth(models.Model):
    """A free month of one side of a pair: `amount` in cents, which their next invoice costs less. `paid_at` is when the
    friend paid, by the provider's clock, whose year in UTC it counts for."""

    JOURNAL_SILENT: ClassVar = True

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
    """Kept for 30 days, so that nobody is written to twice."""

    JOURNAL_SILENT: ClassVar = True

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invite_mails")
    email = models.EmailField(max_length=254)
    sent_at = models.DateTimeField(default=clock.now, db_index=True)

    def __str__(self) -> str:
        return f"mail of {self.sent_at:%Y-%m-%d}"
