"""Tables of the audit trail: a chain per account, its records, and personal values.

Records contain only digests of personal values."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage.database.compiled_write import CompiledModel


def _chain_id() -> str:
    return new_id("chn")


class Chain(CompiledModel):
    """A chain of records.

    `count` and `head` (the hash of the newest record) are the end of the chain. The end is retained longer than its
    account, without personal data, so that exports can still be verified.

    An older export can be imported and continue under the same id. A row without an account then stores the end of the
    earlier chain, with its id in `former_id`. In all other rows, `former_id` is empty.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_chain_id, editable=False)
    account = models.OneToOneField(Account, null=True, on_delete=models.SET_NULL, related_name="chain")
    count = models.PositiveBigIntegerField(default=0)
    head = models.CharField(max_length=64)
    closed_at = models.DateTimeField(null=True, blank=True)
    former_id = models.CharField(max_length=40, default="", blank=True, editable=False, db_index=True)

    def __str__(self) -> str:
        return self.pk


class Record(CompiledModel):
    """A record of a chain.

    `body` is the canonical JSON that is hashed to `hash`. `number` starts at 1. `number`, `kind`, `thing` and
    `created_at` are copies from the body. The body contains `digests` of personal values, which are stored in separate
    rows."""

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


class PersonalValue(CompiledModel):
    """A personal value of a record.

    `person` distinguishes the people of a record, and all values of a person are erased together. An erased row has
    neither value nor salt, only the time of the erasure.
    """

    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="personal_values")
    person = models.CharField(max_length=60)
    name = models.CharField(max_length=60)
    value = models.TextField(null=True)
    salt = models.CharField(max_length=32, null=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["record", "person", "name"], name="one_value_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.person}.{self.name}"
