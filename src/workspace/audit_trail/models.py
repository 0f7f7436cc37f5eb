"""A chain an account, its records, and the personal values that these tell of by digests only."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id


def _chain_id() -> str:
    return new_id("chn")


class Chain(models.Model):
    """`count` and `head` (the hash of the newest record) are the end of the chain. It outlives its account, and names
    nobody: an export can still be told to be the one that stood here.

    An older export can come back and continue under the same id. A row without an account then keeps the other end:
    `former_id` is that id, and empty for a chain itself.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_chain_id, editable=False)
    account = models.OneToOneField(Account, null=True, on_delete=models.SET_NULL, related_name="chain")
    count = models.PositiveBigIntegerField(default=0)
    head = models.CharField(max_length=64)
    closed_at = models.DateTimeField(null=True, blank=True)
    former_id = models.CharField(max_length=40, default="", blank=True, editable=False, db_index=True)

    def __str__(self) -> str:
        return self.pk


class Record(models.Model):
    """`body` is the canonical JSON that `hash` is of; `number` counts from 1, and is the body's, as `kind`, `thing` and
    `created_at` are. `digests` of personal values stand in the body, the values in rows of their own."""

    id = models.CharField(primary_key=True, max_length=40, editable=False)
    chain = models.ForeignKey(Chain, on_delete=models.CASCADE, related_name="records")
    number = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=60)
    thing = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    body = models.TextField()
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chain", "number"], name="one_record_a_number")]
        indexes = [models.Index(fields=["chain", "thing", "number"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class PersonalValue(models.Model):
    """One value of a person in a record. `person` parts those of one record: what is one's is erased together. Once it
    is erased, value and salt are gone and the row says when."""

    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="personal_values")
    person = models.CharField(max_length=60)
    name = models.CharField(max_length=60)
    value = models.TextField(null=True)
    salt = models.CharField(max_length=32, null=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    JOURNAL_SECRET = ("salt",)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["record", "person", "name"], name="one_value_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.person}.{self.name}"
