"""Writing visits as rows and counters: many at a time, in one transaction, with a few statements."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.backends.utils import CursorWrapper

from workspace.analytics.aggregation import CounterSums
from workspace.analytics.visitor import Visitor
from workspace.publishing.models.visit_counters import CITY, COUNTRY, DEVICE, PART, REFERRER
from workspace.storage.database.bulk_insert import insert_rows
from workspace.storage.database.transactions import write_transaction
from workspace.storage.visitor_salt import get_salt


@dataclass(frozen=True, slots=True)
class IncomingVisit:
    """A visit that has not been written to the database yet."""

    publication_id: str
    event: str
    part: str
    at: datetime
    visitor: Visitor

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts for which the visit is counted: "" for the whole publication, and the visited part, if any."""
        return ("", self.part) if self.part else ("",)


def write_visits(arrivals: Sequence[IncomingVisit], *, patience: float | None = None) -> None:
    """Write all visits or none.

    They are committed when this returns, unless the caller has an open transaction. `patience` is as in
    `write_transaction`.
    """
    zones = _load_zones({arrival.publication_id for arrival in arrivals})
    moments = [arrival.at.astimezone(zones.get(arrival.publication_id, UTC)) for arrival in arrivals]
    salts = {day: get_salt(day) for day in sorted({moment.date() for moment in moments})}
    came = [
        _localize_visit(arrival, moment, salts[moment.date()])
        for arrival, moment in zip(arrivals, moments, strict=True)
    ]
    with write_transaction(patience=patience), connection.cursor() as cursor:
        fresh = _insert_new_keys(cursor, {key: one.day for one in came for key in one.keys.values()})
        insert_rows(cursor, "publishing_visit", _VISIT_COLUMNS, map(_visit_row, came))
        _sum_visits(came, fresh).write(cursor)


@dataclass(frozen=True, slots=True)
class LocalVisit:
    """A visit in the account's local time.

    `visitor` is the hash of the visitor on that day. `keys` are hashes by part. They are new if the visit is the
    visitor's first of the day. A bot has none.
    """

    arrival: IncomingVisit
    local: datetime
    visitor: str
    keys: dict[str, str]

    @property
    def day(self) -> date:
        return self.local.date()


def _localize_visit(arrival: IncomingVisit, local: datetime, salt: str) -> LocalVisit:
    visitor = _hash_parts(salt, arrival.publication_id, arrival.visitor.address_key)
    parts = () if arrival.visitor.bot else arrival.parts
    return LocalVisit(arrival, local, visitor, {part: _hash_parts(visitor, arrival.event, part) for part in parts})


_VISIT_COLUMNS = (
    "publication_id",
    "event",
    "detail",
    "occurred_at",
    "day",
    "bot",
    "device",
    "city",
    "country",
    "referrer",
    "visitor",
)
_ZONES_SQL = """SELECT p.id, a.time_zone FROM publishing_publication p JOIN accounts_account a ON a.id = p.account_id
  WHERE p.id IN ({})"""
_SEEN_CONFLICT = "ON CONFLICT (visitor_day_key) DO NOTHING RETURNING visitor_day_key"


def _load_zones(publications: set[str]) -> dict[str, ZoneInfo]:
    """Return the time zones of the publications' accounts, omitting publications deleted in the meantime."""
    with connection.cursor() as cursor:
        cursor.execute(_ZONES_SQL.format(", ".join(["%s"] * len(publications))), list(publications))
        return {id: zone for id, name in cursor.fetchall() if (zone := _parse_zone(name)) is not None}


def _parse_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown zone: visits are counted in UTC rather than not at all
        return None


def _visit_row(visit: LocalVisit) -> tuple[Any, ...]:
    arrival, who = visit.arrival, visit.arrival.visitor
    at = connection.ops.adapt_datetimefield_value(arrival.at)
    traits = (who.bot, who.device, who.city, who.country, who.referrer_host, visit.visitor)
    return (arrival.publication_id, arrival.event, arrival.part, at, visit.day, *traits)


def _insert_new_keys(cursor: CursorWrapper, keys: dict[str, date]) -> set[str]:
    """Insert keys and return those that are new."""
    # sorted like all writes here: processes that lock rows in the same order cannot deadlock
    return {
        key
        for (key,) in insert_rows(
            cursor, "publishing_uniquevisitor", ("visitor_day_key", "day"), sorted(keys.items()), _SEEN_CONFLICT
        )
    }


def _sum_visits(visits: Sequence[LocalVisit], new_visitors: set[str]) -> CounterSums:
    """Sum the visits. The first visit with a new key is counted as unique."""
    sums = CounterSums()
    for one in visits:
        for part in one.arrival.parts:
            group = (one.arrival.publication_id, one.arrival.event, part)
            if one.arrival.visitor.bot:
                sums.add_bot(group, one.local)
                continue
            unique = one.keys[part] in new_visitors
            new_visitors.discard(one.keys[part])
            sums.add_person(group, one.local, unique=unique)
            for named in _visitor_facets(one.arrival.visitor):
                sums.add_facet(group, named, one.day, unique=unique)
            if part:
                sums.add_facet((*group[:2], ""), (PART, part), one.day, unique=unique)
    return sums


def _visitor_facets(visitor: Visitor) -> Iterable[tuple[str, str]]:
    return (
        (DEVICE, visitor.device),
        (CITY, visitor.city),
        (COUNTRY, visitor.country),
        (REFERRER, visitor.referrer_host),
    )


def _hash_parts(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
