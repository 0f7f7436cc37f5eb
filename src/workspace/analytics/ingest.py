"""Visits into rows and counters: many at once, in one transaction, by a handful of statements."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.backends.utils import CursorWrapper

from workspace.analytics.aggregation import Sums
from workspace.analytics.visitor import Visitor
from workspace.analytics.visitor_salt import salt_of
from workspace.publishing.models.counters import CITY, COUNTRY, DEVICE, PART, REFERRER
from workspace.storage.database.bulk import insert
from workspace.storage.database.transactions import writing


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
    zones = _zones({arrival.publication_id for arrival in arrivals})
    moments = [arrival.at.astimezone(zones.get(arrival.publication_id, UTC)) for arrival in arrivals]
    salts = {day: salt_of(day) for day in sorted({moment.date() for moment in moments})}
    came = [_came(arrival, moment, salts[moment.date()]) for arrival, moment in zip(arrivals, moments, strict=True)]
    with writing(patience=patience), connection.cursor() as cursor:
        fresh = _see(cursor, {key: one.day for one in came for key in one.keys.values()})
        insert(cursor, "publishing_visit", _VISIT, map(_row, came))
        _sums(came, fresh).write(cursor)


@dataclass(frozen=True, slots=True)
class Came:
    """An arrival on a day of the account. `visitor`: the hash of who it was, on that day; `keys`: by part, what has to
    be new for it to be somebody's first of the day; none for a bot."""

    arrival: Arrival
    local: datetime
    visitor: str
    keys: dict[str, str]

    @property
    def day(self) -> date:
        return self.local.date()


def _came(arrival: Arrival, local: datetime, salt: str) -> Came:
    visitor = _hash(salt, arrival.publication_id, arrival.visitor.address_key)
    parts = () if arrival.visitor.bot else arrival.parts
    return Came(arrival, local, visitor, {part: _hash(visitor, arrival.event, part) for part in parts})


_VISIT = ("publication_id", "event", "part", "at", "day", "bot", "device", "city", "country", "referrer", "visitor")
_ZONES = """SELECT p.id, a.time_zone FROM publishing_publication p JOIN accounts_account a ON a.id = p.account_id
  WHERE p.id IN ({})"""
_SEE = "ON CONFLICT (key) DO NOTHING RETURNING key"


def _zones(publications: set[str]) -> dict[str, ZoneInfo]:
    """The zones of their accounts; none for what was deleted meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute(_ZONES.format(", ".join(["%s"] * len(publications))), list(publications))
        return {id: zone for id, name in cursor.fetchall() if (zone := _zone(name)) is not None}


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # no zone of ours: its visits count by UTC rather than not at all
        return None


def _row(came: Came) -> tuple[Any, ...]:
    arrival, who = came.arrival, came.arrival.visitor
    at = connection.ops.adapt_datetimefield_value(arrival.at)
    told = (who.bot, who.device, who.city, who.country, who.referrer_host, came.visitor)
    return (arrival.publication_id, arrival.event, arrival.part, at, came.day, *told)


def _see(cursor: CursorWrapper, keys: dict[str, date]) -> set[str]:
    """The keys that were not there before."""
    # sorted, as everything here: processes that lock rows in one order cannot lock each other out
    return {key for (key,) in insert(cursor, "publishing_seen", ("key", "day"), sorted(keys.items()), _SEE)}


def _sums(came: Sequence[Came], fresh: set[str]) -> Sums:
    """Added up; the first arrival of a fresh key is the unique one."""
    sums = Sums()
    for one in came:
        for part in one.arrival.parts:
            group = (one.arrival.publication_id, one.arrival.event, part)
            if one.arrival.visitor.bot:
                sums.bot(group, one.local)
                continue
            unique = one.keys[part] in fresh
            fresh.discard(one.keys[part])
            sums.person(group, one.local, unique=unique)
            for named in _facets(one.arrival.visitor):
                sums.facet(group, named, one.day, unique=unique)
            if part:
                sums.facet((*group[:2], ""), (PART, part), one.day, unique=unique)
    return sums


def _facets(visitor: Visitor) -> Iterable[tuple[str, str]]:
    return (
        (DEVICE, visitor.device),
        (CITY, visitor.city),
        (COUNTRY, visitor.country),
        (REFERRER, visitor.referrer_host),
    )


def _hash(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
