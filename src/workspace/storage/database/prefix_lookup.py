"""Prefix lookups that can use an index on both databases."""

from __future__ import annotations

from django.db.models import Q

from workspace.storage.database.transactions import is_sqlite


def starts_with(column: str, text: str) -> Q:
    """Return a condition for a prefix.

    SQLite's LIKE does not use an index, and PostgreSQL does not sort by code points. On PostgreSQL, the column's index
    needs `varchar_pattern_ops`, or the prefix must be rare.
    """
    if is_sqlite():
        return Q(**{f"{column}__gte": text, f"{column}__lt": text + "\U0010ffff"})
    return Q(**{f"{column}__startswith": text})
