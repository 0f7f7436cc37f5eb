"""A visit whose guest got a response is counted exactly once, even if the database, the writer or its process fails."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError

from workspace.analytics import visit_spool, visit_writer
from workspace.analytics.ingest import IncomingVisit
from workspace.analytics.visit_spool import VisitSpool, record_spool_progress, write_leftover_visits
from workspace.analytics.visit_writer import VisitWriter, record_visit
from workspace.lib import clock, service_thread
from workspace.lib.service_thread import thread_statuses
from workspace.publishing.models import Publication, VisitCounter
from workspace.storage.models import InstanceFact
from workspace.testing import separate_process
from workspace.testing.publications import build_guest, publish

pytestmark = pytest.mark.django_db(transaction=True)


def answer_while_locked(code: str) -> None:
    """Record three visits while the database rejects writes, report it, and wait to be killed."""

    def refuse(*arrivals: object, **more: object) -> None:
        raise OperationalError("locked")

    visit_writer.write_visits = refuse
    visit_writer.THREAD_WAIT_SECONDS = 0.02
    VisitWriter().start()
    for number in range(3):
        record_visit(code, "scan", build_guest(str(number)))
    os.write(1, b"answered\n")
    time.sleep(600)


@pytest.fixture
def code(transactional_db: None) -> Publication:
    return publish()


@pytest.fixture(autouse=True)
def folder(settings: object, tmp_path: Path) -> Path:
    settings.DATA = tmp_path  # type: ignore[attr-defined]
    return tmp_path / "visits"


@pytest.fixture
def spool() -> Iterator[VisitSpool]:
    made = VisitSpool()
    yield made
    if made._file is not None:
        os.close(made._file)


def arrival(code: Publication, name: str = "Ann") -> IncomingVisit:
    return IncomingVisit(code.pk, "scan", "", clock.now(), build_guest(name))


def _total(code: Publication) -> int:
    return sum(VisitCounter.objects.filter(publication=code).values_list("total", flat=True))


def abandon_spool(spool: VisitSpool) -> None:
    """Leave the spool as after a kill of its process."""
    assert spool._file is not None
    os.close(spool._file)
    spool._file = None


def test_visits_answered_by_a_killed_process_are_counted_by_the_next(code: Publication, folder: Path) -> None:
    reading, writing = os.pipe()
    process = separate_process.start(
        "workspace.analytics.tests.test_visit_spool:answer_while_locked",
        code.pk,
        stdout=writing,
        WORKSPACE_DATA=str(folder.parent),
    )
    os.close(writing)
    with os.fdopen(reading) as output:
        assert output.readline() == "answered\n"
    process.kill()
    process.wait()
    assert _total(code) == 0
    for _ in range(2):
        writer = VisitWriter()
        writer.start()
        writer.stop()
    assert _total(code) == 3
    assert list(folder.iterdir()) == []


def test_spooled_visits_that_the_database_has_are_not_counted_again(
    code: Publication, spool: VisitSpool, folder: Path
) -> None:
    for number in (1, 2, 3):
        spool.add(number, arrival(code, str(number)))
    record_spool_progress(spool.name, 2)  # killed before the file was emptied
    abandon_spool(spool)
    write_leftover_visits(500)
    assert _total(code) == 1
    assert list(folder.iterdir()) == [] and not InstanceFact.objects.exists()


def test_the_file_of_a_running_process_is_not_touched(code: Publication, spool: VisitSpool) -> None:
    spool.add(1, arrival(code))
    write_leftover_visits(500)
    assert _total(code) == 0
    abandon_spool(spool)
    write_leftover_visits(500)
    assert _total(code) == 1


def test_a_truncated_line_does_not_affect_others(code: Publication, spool: VisitSpool, folder: Path) -> None:
    spool.add(1, arrival(code))
    [path] = folder.iterdir()
    path.write_text(path.read_text() + '{"number": 2, "at": "20')
    spool.add(3, arrival(code))
    abandon_spool(spool)
    write_leftover_visits(500)
    assert _total(code) == 2


def test_a_visit_written_before_it_is_spooled_is_in_no_file(code: Publication, spool: VisitSpool, folder: Path) -> None:
    spool.mark_written(1)
    spool.add(1, arrival(code))
    assert spool.is_empty and not folder.exists()
    spool.add(2, arrival(code))
    spool.mark_written(2)
    assert [path.stat().st_size for path in folder.iterdir()] == [0]
    spool.close()
    assert list(folder.iterdir()) == []


def test_a_writer_whose_thread_ends_is_restarted_and_loses_nothing(
    code: Publication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_thread, "MIN_DELAY_SECONDS", 0.01)
    monkeypatch.setattr(visit_writer, "THREAD_WAIT_SECONDS", 60)
    faults = iter([RuntimeError("nobody thought of that"), MemoryError()])

    def fails() -> None:
        for fault in faults:
            raise fault

    monkeypatch.setattr(visit_writer, "close_old_connections", fails)
    writer = VisitWriter()
    writer.start()
    for name in ("Ann", "Bob", "Cleo"):
        record_visit(code.pk, "scan", build_guest(name))
    assert "visit writer" in thread_statuses()
    writer.stop()
    assert _total(code) == 3


def test_the_waiting_time_of_the_oldest_visit_is_reported(code: Publication, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(arrivals: list[IncomingVisit], **more: float | None) -> None:
        raise OperationalError("locked")

    enter = visit_writer.write_visits
    monkeypatch.setattr(visit_writer, "write_visits", locked)
    monkeypatch.setattr(visit_writer, "THREAD_WAIT_SECONDS", 0.02)
    writer = VisitWriter()
    writer.start()
    record_visit(code.pk, "scan", build_guest())
    assert visit_writer.count_waiting() == 1 and visit_writer.oldest_wait_seconds() > 0
    monkeypatch.setattr(visit_writer, "write_visits", enter)
    writer.stop()
    assert (writer.waiting_count, writer.oldest_wait_seconds, _total(code)) == (0, 0.0, 1)


def test_a_guest_gets_a_response_even_if_no_file_can_be_written(
    code: Publication, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(path: Path) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(visit_spool, "_create_file", full)
    writer = VisitWriter()
    number = writer._number
    writer.spool_visit(number + 1, arrival(code))
    assert "No space left on device" in caplog.text
