"""The change log of an account: one row for each write, with actor, previous values and journal.

Rows are deleted after 400 days. Previous values and journals, which undo needs, are deleted after 30 days.
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
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.journal import JournalEntry

UNDO_PERIOD = timedelta(days=30)
RETENTION = timedelta(days=400)
MAX_TEXT_LENGTH = 300


def _change_id() -> str:
    return new_id("chg")


class Change(CompiledModel):
    """One write to an account.

    - `actor_key`: the person, key or client who made the change. An undo without an id finds changes by it.
    - `actor_name`: the actor's display name.
    - `final_note`: why the change cannot be undone; empty if it can.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_change_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="changes")
    created_at = models.DateTimeField(default=clock.now)
    actor_key = models.CharField(max_length=200)
    actor_name = models.CharField(max_length=200)
    channel = models.CharField(max_length=10)
    tool = models.CharField(max_length=64)
    area = models.CharField(max_length=12, blank=True)  # key of a product, or an area of `accounts/permissions.py`
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
        """Return the ids that match the pattern and are needed to undo these accounts' changes."""
        kept = cls.objects.filter(account_id__in=accounts).exclude(journal=[])
        texts = kept.annotate(noted=Cast("journal", models.TextField())).values_list("noted", flat=True)
        return {id for text in texts.iterator(chunk_size=200) for id in names.findall(text)}

    @classmethod
    def expire_old(cls) -> int:
        """Remove undo data from changes after 30 days, and delete changes after 400 days."""
        now = clock.now()
        past = cls.objects.filter(created_at__lt=now - UNDO_PERIOD).exclude(journal=[], previous={})
        past.update(journal=[], previous={}, final_note="It is more than 30 days old")
        return cls.objects.filter(created_at__lt=now - RETENTION).delete()[0]
