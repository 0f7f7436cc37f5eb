"""What is at an address, by one statement and without a model: for the ways in ahead of Django, where both would cost
more than all the rest."""

from __future__ import annotations

import sqlite3
import threading
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from django.db import connection, models

from workspace.lib import clock

# stand for what is put in at each call
SLUG_PLACEHOLDER = "\x1fslug"
NOW_PLACEHOLDER = datetime(9000, 1, 1, tzinfo=UTC)

Row = tuple[Any, ...]


class AddressLookup:
    """A query that Django has put into words once; `first(slug)` runs it."""

    def __init__(self, rows: models.QuerySet[Any, Any]) -> None:
        """`rows` as from `values_list`, with SLUG and NOW in its conditions."""
        text, given = rows[:1].query.sql_with_params()
        self.text, self.raw = text, text % (("?",) * len(given))
        now = connection.ops.adapt_datetimefield_value(NOW_PLACEHOLDER)
        self._given = [
            SLUG_PLACEHOLDER if one == SLUG_PLACEHOLDER else NOW_PLACEHOLDER if one in (NOW_PLACEHOLDER, now) else one
            for one in given
        ]

    def find_first(self, slug: str, reader: SqliteReader | None = None) -> Row | None:
        """The row's columns as the database has them, None when nothing is there. Slugs are compared in lower case."""
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
    """A connection to the SQLite file that only reads, for the event loop: what is kept in memory is found in some
    microseconds, less than asking a thread costs. A reader waits for no writer."""

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
        """The one of this thread; the next question opens another."""
        open_ = self._own.__dict__.pop("connection", None)
        if open_ is not None:
            open_.close()
