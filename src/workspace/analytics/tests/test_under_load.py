"""Another process records visits as fast as it can, with the writer and from many threads."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db.models import Sum

from workspace.accounts.models import Account
from workspace.analytics.visit_writer import MAX_BATCH_SIZE
from workspace.publishing.models import DailyCounter, Publication, Visit, VisitCounter
from workspace.storage.database.transactions import write_transaction
from workspace.testing import separate_process
from workspace.testing.publications import publish


@contextmanager
def _storm(code: Publication, output: Path, how: str, number: int) -> Iterator[None]:
    """Record visits inside the block, and kill the process without warning at its end."""
    with output.open("ab") as file:
        process = separate_process.start(
            "workspace.analytics.tests.visit_load:pour", code.pk, how, str(number), stdout=file
        )
    try:
        _wait(lambda: output.stat().st_size > 2000)
        yield
        assert process.poll() is None, "it ended by itself"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _wait(until: Callable[[], bool]) -> None:
    ends = time.monotonic() + 120
    while not until():
        assert time.monotonic() < ends, "no visit was recorded"
        time.sleep(0.02)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("how", "number"), [("threads", 24), ("tasks", 300)])
def test_a_recorded_visit_survives_the_kill_of_the_process(tmp_path: Path, how: str, number: int) -> None:
    code = publish()
    with _storm(code, tmp_path / "recorded", how, number):
        time.sleep(0.4)
    recorded = set((tmp_path / "recorded").read_text().split("\n")[:-1])
    rows = list(Visit.objects.filter(publication=code).values_list("referrer", flat=True))
    assert len(recorded) > 50
    assert recorded <= set(rows)
    assert len(set(rows)) == len(rows), "a visit is there twice"
    # and committed visits are counted consistently everywhere
    tally = VisitCounter.objects.get(publication=code)
    slots = DailyCounter.objects.filter(counter=tally).aggregate(n=Sum("count"), first=Sum("uniques"))
    assert tally.total == slots["n"] == len(rows)
    assert tally.uniques == slots["first"] <= 50


@pytest.mark.django_db(transaction=True)
def test_others_can_write_while_many_visits_are_recorded(tmp_path: Path) -> None:
    code = publish()
    account = code.account
    assert account is not None
    with _storm(code, tmp_path / "recorded", "tasks", 2000):
        before = Visit.objects.count()
        turns = visits = 0
        while turns < 25 or visits < 4 * MAX_BATCH_SIZE:
            with write_transaction():
                Account.objects.filter(pk=account.pk).update(name=f"Renamed {turns}")
            turns += 1
            visits = Visit.objects.count() - before
            time.sleep(0.002)  # real processes do not only write
    # at least one write per commit of visits; a writer without breaks would let only a handful through
    assert visits / turns < MAX_BATCH_SIZE, (visits, turns)
