"""Revisions: the exact content that a client was shown. A revision never changes and is identified by its hash."""

from __future__ import annotations

import json
from typing import Any

from django.db import models

from workspace.audit_trail.canonical_json import hash_text
from workspace.lib import clock
from workspace.products.bid.models.proposal import Proposal
from workspace.products.bid.rules.offer import Offer, load_offer
from workspace.storage.journal import ChangeDisplay, Journaled

FORMER_IMAGE_KEY = "picture_id"  # in bodies exported by version 1; their hash forbids another key


class Revision(Journaled):
    """A revision.

    `body` is canonical JSON (RFC 8785) and `hash` its SHA-256. It contains the offer without the client. Names and
    addresses are in records, as salted digests, so that they can be erased while the hash remains valid. `erased_at` is
    set when an address in the text was erased. The hash then no longer matches the body.
    """

    journal_display = ChangeDisplay.NOWHERE  # it repeats the content of the proposal

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
        """Build a revision with the proposal's current content, without saving it."""
        body = proposal.build_revision_body(number)
        return cls(proposal=proposal, number=number, body=body, hash=hash_text(body), total=proposal.total)

    @property
    def content(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.body)
        if image_id := result.pop(FORMER_IMAGE_KEY, None):
            result["image_id"] = image_id
        return result

    @property
    def offer(self) -> Offer:
        return load_offer(self.content)

    @property
    def is_intact(self) -> bool:
        """True if the body matches the hash."""
        return hash_text(self.body) == self.hash
