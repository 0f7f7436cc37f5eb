"""Tables of the instance, which belong to no account: files without a shared folder, used encryption keys and facts."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any, ClassVar

from django.db import models

from workspace.lib import clock
from workspace.lib.redaction import mask_addresses
from workspace.storage.database.transactions import write_transaction


class Blob(models.Model):
    key = models.CharField(primary_key=True, max_length=120)
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.key


class BlobPiece(models.Model):
    """A piece of a large file after its first one, so that the file is never fully in memory."""

    blob = models.ForeignKey(Blob, on_delete=models.CASCADE, related_name="pieces")
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["blob", "position"], name="one_piece_a_position")]

    def __str__(self) -> str:
        return f"{self.blob_id}: {self.position}"


class CacheEntry(models.Model):
    """Rows of Django's `DatabaseCache`, which refers to the table by name. See `shared_cache`."""

    cache_key = models.CharField(primary_key=True, max_length=255)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.cache_key


class SealingKey(models.Model):
    """The name of an encryption key, never the key itself."""

    name = models.CharField(primary_key=True, max_length=12)

    def __str__(self) -> str:
        return self.name


class InstanceFact(models.Model):
    """A fact about the instance that is stored between starts and shared between processes.

    Examples are the URL in printed QR codes, or an email outage. Facts are in the database, so that they are part of
    backups and available to every process and on a new machine.
    """

    name = models.CharField(primary_key=True, max_length=40)
    value: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    updated_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def get_value(cls, name: str) -> dict[str, Any] | None:
        return cls.objects.filter(pk=name).values_list("value", flat=True).first()

    @classmethod
    def set_value(cls, name: str, value: dict[str, Any]) -> None:
        with write_transaction():
            cls.objects.update_or_create(pk=name, defaults={"value": value, "updated_at": clock.now()})

    @classmethod
    def delete_value(cls, name: str) -> bool:
        """Delete a fact. Return whether it existed."""
        if not cls.objects.filter(pk=name).exists():  # avoids a write
            return False
        with write_transaction():
            return cls.objects.filter(pk=name).delete()[0] > 0


class SetAside(models.Model):
    """A row that a scheduled task could not handle, with the error.

    It is tried again at `next_at`. An empty `row` means that the task as a whole failed."""

    RETRY_DELAYS: ClassVar = (timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=3), timedelta(hours=24))
    MAX_ERROR_LENGTH = 500
    RETENTION: ClassVar = timedelta(days=30)  # after the last attempt; a row that still fails is tried daily

    task = models.CharField(max_length=100)
    row = models.CharField(max_length=200, blank=True)
    error = models.CharField(max_length=MAX_ERROR_LENGTH)
    attempts = models.PositiveIntegerField(default=1)
    failing_since = models.DateTimeField(default=clock.now)
    failed_at = models.DateTimeField(default=clock.now)
    next_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "row"], name="set_aside_once")]

    def __str__(self) -> str:
        return f"{self.task} {self.row}".strip()

    @classmethod
    def rows_for_task(cls, task: str) -> tuple[set[str], set[str]]:
        """Return the rows to skip for now and the rows to try again."""
        now = clock.now()
        found = list(cls.objects.filter(task=task).exclude(row="").values_list("row", "next_at"))
        return {row for row, at in found if at > now}, {row for row, at in found if at <= now}

    @classmethod
    def record_failure(cls, task: str, row: str, error: str) -> None:
        """Set a row aside, or record that it failed again."""
        now = clock.now()
        with write_transaction():
            found = cls.objects.filter(task=task, row=row).first() or cls(task=task, row=row, attempts=0)
            found.attempts, found.failed_at = found.attempts + 1, now
            found.next_at = now + cls.RETRY_DELAYS[min(found.attempts, len(cls.RETRY_DELAYS)) - 1]
            found.error = mask_addresses(error.replace("\0", ""))[: cls.MAX_ERROR_LENGTH]
            found.save()

    @classmethod
    def clear_rows(cls, task: str, rows: Collection[str]) -> None:
        """Delete the records of rows that were handled, or that need no further work."""
        found = cls.objects.filter(task=task, row__in=rows)
        if rows and found.exists():  # avoids a write
            with write_transaction():
                found.delete()

    @classmethod
    def delete_expired(cls) -> int:
        """Delete records without an attempt for 30 days, because their task no longer exists."""
        with write_transaction():
            return cls.objects.filter(failed_at__lt=clock.now() - cls.RETENTION).delete()[0]

    @classmethod
    def schedule_retry(cls, ids: Collection[int]) -> int:
        """Schedule these rows for the next run of their task. Return how many there are."""
        with write_transaction():
            return cls.objects.filter(pk__in=ids).update(next_at=clock.now())


class VisitorSalt(models.Model):
    """The secret of one date.

    A date is current somewhere on Earth for 50 hours, from UTC+14 to UTC-12. Once the salt is deleted, the day's hashes
    cannot be linked to anyone.
    """

    day = models.DateField(primary_key=True)
    value = models.CharField(max_length=64)

    def __str__(self) -> str:
        return str(self.day)
