"""Warnings after a move: parties at several tables, and guests at one table who must sit apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.db.models import Q, QuerySet

from workspace.products.seat import messages
from workspace.products.seat.domain import solver_snapshot
from workspace.products.seat.domain.queries import guests_at, preferences_for
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.storage.database.compiled_function import compile_once

MAX_PARTIES = 20  # parties to search by name; for more, all guests are read


def find_split_warnings(chart: Chart, moved: Sequence[Guest]) -> list[str]:
    """Return warnings, as sentences, about the guests who were moved."""
    warnings: list[str] = []
    parties = {guest.party_key: guest for guest in moved if guest.party_key}
    if parties:
        mine = _coming_guests.fetch(chart, *(sorted(parties) if len(parties) < MAX_PARTIES else ()))
        for key, guest in parties.items():
            others = Counter(item.table for item in mine if item.table_id != guest.table_id and item.party_key == key)
            warnings += [_describe_split(guest.party, table, count) for table, count in others.items()]
    tables = [guest.table_id for guest in moved if guest.table_id is not None]
    if tables and (preferences := preferences_for.fetch(chart)):
        warnings += [
            str(messages.APART_AT_ONE_TABLE(name=guest.name, other=other.name, table=guest.table.label))
            for guest, other in solver_snapshot.find_separation_conflicts(preferences, guests_at.fetch(chart, tables))
            if guest.table is not None
        ]
    return warnings


@compile_once
def _coming_guests(chart: Chart, *texts: str) -> QuerySet[Guest]:
    """Return the guests who have not declined. With `texts`, one of these must be in their search text."""
    coming = chart.guests.exclude(reply=Reply.NO).select_related("table")
    may_be = Q()  # the search text contains the party's name, among other things
    for text in texts:
        may_be |= Q(search__contains=text)
    return coming.filter(may_be)


def _describe_split(party: str, table: Table | None, count: int) -> str:
    if table is None:
        return str(messages.PARTY_WITHOUT_TABLE(count=count, party=party))
    return str(messages.PARTY_AT_OTHER_TABLE(count=count, party=party, table=table.label))
