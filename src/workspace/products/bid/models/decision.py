"""Decisions about a proposal, by its client or the owner. Only one is valid at a time; reopened ones are retained."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.products.bid.models.proposal import Proposal
from workspace.products.bid.models.revision import Revision
from workspace.storage.journal import Journaled

CLIENT_ACTOR, OWNER_ACTOR = "client", "owner"
# why a client declines, in the client's words
DECLINE_REASONS = {
    "price": _("The price"),
    "timing": _("The timing"),
    "scope": _("It isn’t what I need"),
    "other_offer": _("I chose another provider"),
    "other": _("Something else"),
}


class DecisionOutcome(models.TextChoices):
    APPROVED = "approved"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


def _decision_id() -> str:
    return new_id("dec")


class Decision(Journaled):
    """A decision.

    `selection` and `totals` are the agreed ones, with totals in minor units. `record` is the decision's id in the audit
    trail. Name, email and strokes are stored here for display and are erased with the person. `pdf_sha256` is the hash
    of the signed copy, which is stored under `pdf_key`.
    """

    journal_displayed_fields = {
        "decided_by": ("by", None),
        "is_current": ("stands", None),
        "created_at": ("at", None),
        "signature_strokes": ("drawn", None),
        "comment": ("words", None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_decision_id, editable=False)
    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="decisions")
    # not PROTECT: deleting an account deletes both at once
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="decisions")
    outcome = models.CharField(max_length=10, choices=DecisionOutcome.choices)
    decided_by = models.CharField(max_length=10, choices=[(CLIENT_ACTOR, "Client"), (OWNER_ACTOR, "Owner")])
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=clock.now)
    name = models.CharField(max_length=120, blank=True)
    email = models.CharField(max_length=254, blank=True)
    verified = models.BooleanField(default=False)  # a one-time code confirmed the email address
    signature_strokes: models.JSONField[list[Any], list[Any]] = models.JSONField(default=list, blank=True)
    consent = models.TextField(blank=True)
    consent_version = models.CharField(max_length=20, blank=True)
    selection: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    totals: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=20, blank=True)
    comment = models.TextField(blank=True)  # the client's reason or the owner's note
    language = models.CharField(max_length=8, blank=True)
    record = models.CharField(max_length=40, blank=True)
    pdf_key = models.CharField(max_length=60, blank=True)
    pdf_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    pdf_size = models.PositiveIntegerField(default=0)
    sealed_at = models.DateTimeField(null=True, blank=True)
    deposit_paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("created_at", "id")
        constraints = [
            models.UniqueConstraint(fields=["proposal"], condition=Q(is_current=True), name="one_current_decision")
        ]

    def __str__(self) -> str:
        return f"{self.get_outcome_display()} by the {self.decided_by}"
