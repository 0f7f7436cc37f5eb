"""Threads of the service are restarted if they end with an exception."""

from __future__ import annotations

import threading

import pytest

from workspace.lib import service_thread
from workspace.lib.service_thread import ServiceThread, thread_statuses


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_thread, "MIN_DELAY_SECONDS", 0.001)


def test_a_thread_that_raises_is_restarted_until_it_returns(caplog: pytest.LogCaptureFixture) -> None:
    faults = iter([RuntimeError("first"), SystemExit("second")])
    works, ends = threading.Event(), threading.Event()

    def work() -> None:
        for fault in faults:
            raise fault
        works.set()
        assert ends.wait(60)

    thread = ServiceThread("tests", work, threading.Event())
    thread.start()
    assert works.wait(60)
    assert thread_statuses()["tests"] == service_thread.ThreadStatus(is_alive=True, restarts=2)
    assert "first" in caplog.text and "second" in caplog.text
    ends.set()
    thread.join(60)
    assert "tests" not in thread_statuses()


def test_a_thread_that_waits_for_its_restart_is_reported_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_thread, "MIN_DELAY_SECONDS", 600)
    stop, failed = threading.Event(), threading.Event()

    def work() -> None:
        failed.set()
        raise RuntimeError("again and again")

    thread = ServiceThread("tests", work, stop)
    thread.start()
    assert failed.wait(60)
    while thread_statuses()["tests"].is_alive:
        assert not stop.wait(0.001)
    stop.set()
    thread.join(60)
    assert "tests" not in thread_statuses()
