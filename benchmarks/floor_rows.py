"""The rows that the service writes for a visit and for a call, written with raw statements."""

from __future__ import annotations

import hashlib
import secrets
import string
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from floor_database import Database


def counter(database: Database) -> Callable[[str, str, Any], None]:
    """Return a function that writes a visit in a separate transaction."""

    def visit(publication: str, event: str, scope: Any) -> None:
        now = datetime.now(UTC).replace(tzinfo=None)
        day, moment = str(now.date()), str(now)
        agent = dict(scope["headers"]).get(b"user-agent", b"")
        visitor = hashlib.blake2b(scope["client"][0].encode() + agent, digest_size=16).hexdigest()
        key = hashlib.blake2b((visitor + publication + event).encode(), digest_size=16).hexdigest()
        hours = [0] * 24
        hours[now.hour] = 1
        with database.writing():
            row = (publication, event, "", moment, day, False, "phone", "Unknown", "Unknown", "", visitor)
            database.changed(VISIT, row)
            fresh = database.changed(SEEN, (key, day))
            tally = database.fetch_one(SUMS, (publication, event, "", 1, fresh, 0, moment))[0]
            database.changed(DAY, (tally, day, f"{day} 00:00:00", 1, fresh, 0, *hours))
            given: list[object] = []
            for dimension, value in DIMENSIONS:
                given += (tally, dimension, value, 1, fresh, day)
            facets = database.all(FACETS, given)
            slots = [part for id, count, uniques in facets for part in (id, day, count - 1, uniques - fresh)]
            database.changed(SLOTS, slots)

    return visit


def writer(database: Database, rows: list[dict[str, Any]]) -> Callable[[], None]:
    """Return a function that writes rows like those of a call in a transaction.

    `rows` are {table, columns, values}. `new` are the texts in their values that must differ between calls.
    """
    statements = [
        (
            f"INSERT INTO {row['table']} ({', '.join(row['columns'])}) VALUES ({', '.join('?' * len(row['columns']))})",
            [
                (value, [old for old in row["new"] if isinstance(value, str) and old in value])
                for value in row["values"]
            ],
        )
        for row in rows
    ]
    all_new = sorted({old for row in rows for old in row["new"]})

    def write() -> None:
        fresh = {old: _like(old) for old in all_new}
        with database.writing():
            for text, values in statements:
                given = []
                for value, olds in values:
                    for old in olds:
                        value = value.replace(old, fresh[old])
                    given.append(value)
                database.changed(text, given)

    return write


def _like(old: str) -> str:
    """Return another id of the same kind, or another slug. Letters avoid duplicates among thousands."""
    kind, line, rest = old.rpartition("_")
    return kind + line + "".join(secrets.choice(_LETTERS) for _ in rest)


def _values(columns: int, count: int = 1) -> str:
    return ", ".join([f"({', '.join('?' * columns)})"] * count)


_LETTERS = string.ascii_lowercase + string.digits
HOURS = [f"h{hour:02}" for hour in range(24)]
COUNTS = ["count", "uniques", "bots", *HOURS]
DIMENSIONS = (("device", "phone"), ("city", "Unknown"), ("country", "Unknown"), ("referrer", ""))
VISIT = f"""INSERT INTO publishing_visit
  (publication_id, event, detail, occurred_at, day, bot, device, city, country, referrer, visitor)
  VALUES {_values(11)}"""
SEEN = (
    "INSERT INTO publishing_uniquevisitor (visitor_day_key, day) VALUES (?, ?) ON CONFLICT (visitor_day_key) DO NOTHING"
)
SUMS = f"""INSERT INTO publishing_visitcounter (publication_id, event, detail, total, uniques, bots, last_visit_at)
  VALUES {_values(7)} ON CONFLICT (publication_id, event, detail) DO UPDATE SET
  total = publishing_visitcounter.total + excluded.total, uniques = publishing_visitcounter.uniques + excluded.uniques,
  last_visit_at = excluded.last_visit_at RETURNING id"""
DAY = f"""INSERT INTO publishing_dailycounter (counter_id, day, begins_at, {", ".join(COUNTS)}) VALUES {_values(30)}
  ON CONFLICT (counter_id, day) DO UPDATE SET
  {", ".join(f"{name} = publishing_dailycounter.{name} + excluded.{name}" for name in COUNTS)}"""
FACETS = f"""INSERT INTO publishing_breakdown (counter_id, dimension, value, count, uniques, last_day)
  VALUES {_values(6, len(DIMENSIONS))} ON CONFLICT (counter_id, dimension, value) DO UPDATE SET
  count = publishing_breakdown.count + excluded.count, uniques = publishing_breakdown.uniques + excluded.uniques,
  last_day = excluded.last_day RETURNING id, count, uniques"""
SLOTS = f"""INSERT INTO publishing_dailybreakdown (breakdown_id, day, before_count, before_uniques)
  VALUES {_values(4, len(DIMENSIONS))} ON CONFLICT (breakdown_id, day) DO NOTHING"""
