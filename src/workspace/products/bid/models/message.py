"""Messages between client and owner about a proposal."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.lib.text import search_key
from workspace.products.bid.models.proposal import Proposal
from workspace.publishing.models import NOT_DELETED, SoftDeleted


def _message_id() -> str:
    return new_id("msg")


class Message(SoftDeleted):
    """A message. A client's question is open until it is answered or marked as answered.

    `dedupe_key` detects a form that is submitted twice."""

    journal_item_path = "proposal"
    journal_displayed_fields = {
        **SoftDeleted.journal_displayed_fields,
        "answered_at": ("answered", bool),
        "author": ("by", None),
        "dedupe_key": ("once", None),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_message_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")  # the proposal's account
    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="messages")
    author = models.CharField(max_length=10)  # client or owner
    dedupe_key = models.CharField(max_length=64)
    name = models.CharField(max_length=120, blank=True)
    email = models.CharField(max_length=254, blank=True)
    text = models.TextField()
    search = models.TextField(default="")  # case-folded here, because SQLite's LIKE folds only ASCII
    answered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("created_at", "id")
        constraints = [models.UniqueConstraint(fields=["proposal", "dedupe_key"], name="one_message_a_form")]
        indexes = [
            models.Index(fields=["account", "-created_at", "-id"], name="bid_message_newest", condition=NOT_DELETED)
        ]

    def __str__(self) -> str:
        return f"{self.name or self.author}: {self.text[:40]}"

    @classmethod
    def build(
        cls, proposal: Proposal, *, author: str, submission_key: str, text: str, name: str = "", email: str = ""
    ) -> Message:
        """Build a message without saving it."""
        search = search_key("\n".join((name, email, text)))
        return cls(
            account=proposal.account,
            proposal=proposal,
            author=author,
            dedupe_key=submission_key,
            text=text,
            name=name,
            email=email,
            search=search,
        )
