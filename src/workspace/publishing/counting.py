"""Visits into rows, slots and tallies: many at once, in one transaction, by a handful of statements."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from workspace.publishing.models.visit import ALL, BOT, CITY, COUNTRY, DEVICE, REFERRER
from workspace.publishing.salt import salt_of
from workspace.publishing.value_cap import capped
from workspace.publishing.visitor import Visitor
from workspace.storage.database import writing

_ROWS = 400  # in a statement: 10 columns each stay far below SQLite's 32,766 parameters

_ADD_SLOT = """ON CONFLICT (publication_id, event, part, hour, dimension, value) DO UPDATE SET
  count = publishing_slot.count + excluded.count, uniques = publishing_slot.uniques + excluded.uniques"""
_ADD_TALLY = """ON CONFLICT (publication_id, event, part) DO UPDATE SET
  total = publishing_tally.total + excluded.total, uniques = publishing_tally.uniques + excluded.uniques,
  bots = publishing_tally.bots + excluded.bots,
  last_at = CASE WHEN publishing_tally.last_at > excluded.last_at OR excluded.last_at IS NULL
    THEN publishing_tally.last_at ELSE excluded.last_at END"""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A visit on its way into the database."""

    publication_id: str
    event: str
    part: str
    at: datetime
    visitor: Visitor

    @property
    def parts(self) -> tuple[str, ...]:
        """What it counts for: the whole, and the part where it has one."""
        return ("", self.part) if self.part else ("",)


def enter(arrivals: Sequence[Arrival], *, patience: float | None = None) -> None:
    """Write them all or none; committed on return, unless a transaction of the caller's is open around it. `patience`
    as in `writing`."""
    salts = {day: salt_of(day) for day in sorted({arrival.at.date() for arrival in arrivals})}
    visitors = [_hash(salts[a.at.date()], a.publication_id, a.visitor.address_key) for a in arrivals]
    rows = [_visit(arrival, visitor) for arrival, visitor in zip(arrivals, visitors, strict=True)]
    keys = _keys(arrivals, visitors)
    with writing(patience=patience), connection.cursor() as cursor:
        fresh = _see(cursor, keys)
        slots, tallies = _count(arrivals, visitors, fresh)
        _insert(cursor, "publishing_visit", _VISIT, rows)
        _insert(cursor, "publishing_slot", _SLOT, slots, _ADD_SLOT)
        _insert(cursor, "publishing_tally", _TALLY, tallies, _ADD_TALLY)


_VISIT = ("publication_id", "event", "part", "at", "bot", "device", "city", "country", "referrer", "visitor")
_SLOT = ("publication_id", "event", "part", "hour", "dimension", "value", "count", "uniques")
_TALLY = ("publication_id", "event", "part", "total", "uniques", "bots", "last_at")


def _visit(arrival: Arrival, visitor: str) -> tuple[Any, ...]:
    who = arrival.visitor
    told = (who.bot, who.device, who.city, who.country, who.referrer_host, visitor)
    return (arrival.publication_id, arrival.event, arrival.part, _moment(arrival.at), *told)


def _keys(arrivals: Sequence[Arrival], visitors: Sequence[str]) -> dict[str, date]:
    """What has to be new for a visit to be somebody's first of the day, each with its day."""
    return {
        _hash(visitor, arrival.event, part): arrival.at.date()
        for arrival, visitor in zip(arrivals, visitors, strict=True)
        if not arrival.visitor.bot
        for part in arrival.parts
    }


def _see(cursor: CursorWrapper, keys: dict[str, date]) -> set[str]:
    """The keys that were not there before."""
    # sorted here and below: processes that lock rows in one order cannot lock each other out
    rows = [(key, connection.ops.adapt_datefield_value(day)) for key, day in sorted(keys.items())]
    return {key for (key,) in _insert(cursor, "publishing_seen", ("key", "day"), rows, _SEE)}


_SEE = "ON CONFLICT (key) DO NOTHING RETURNING key"


def _count(
    arrivals: Sequence[Arrival], visitors: Sequence[str], fresh: set[str]
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Rows for slots and tallies, added up; the first arrival of a fresh key is the unique one."""
    slots: dict[tuple[str, str, str, datetime, str, str], list[int]] = defaultdict(lambda: [0, 0])
    tallies: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    last: dict[tuple[str, str, str], datetime] = {}
    for arrival, visitor in zip(arrivals, visitors, strict=True):
        hour = arrival.at.replace(minute=0, second=0, microsecond=0)
        for part in arrival.parts:
            group = (arrival.publication_id, arrival.event, part)
            if arrival.visitor.bot:
                slots[(*group, hour, BOT, "")][0] += 1
                tallies[group][2] += 1
                continue
            key = _hash(visitor, arrival.event, part)
            unique = key in fresh
            fresh.discard(key)
            for dimension, value in _values(arrival.visitor):
                slot = slots[(*group, hour, dimension, capped(group, hour, dimension, value))]
                slot[0] += 1
                slot[1] += unique
            tallies[group][0] += 1
            tallies[group][1] += unique
            last[group] = max(last.get(group, arrival.at), arrival.at)
    return (
        [(*key[:3], _moment(key[3]), *key[4:], *counts) for key, counts in sorted(slots.items())],
        [(*group, *counts, _moment(last.get(group))) for group, counts in sorted(tallies.items())],
    )


def _values(visitor: Visitor) -> Iterable[tuple[str, str]]:
    return (
        (ALL, ""),
        (DEVICE, visitor.device),
        (CITY, visitor.city),
        (COUNTRY, visitor.country),
        (REFERRER, visitor.referrer_host),
    )


def _insert(
    cursor: CursorWrapper, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]], tail: str = ""
) -> list[tuple[Any, ...]]:
    """One statement for every few hundred rows; returns what the tail asks for."""
    names, line = ", ".join(columns), f"({', '.join(['%s'] * len(columns))})"
    returned: list[tuple[Any, ...]] = []
    remaining = iter(rows)
    while chunk := list(islice(remaining, _ROWS)):
        lines = ", ".join([line] * len(chunk))
        # only names and placeholders of this file are put into the text
        cursor.execute(
            f"INSERT INTO {table} ({names}) VALUES {lines} {tail}",  # noqa: S608
            [value for row in chunk for value in row],
        )
        if "RETURNING" in tail:
            returned += cursor.fetchall()
    return returned


def _moment(at: datetime | None) -> Any:
    return connection.ops.adapt_datetimefield_value(at)


def _hash(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
