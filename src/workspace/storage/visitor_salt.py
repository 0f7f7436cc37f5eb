"""The salt of a date: created once, the same in every process, and deleted once the date is over in all time zones."""

from __future__ import annotations

import secrets
from datetime import date, datetime, timedelta

from django.db import connection

from workspace.storage.database.transactions import write_transaction

_LAST_ZONE_OFFSET = timedelta(hours=12)  # UTC-12, where a date ends last


def get_salt(day: date) -> str:
    """Return the salt of a date.

    It is never cached, so that no copy of the salt exists after its row is deleted.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT value FROM storage_visitorsalt WHERE day = %s", [day])
        found = cursor.fetchone()
    if found is None:
        with write_transaction(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO storage_visitorsalt (day, value) VALUES (%s, %s) ON CONFLICT (day) DO NOTHING",
                [day, secrets.token_hex(32)],
            )
            cursor.execute("SELECT value FROM storage_visitorsalt WHERE day = %s", [day])
            found = cursor.fetchone()
    return str(found[0])


def oldest_date(now: datetime) -> date:
    """Return the earliest date that is the current date in any time zone.

    A date lasts 50 hours, from UTC+14 to UTC-12.
    """
    return (now - _LAST_ZONE_OFFSET).date()
