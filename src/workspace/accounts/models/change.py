"""What was done in an account: one row a write, with who and how, what was before, and the journal that takes it back.

A row stays for 400 days as a line to read; what it needs to be taken back is kept for 30.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Cast

from workspace.accounts.models.account import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage.journal import JournalEntry

UNDO_PERIOD = timedelta(days=30)
RETENTION = timedelta(days=400)
MAX_TEXT_LENGTH = 300


def _change_id() -> str:
    return new_id("chg")


class Change(models.Model):
    """`actor_key` is whose newest change an undo without a name takes back: a person, a key or a client; `actor_name` says it to
    people. `final_note` says why the change cannot be taken back, empty where it can."""

    id = models.CharField(primary_key=True, max_length=40, default=_change_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="changes")
    created_at = models.DateTimeField(default=clock.now)
    actor_key = models.CharField(max_length=200)
    actor_name = models.CharField(max_length=200)
    channel = models.CharField(max_length=10)
    tool = models.CharField(max_length=64)
    area = models.CharField(
        max_length=12, blank=True
    )  # the product's key, or what else `accounts/permissions.py` knows
    item_kind = models.CharField(max_length=12, blank=True)
    item_id = models.CharField(max_length=40, blank=True)
    summary = models.CharField(max_length=MAX_TEXT_LENGTH)
    previous: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, encoder=DjangoJSONEncoder
    )
    journal: models.JSONField[list[JournalEntry], list[JournalEntry]] = models.JSONField(default=list)
    final_note = models.CharField(max_length=MAX_TEXT_LENGTH, blank=True)
    undone_by = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="undoes")

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = [
            models.Index(fields=["account", "-created_at", "-id"], name="changes_newest_first"),
            models.Index(fields=["account", "item_id", "-created_at", "-id"], name="changes_of_an_item"),
        ]

    def __str__(self) -> str:
        return f"{self.tool} at {self.created_at}"

    @staticmethod
    def new_id() -> str:
        return _change_id()

    @property
    def can_be_undone(self) -> bool:
        return bool(self.journal) and not self.final_note and self.undone_by_id is None

    @classmethod
    def ids_needed_for_undo(cls, accounts: Collection[str], names: re.Pattern[str]) -> set[str]:
        """The ids of this form that an undo would need, in the changes of these accounts."""
        kept = cls.objects.filter(account_id__in=accounts).exclude(journal=[])
        texts = kept.annotate(noted=Cast("journal", models.TextField())).values_list("noted", flat=True)
        return {id for text in texts.iterator(chunk_size=200) for id in names.findall(text)}

    @classmethod
    def expire_old(cls) -> int:
        """Housekeeping: what is too old to be taken back keeps its line, and goes at the end of its time."""
        now = clock.now()
        past = cls.objects.filter(created_at__lt=now - UNDO_PERIOD).exclude(journal=[], previous={})
        past.update(journal=[], previous={}, final_note="More than 30 days have passed")
        return cls.objects.filter(created_at__lt=now - RETENTION).delete()[0]
