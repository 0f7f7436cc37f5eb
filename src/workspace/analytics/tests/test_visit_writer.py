import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import DataError, OperationalError

from workspace.analytics import ingest, visit_writer
from workspace.analytics.visit_writer import VisitQueueFullError, VisitWriter, record_visit, record_visit_async
from workspace.publishing.models import Publication, VisitCounter
from workspace.testing.publications import guest, publish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def code(transactional_db: None) -> Publication:
    return publish()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for every visit unless a test decides otherwise, because a slow machine is not a failing database."""
    for name in ("LOCK_TIMEOUT_SECONDS", "THREAD_WAIT_SECONDS", "ASYNC_WAIT_SECONDS"):
        monkeypatch.setattr(visit_writer, name, 60)


@pytest.fixture
def writer() -> Iterator[VisitWriter]:
    writer = VisitWriter()
    writer.start()
    yield writer
    writer.stop()


def _total(code: Publication) -> int:
    return sum(VisitCounter.objects.filter(publication=code).values_list("total", flat=True))


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the number of visits of each commit."""
    sizes: list[int] = []

    def counted(arrivals: list[ingest.IncomingVisit], **more: float | None) -> None:
        ingest.write_visits(arrivals)
        sizes.append(len(arrivals))

    monkeypatch.setattr(visit_writer, "write_visits", counted)
    return sizes


def test_a_visit_is_committed_when_record_returns(code: Publication, writer: VisitWriter) -> None:
    record_visit(code.pk, "scan", guest())
    assert _total(code) == 1


def test_parallel_visits_are_all_counted_in_fewer_commits(
    code: Publication, writer: VisitWriter, commits: list[int]
) -> None:
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda number: record_visit(code.pk, "scan", guest(f"{number % 10}")), range(200)))
    assert _total(code) == sum(commits) == 200
    assert VisitCounter.objects.get().uniques == 10
    assert len(commits) < 150


def test_the_event_loop_waits_for_the_commit_without_blocking(
    code: Publication, writer: VisitWriter, commits: list[int]
) -> None:
    async def visit_all() -> None:
        await asyncio.gather(*[record_visit_async(code.pk, "scan", guest(f"{number}")) for number in range(100)])
        assert sum(commits) == 100

    asyncio.run(visit_all())
    assert _total(code) == 100


def test_stopping_writes_the_queued_visits(code: Publication) -> None:
    writer = VisitWriter()
    writer.start()
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(record_visit, code.pk, "scan", guest()) for _ in range(8)]
        writer.stop()
        for each in waiting:
            each.result(60)
    assert _total(code) == 8


def test_without_a_writer_visits_are_written_immediately(code: Publication) -> None:
    record_visit(code.pk, "scan", guest())
    asyncio.run(record_visit_async(code.pk, "scan", guest()))
    assert _total(code) == 2


def test_a_guest_who_leaves_while_waiting_affects_no_others(code: Publication, writer: VisitWriter) -> None:
    async def cancel_visit() -> None:
        task = asyncio.create_task(record_visit_async(code.pk, "scan", guest("Ann")))
        await asyncio.sleep(0)
        task.cancel()
        await record_visit_async(code.pk, "scan", guest("Bob"))

    asyncio.run(cancel_visit())
    assert _total(code) == 2


def test_a_visit_that_the_database_rejects_does_not_affect_others(
    code: Publication, writer: VisitWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(arrivals: list[ingest.IncomingVisit], **more: float | None) -> None:
        if any(arrival.event == "poison" for arrival in arrivals):
            raise DataError("no such event")
        ingest.write_visits(arrivals)

    monkeypatch.setattr(visit_writer, "write_visits", refuse)

    async def visit_all() -> list[BaseException | None]:
        events = ["scan"] * 5 + ["poison"] + ["scan"] * 6
        return await asyncio.gather(
            *[record_visit_async(code.pk, event, guest()) for event in events], return_exceptions=True
        )

    problems = [problem for problem in asyncio.run(visit_all()) if problem is not None]
    assert [type(problem) for problem in problems] == [DataError]
    assert _total(code) == 11


def test_a_temporarily_locked_database_is_retried(
    code: Publication, writer: VisitWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([OperationalError("locked"), OperationalError("locked")])

    def locked(arrivals: list[ingest.IncomingVisit], **more: float | None) -> None:
        for problem in times:
            raise problem
        ingest.write_visits(arrivals)

    monkeypatch.setattr(visit_writer, "write_visits", locked)
    record_visit(code.pk, "scan", guest())
    assert _total(code) == 1


def test_while_the_database_is_locked_no_request_waits_and_nothing_is_lost(
    code: Publication, writer: VisitWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(arrivals: list[ingest.IncomingVisit], **more: float | None) -> None:
        raise OperationalError("locked")

    monkeypatch.setattr(visit_writer, "write_visits", locked)
    monkeypatch.setattr(visit_writer, "THREAD_WAIT_SECONDS", 0.02)
    record_visit(code.pk, "scan", guest())  # waits until its timeout
    _until(lambda: writer.is_behind)
    monkeypatch.setattr(visit_writer, "THREAD_WAIT_SECONDS", 60)
    record_visit(code.pk, "scan", guest())
    asyncio.run(record_visit_async(code.pk, "scan", guest()))
    assert (_total(code), writer.waiting_count) == (0, 3)
    monkeypatch.setattr(visit_writer, "write_visits", ingest.write_visits)
    _until(lambda: _total(code) == 3)
    _until(lambda: not writer.is_behind)
    record_visit(code.pk, "scan", guest())
    assert _total(code) == 4


def test_a_guest_does_not_wait_long_for_a_slow_disk(code: Publication, monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    def slow(arrivals: list[ingest.IncomingVisit], **more: float | None) -> None:
        assert free.wait(60)
        ingest.write_visits(arrivals)

    monkeypatch.setattr(visit_writer, "write_visits", slow)
    monkeypatch.setattr(visit_writer, "THREAD_WAIT_SECONDS", 0.02)
    monkeypatch.setattr(visit_writer, "ASYNC_WAIT_SECONDS", 0.02)
    writer = VisitWriter()
    writer.start()
    try:
        record_visit(code.pk, "scan", guest())
        asyncio.run(record_visit_async(code.pk, "scan", guest()))
        assert _total(code) == 0
    finally:
        free.set()
        writer.stop()
    assert _total(code) == 2


def test_visits_that_cannot_be_written_before_the_end_are_written_at_the_next_start(
    code: Publication, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def locked(arrivals: list[ingest.IncomingVisit], **more: float | None) -> None:
        raise OperationalError("locked")

    monkeypatch.setattr(visit_writer, "SHUTDOWN_SECONDS", 0.1)
    monkeypatch.setattr(visit_writer, "THREAD_WAIT_SECONDS", 0.02)
    monkeypatch.setattr(visit_writer, "write_visits", locked)
    writer = VisitWriter()
    writer.start()
    record_visit(code.pk, "scan", guest())
    writer.stop()
    assert "1 visits wait in a file for the next start" in caplog.text
    assert _total(code) == 0
    monkeypatch.setattr(visit_writer, "write_visits", ingest.write_visits)
    later = VisitWriter()
    later.start()
    later.stop()
    assert _total(code) == 1


def _until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_too_many_waiting_visits_are_rejected(code: Publication, monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    def slow(arrivals: list[ingest.IncomingVisit], **more: float | None) -> None:
        assert free.wait(60)
        ingest.write_visits(arrivals)

    monkeypatch.setattr(visit_writer, "write_visits", slow)
    writer = VisitWriter(capacity=2)
    writer.start()
    try:
        with ThreadPoolExecutor(4) as pool:
            first = pool.submit(record_visit, code.pk, "scan", guest())
            while not first.running() or writer._queue.qsize():
                time.sleep(0.005)
            waiting = [pool.submit(record_visit, code.pk, "scan", guest()) for _ in range(2)]
            while writer._queue.qsize() < 2:
                time.sleep(0.005)
            with pytest.raises(VisitQueueFullError):
                record_visit(code.pk, "scan", guest())
            free.set()
            for each in [first, *waiting]:
                each.result(60)
    finally:
        writer.stop()
    assert _total(code) == 3
