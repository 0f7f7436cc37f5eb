"""Counters of attempts in time windows."""

from __future__ import annotations

from django.db import models


class RateCounter(models.Model):
    """The number of attempts at an action in a time window. The key is a hash with the day's salt."""

    key = models.CharField(primary_key=True, max_length=32)
    count = models.PositiveIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        """Return the count, and when it expires."""
        return f"{self.count} until {self.expires_at}"
