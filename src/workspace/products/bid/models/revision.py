"""What a client was shown, word for word: it never changes, and its hash tells it from any other."""

from __future__ import annotations

import json
from typing import Any

from django.db import models

from workspace.audit_trail.canonical_json import hash_text, to_canonical_json
from workspace.lib import clock
from workspace.products.bid.models.proposal import MEDIA_FIELDS, OFFER_FIELDS, Proposal
from workspace.products.bid.rules.offer import Offer, load_offer

FORMAT = "workspace-tools proposal 1"


class Revision(models.Model):
    """`body` is canonical JSON (RFC 8785) and `hash` its SHA-256. It holds what is offered and not to whom: a person's
    name and address stand in records by salted digests, so that they can be erased while the hash holds. `erased_at`:
    an address within the words was erased, so the body is not any more what the hash is of."""

    JOURNAL_SILENT = True  # it is the proposal's own words once more

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    body = models.TextField()
    hash = models.CharField(max_length=64)
    total = models.BigIntegerField()
    created_at = models.DateTimeField(default=clock.now)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["proposal", "number"], name="one_revision_a_number")]

    def __str__(self) -> str:
        return f"Revision {self.number}"

    @classmethod
    def from_proposal(cls, proposal: Proposal, number: int) -> Revision:
        """What the proposal says now; not saved."""
        body = to_canonical_json(
            {
                "format": FORMAT,
                "id": proposal.pk,
                "number": proposal.number,
                "revision": number,
                "valid_until": proposal.valid_until.isoformat(),
                **{name: getattr(proposal, name) for name in OFFER_FIELDS},
                **{name: seen for name in MEDIA_FIELDS if (seen := getattr(proposal, name))},
            }
        )
        return cls(proposal=proposal, number=number, body=body, hash=hash_text(body), total=proposal.total)

    @property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def offer(self) -> Offer:
        return load_offer(self.content)

    @property
    def is_intact(self) -> bool:
        """Whether the body is what the hash was made of."""
        return hash_text(self.body) == self.hash
