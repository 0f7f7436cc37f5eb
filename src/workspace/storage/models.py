"""What the installation keeps beside its accounts: files where no data folder is shared, which keys have sealed
something, and facts about itself."""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.storage.database import writing
from workspace.toolkit import clock


class Blob(models.Model):
    key = models.CharField(primary_key=True, max_length=120)
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.key


class BlobPiece(models.Model):
    """What follows a blob's first piece, of files that nobody is to hold whole."""

    blob = models.ForeignKey(Blob, on_delete=models.CASCADE, related_name="pieces")
    place = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["blob", "place"], name="one_piece_a_place")]

    def __str__(self) -> str:
        return f"{self.blob_id}: {self.place}"


class Cached(models.Model):
    """Rows of Django's `DatabaseCache`, which knows the table by name: see `shared_cache`."""

    cache_key = models.CharField(primary_key=True, max_length=255)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.cache_key


class SealingKey(models.Model):
    """The name of a key, never the key itself."""

    name = models.CharField(primary_key=True, max_length=12)

    def __str__(self) -> str:
        return self.name


class Fact(models.Model):
    """What the installation knows of itself from one start to the next, and what its processes tell one another: the
    address that codes were printed with, that mail does not leave. In the database, since it comes along with a backup,
    to another machine and to every process."""

    name = models.CharField(primary_key=True, max_length=40)
    value: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def recall(cls, name: str) -> dict[str, Any] | None:
        return cls.objects.filter(pk=name).values_list("value", flat=True).first()

    @classmethod
    def remember(cls, name: str, value: dict[str, Any]) -> None:
        with writing():
            cls.objects.update_or_create(pk=name, defaults={"value": value, "at": clock.now()})

    @classmethod
    def forget(cls, name: str) -> bool:
        """Whether there was anything to forget."""
        if not cls.objects.filter(pk=name).exists():  # which is no reason to write
            return False
        with writing():
            return cls.objects.filter(pk=name).delete()[0] > 0
