"""Looking up a public address with one SQL statement and without models.

It runs before Django, where the query compiler and models would cost more than everything else.
"""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from django.db import connection, models

from workspace.lib import clock

# Placeholders that are replaced at each call.
SLUG_PLACEHOLDER = "\x1fslug"
NOW_PLACEHOLDER = datetime(9000, 1, 1, tzinfo=UTC)

Row = tuple[Any, ...]


class AddressLookup:
    """A query that Django compiles once. `find_first(slug)` runs it."""

    def __init__(self, rows: models.QuerySet[Any, Any]) -> None:
        """Compile a `values_list` query with SLUG_PLACEHOLDER and NOW_PLACEHOLDER in its conditions."""
        text, given = rows[:1].query.sql_with_params()
        self.text, self.raw = text, text % (("?",) * len(given))
        now = connection.ops.adapt_datetimefield_value(NOW_PLACEHOLDER)
        self._given = [
            SLUG_PLACEHOLDER if one == SLUG_PLACEHOLDER else NOW_PLACEHOLDER if one in (NOW_PLACEHOLDER, now) else one
            for one in given
        ]

    def find_first(self, slug: str, reader: SqliteReader | None = None) -> Row | None:
        """Return the columns of the first matching row as the database returns them, or None.

        Slugs are compared in lower case.
        """
        now = connection.ops.adapt_datetimefield_value(clock.now())
        values = [
            slug.lower() if one is SLUG_PLACEHOLDER else now if one is NOW_PLACEHOLDER else one for one in self._given
        ]
        if reader is not None:
            return reader.fetch_first(self.raw, values)
        with connection.cursor() as cursor:
            cursor.execute(self.text, values)
            found: Row | None = cursor.fetchone()
            return found


class SqliteReader:
    """A read-only connection to the SQLite file for the event loop.

    A query on cached data takes microseconds, less than a switch to a thread. A reader never waits for a writer.
    """

    def __init__(self) -> None:
        self._own = threading.local()

    def fetch_first(self, text: str, values: list[Any]) -> Row | None:
        found: Row | None = self._connection().execute(text, values).fetchone()
        return found

    def _connection(self) -> sqlite3.Connection:
        open_ = getattr(self._own, "connection", None)
        if open_ is None:
            file = f"file:{quote(str(connection.settings_dict['NAME']))}?mode=ro"
            open_ = sqlite3.connect(file, uri=True, timeout=0, isolation_level=None, cached_statements=64)
            for pragma in ("cache_size=-16000", "mmap_size=134217728"):
                open_.execute(f"PRAGMA {pragma}")
            self._own.connection = open_
        return open_

    def close(self) -> None:
        """Close the connection of this thread. The next query opens another one."""
        open_ = self._own.__dict__.pop("connection", None)
        if open_ is not None:
            open_.close()
