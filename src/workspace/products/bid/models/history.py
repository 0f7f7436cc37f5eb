"""The events of a proposal, in order, for its status history and the owner's timeline."""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.lib import clock
from workspace.products.bid.models.proposal import Proposal
from workspace.storage.journal import ChangeDisplay, Journaled


class EventKind(models.TextChoices):
    SENT = "sent"
    MAILED = "mailed"
    REVISED = "revised"
    VIEWED = "viewed"
    REMINDED = "reminded"
    ASKED = "asked"
    ANSWERED = "answered"
    CODE_SENT = "code_sent"
    CODE_RIGHT = "code_right"
    CODE_WRONG = "code_wrong"
    APPROVED = "approved"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    REOPENED = "reopened"
    SEALED = "sealed"
    DOWNLOADED = "downloaded"
    DEPOSIT_PAID = "deposit_paid"
    DEPOSIT_COMING = "deposit_coming"
    DEPOSIT_FAILED = "deposit_failed"
    DEPOSIT_BACK = "deposit_back"
    BOUNCED = "bounced"
    QUIET = "quiet"  # the client wants no reminders


class BidEvent(Journaled):
    """An event.

    `actor` is owner, client or service. `status` is the status after it. `details` has additional data: a device, the
    seconds on a page, the id of a record. It contains no personal data.
    """

    journal_display = ChangeDisplay.NOWHERE

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=14, choices=EventKind.choices)
    actor = models.CharField(max_length=10)
    status = models.CharField(max_length=10)
    revision = models.PositiveIntegerField(default=1)
    details: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("created_at", "id")
        indexes = [models.Index(fields=["proposal", "created_at"], name="bid_event_in_order")]

    def __str__(self) -> str:
        return self.kind

    @classmethod
    def record_event(cls, proposal: Proposal, kind: EventKind, actor: str, **fields: Any) -> BidEvent:
        return cls.objects.create(
            proposal=proposal,
            kind=kind,
            actor=actor,
            status=proposal.status,
            revision=proposal.revision,
            details=fields,
        )
