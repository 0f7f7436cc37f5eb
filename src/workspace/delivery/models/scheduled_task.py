"""Scheduled tasks: one of several workers claims a task, and the others see when it is due again."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection, models

from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

LEASE_SECONDS = 600.0  # after which a task is claimed again if its worker was killed
EARLY_FRACTION = 0.1  # of its interval: clocks differ, and a worker that checks slightly early would skip a turn

_CLAIM_SQL = """
INSERT INTO delivery_scheduledtask (name, due_at) VALUES (%s, %s)
ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at WHERE delivery_scheduledtask.due_at <= %s
RETURNING name
"""


class ScheduledTask(models.Model):
    """A scheduled task and when it is due."""

    name = models.CharField(primary_key=True, max_length=100)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name

    @classmethod
    def claim(cls, name: str, seconds: float) -> bool:
        """Claim a task if it is due and unclaimed. Return whether it was claimed. Call `reschedule` when it is done."""
        now = clock.now()
        if cls.objects.filter(pk=name, due_at__gt=now).exists():
            return False
        until = now + timedelta(seconds=min(seconds, LEASE_SECONDS))
        adapt = connection.ops.adapt_datetimefield_value
        with write_transaction(relaxed=True), connection.cursor() as cursor:
            cursor.execute(_CLAIM_SQL, [name, adapt(until), adapt(now)])
            return cursor.fetchone() is not None

    @classmethod
    def reschedule(cls, name: str, seconds: float) -> None:
        """Make the task due again in `seconds`."""
        due = clock.now() + timedelta(seconds=seconds * (1 - EARLY_FRACTION))
        with write_transaction(relaxed=True):
            cls.objects.filter(pk=name).update(due_at=due)
