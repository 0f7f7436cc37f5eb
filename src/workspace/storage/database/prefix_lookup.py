"""What begins with a text, found by an index on both databases."""

from __future__ import annotations

from django.db.models import Q

from workspace.storage.database.transactions import is_sqlite


def starts_with(column: str, text: str) -> Q:
    """SQLite's LIKE uses no index, and PostgreSQL's order is not by code points: there the column's index needs
    `varchar_pattern_ops`, or the column a prefix that few share."""
    if is_sqlite():
        return Q(**{f"{column}__gte": text, f"{column}__lt": text + "\U0010ffff"})
    return Q(**{f"{column}__startswith": text})
