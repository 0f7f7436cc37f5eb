"""Jobs in separate processes and threads: killed, stopped and in parallel."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from django.db import connections

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models import Job, JobState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.testing import fork_server
from workspace.testing import sample_jobs as working
from workspace.testing.sample_jobs import letters, list_recipients, start_job_worker
from workspace.testing.smtp_sink import Peer, write_mail

Process = fork_server.Popen | subprocess.Popen[bytes]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def running() -> Iterator[list[Process]]:
    """Yield a list for processes that a test starts, and end them after the test."""
    started: list[Process] = []
    yield started
    for one in started:
        one.kill()
        one.wait()


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not true():
        assert time.monotonic() < deadline, "it hangs"
        time.sleep(0.01)


def done(job: Job) -> int:
    return Job.objects.values_list("done", flat=True).get(pk=job.pk)


def test_a_repeatedly_killed_worker_does_nothing_twice(account: Account, running) -> None:
    job = jobs.start(account, "tests.letters", letters(60, seconds=0.02))
    for reached in (7, 23, 41):
        running.append(start_job_worker(lease=1.0))
        until(lambda reached=reached: done(job) >= reached)
        running[-1].send_signal(signal.SIGKILL)
        running[-1].wait()
        job.refresh_from_db()
        assert not job.is_over and len(list_recipients()) == job.done
    running.append(start_job_worker(lease=1.0))
    until(lambda: Job.objects.get(pk=job.pk).is_over)
    job.refresh_from_db()
    assert (job.state, job.done, job.failed_count) == (JobState.DONE, 60, 0)
    assert list_recipients() == sorted(f"guest{number}" for number in range(60))
    assert len(b"".join(jobs.open_file(job).content).splitlines()) == 60


def test_an_item_that_kills_its_worker_is_identified_and_the_others_are_done(account: Account, running) -> None:
    items = letters(4)
    items[2]["kills"] = True
    job = jobs.start(account, "tests.letters", items)
    deaths = 0
    while not Job.objects.get(pk=job.pk).is_over:
        running.append(one := start_job_worker(lease=0.2))
        until(lambda one=one: one.poll() is not None or Job.objects.get(pk=job.pk).is_over)
        deaths += one.poll() is not None
    assert 1 < deaths < 10
    job.refresh_from_db()
    assert (job.state, job.failed_count) == (JobState.DONE, 1)
    assert jobs.list_faults(job, 5)[0].name == "guest2"
    assert list_recipients() == ["guest0", "guest1", "guest3"]


def test_sigterm_releases_the_job_immediately(account: Account, running) -> None:
    job = jobs.start(account, "tests.letters", letters(400, seconds=0.02))
    running.append(start_job_worker(lease=600.0))
    until(lambda: done(job) >= 3)
    running[-1].send_signal(signal.SIGTERM)
    assert running[-1].wait(60) == 0
    job.refresh_from_db()
    assert job.state == JobState.WAITING and job.done == len(list_recipients())


def test_parallel_workers_do_each_item_once(account: Account) -> None:
    for number in range(6):
        jobs.start(account, "tests.letters", letters(11), dedupe=str(number))
    together = threading.Barrier(4)

    def work() -> None:
        together.wait(60)
        lane = JobWorker()
        while lane.run_once():
            pass
        connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    JobWorker().run_once()
    assert set(Job.objects.values_list("state", "done")) == {(JobState.DONE, 11)}
    assert list_recipients() == sorted(f"guest{number}" for number in range(11) for _ in range(6))


def test_an_email_does_not_wait_for_a_job(account: Account, peer: Peer) -> None:
    working.hold.clear()
    working.held.clear()
    mails, lane = OutboxWorker(poll=600), JobWorker(poll=600)
    mails.start()
    lane.start()
    try:
        jobs.start(account, "tests.letters", letters(1, holds=True))
        assert working.held.wait(60), "the job is being worked on"
        write_mail()
        assert peer.arrived.wait(60)
        assert Job.objects.get().done == 0
    finally:
        working.hold.set()
        mails.stop()
        lane.stop()


def test_an_owner_stops_a_running_job(account: Account) -> None:
    working.hold.clear()
    working.held.clear()
    lane = JobWorker(poll=600)
    lane.start()
    try:
        job = jobs.start(account, "tests.letters", [*letters(5), {"name": "late", "holds": True}])
        assert working.held.wait(60)
        assert job.stop()
    finally:
        working.hold.set()
        lane.stop()
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.STOPPED, 5)
    assert "late" not in list_recipients()
