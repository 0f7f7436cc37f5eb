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
from workspace.storage.journal import JournalEntry

UNDO_PERIOD = timedelta(days=30)
RETENTION = timedelta(days=400)
MAX_TEXT_LENGTH = 300


def _change_id() -> str:
    return new_id("chg")


class Change(models.Model):
    """One write to an account.

    - `actor`: key of the person, key or client whose changes an undo without an id finds.
    - `who`: the actor's name for people.
    - `final`: why the change cannot be undone; empty if it can.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_change_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="changes")
    at = models.DateTimeField(default=clock.now)
    actor = models.CharField(max_length=200)
    who = models.CharField(max_length=200)
    face = models.CharField(max_length=10)
    tool = models.CharField(max_length=64)
    whose = models.CharField(max_length=12, blank=True)  # key of a product, or an area of `accounts/permissions.py`
    thing_kind = models.CharField(max_length=12, blank=True)
    thing_id = models.CharField(max_length=40, blank=True)
    text = models.CharField(max_length=MAX_TEXT_LENGTH)
    before: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    entries: models.JSONField[list[JournalEntry], list[JournalEntry]] = models.JSONField(default=list)
    final = models.CharField(max_length=MAX_TEXT_LENGTH, blank=True)
    undone_by = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="undoes")

    class Meta:
        ordering = ("-at", "-id")
        indexes = [
            models.Index(fields=["account", "-at", "-id"], name="changes_newest_first"),
            models.Index(fields=["account", "thing_id", "-at", "-id"], name="changes_of_a_thing"),
        ]

    def __str__(self) -> str:
        return f"{self.tool} at {self.at}"

    @staticmethod
    def new_id() -> str:
        return _change_id()

    @property
    def can_be_undone(self) -> bool:
        return bool(self.entries) and not self.final and self.undone_by_id is None

    @classmethod
    def ids_needed_for_undo(cls, accounts: Collection[str], names: re.Pattern[str]) -> set[str]:
        """Return the ids that match the pattern and that an undo of these accounts' changes would need."""
        kept = cls.objects.filter(account_id__in=accounts).exclude(entries=[])
        texts = kept.annotate(noted=Cast("entries", models.TextField())).values_list("noted", flat=True)
        return {id for text in texts.iterator(chunk_size=200) for id in names.findall(text)}

    @classmethod
    def expire_old(cls) -> int:
        """Remove the undo data of changes after 30 days, and delete them after 400 days."""
        now = clock.now()
        past = cls.objects.filter(at__lt=now - UNDO_PERIOD).exclude(entries=[], before={})
        past.update(entries=[], before={}, final="More than 30 days have passed")
        return cls.objects.filter(at__lt=now - RETENTION).delete()[0]
