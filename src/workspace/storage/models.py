"""Bytes in the database: where files rest when there is no data folder that all processes share."""

from __future__ import annotations

from django.db import models


class Blob(models.Model):
    key = models.CharField(primary_key=True, max_length=120)
    content = models.BinaryField()

    def __str__(self) -> str:
        return self.key
