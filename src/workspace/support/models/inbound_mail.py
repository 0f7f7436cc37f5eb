"""Inbound emails, stored raw for 30 days with their outcome."""

from __future__ import annotations

from datetime import timedelta

from django.db import models

from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.support.models.ticket import Ticket

RETENTION = timedelta(days=30)
JOINED, NEW, HELD, IGNORED = "joined", "new", "held", "ignored"


def _mail_id() -> str:
    return new_id("min")


class InboundMail(models.Model):
    """An email that was received.

    - `digest`: a hash of the sender and Message-ID, or of the complete email if there is none, to detect repeated
      delivery.
    - `outcome`: the result, with a `reason`. A held email waits for the administrator, an ignored one does not.
      Neither is in a ticket.
    - `size`: the size of the email; for an ignored email, `raw` is only its start.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_mail_id, editable=False)
    digest = models.CharField(max_length=64, unique=True)
    sender = models.CharField(max_length=254, blank=True)
    subject = models.CharField(max_length=200, blank=True)
    outcome = models.CharField(max_length=10, choices=[(one, one) for one in (JOINED, NEW, HELD, IGNORED)])
    reason = models.CharField(max_length=200, blank=True)
    ticket = models.ForeignKey(Ticket, on_delete=models.SET_NULL, null=True, related_name="mails")
    received_at = models.DateTimeField(default=clock.now, db_index=True)
    size = models.PositiveIntegerField()
    raw = models.BinaryField()  # the last column, so that sums of sizes need not read it

    def __str__(self) -> str:
        return f"{self.outcome} {self.id}"

    @classmethod
    def delete_expired(cls) -> int:
        """Delete old emails. Return how many were deleted."""
        gone, _ = cls.objects.filter(received_at__lt=clock.now() - RETENTION).delete()
        return gone
