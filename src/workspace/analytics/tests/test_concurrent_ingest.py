"""Several processes write visits of several days at the same time: nothing is counted twice or lost."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection

from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.analytics.queries import compute_statistics
from workspace.publishing.models import Breakdown, DailyBreakdown, DailyCounter
from workspace.testing.publications import build_guest, publish

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
DAYS, WRITERS, BATCHES = 4, 6, 12


@pytest.mark.django_db(transaction=True)
def test_simultaneous_visits_of_several_days_are_each_counted_once() -> None:
    codes = [publish() for _ in range(2)]
    chance = Random(1908)

    def arrival() -> IncomingVisit:
        at = NOW - timedelta(days=chance.randrange(DAYS), minutes=chance.randrange(600))
        who = build_guest(f"{chance.randrange(9)}", city=chance.choice(["Graz", "Linz", "Wels"]))
        return IncomingVisit(chance.choice(codes).pk, "click", chance.choice(["", "menu", "phone"]), at, who)

    batches = [[arrival() for _ in range(chance.randrange(1, 9))] for _ in range(WRITERS * BATCHES)]

    def write(number: int) -> None:
        try:
            for batch in batches[number::WRITERS]:
                write_visits(batch)
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    visits = [one for batch in batches for one in batch]
    for code in codes:
        for days in range(1, DAYS + 1):
            with time_machine.travel(NOW, tick=False):
                found = compute_statistics(code.pk, "click", days=days, zone=ZoneInfo("UTC"))
            first = NOW.date() - timedelta(days=days - 1)
            own = [one for one in visits if one.publication_id == code.pk and one.at.date() >= first]
            assert found.total_in_window == len(own)
            assert found.unique == len({(one.visitor.address_key, one.at.date()) for one in own})
            cities = {share.value: share.count for share in found.by_city}
            assert cities == Counter(one.visitor.city for one in own)
            parts = {share.value: share.count for share in found.by_part}
            assert parts == Counter(one.part for one in own if one.part)
    # a facet has rows only for days with visits, however late these were written
    assert DailyBreakdown.objects.count() <= DAYS * Breakdown.objects.count()
    assert DailyCounter.objects.filter(counter__detail="").count() == DAYS * len(codes)
