"""Bytes in the database, where files rest when there is no data folder that all processes share; and which keys have
sealed something in it."""

from __future__ import annotations

from django.db import models


class Blob(models.Model):
    key = models.CharField(primary_key=True, max_length=120)
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.key


class SealingKey(models.Model):
    """The name of a key, never the key itself."""

    name = models.CharField(primary_key=True, max_length=12)

    def __str__(self) -> str:
        return self.name
