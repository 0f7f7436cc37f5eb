"""Calls a day, counted exactly: one statement both asks whether a call is left and takes it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, models

from workspace.storage.database import writing
from workspace.toolkit import clock

# An upsert whose WHERE refuses the update at the limit: then no row comes back. Parallel calls queue on the row.
_TAKE = """
INSERT INTO accounts_meter (bucket, day, used, last_used_at) VALUES (%s, %s, 1, %s)
ON CONFLICT (bucket) DO UPDATE SET
  used = CASE WHEN accounts_meter.day = excluded.day THEN accounts_meter.used + 1 ELSE 1 END,
  day = excluded.day, last_used_at = excluded.last_used_at
WHERE accounts_meter.day <> excluded.day OR accounts_meter.used < %s
RETURNING used
"""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a day: `limit` and `left` calls, `resets_in` seconds until midnight in UTC."""

    limit: int
    left: int
    resets_in: int
    granted: bool


class Meter(models.Model):
    """One bucket: a key (`key:ID`), or an account with an OAuth client (`oauth:ACCOUNT:CLIENT`)."""

    bucket = models.CharField(primary_key=True, max_length=200)
    day = models.DateField()
    used = models.PositiveIntegerField()
    last_used_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.bucket}: {self.used} on {self.day}"

    @staticmethod
    def take(bucket: str, limit: int) -> Allowance:
        """Take one call from the bucket, in a transaction of its own: a call counts even when it is refused."""
        moment = clock.now()
        day, stamp = (
            (moment.date().isoformat(), moment.replace(tzinfo=None).isoformat(" "))
            if connection.vendor == "sqlite"
            else (moment.date(), moment)
        )
        with writing(relaxed=True), connection.cursor() as cursor:
            cursor.execute(_TAKE, [bucket, day, stamp, limit])
            row = cursor.fetchone()
        used = row[0] if row else limit
        return Allowance(limit, max(0, limit - used), clock.seconds_to_midnight(), granted=row is not None)
