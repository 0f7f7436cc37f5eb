"""The day's salt: drawn once, the same in every process, gone with the day."""

from __future__ import annotations

import secrets
from datetime import date

from django.db import connection

from workspace.publishing.models import Salt
from workspace.storage.database import writing


def salt_of(day: date) -> str:
    """Never held in memory from one call to the next: once the row is deleted, nobody knows the salt."""
    found = Salt.objects.filter(pk=day).values_list("value", flat=True).first()
    if found is not None:
        return found
    with writing(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO publishing_salt (day, value) VALUES (%s, %s) ON CONFLICT (day) DO NOTHING",
            [connection.ops.adapt_datefield_value(day), secrets.token_hex(32)],
        )
    return Salt.objects.values_list("value", flat=True).get(pk=day)
