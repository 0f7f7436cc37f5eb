from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError, transaction

from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Account
from workspace.delivery import job_kinds, jobs, messages
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models import Job, JobState
from workspace.lib import clock
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.storage.files import store
from workspace.testing.sample_jobs import letters, list_recipients

pytestmark = pytest.mark.django_db


def work_off() -> None:
    lane = JobWorker()
    while lane.run_once():
        pass


def test_every_item_is_done_once_and_listed_in_the_file(account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(12))
    work_off()
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.failed_count, job.lease_token) == (JobState.DONE, 12, 12, 0, None)
    assert list_recipients() == sorted(f"guest{number}" for number in range(12))
    file = jobs.open_file(job)
    assert (file.name, file.media_type) == ("Letters.csv", "text/csv")
    content = b"".join(file.content)
    assert content.decode().splitlines()[3] == "guest3,sent, drawing of guest3"
    assert job.file_size == len(content)


def test_a_rolled_back_job_never_starts(account: Account) -> None:
    with transaction.atomic():
        jobs.start(account, "tests.letters", letters(2))
        transaction.set_rollback(True)
    work_off()
    assert not Job.objects.exists()
    assert list_recipients() == []


def test_a_rejected_item_is_reported_with_its_reason_rolled_back_and_the_others_continue(account: Account) -> None:
    items = letters(7)
    items[1]["refused"] = items[5]["unprepared"] = True
    job = jobs.start(account, "tests.letters", items)
    work_off()
    job.refresh_from_db()
    assert (job.state, job.done, job.failed_count) == (JobState.DONE, 7, 2)
    told = [(one.place, one.name, one.fault) for one in jobs.list_faults(job, 10)]
    assert told == [(1, "guest1", "Nobody lives there"), (5, "guest5", "It cannot be drawn")]
    assert list_recipients() == ["guest0", "guest2", "guest3", "guest4", "guest6"]


def test_an_internal_error_is_logged_and_reported_without_details(account: Account, caplog) -> None:
    items = letters(3)
    items[0]["broken"] = True
    job = jobs.start(account, "tests.letters", items)
    work_off()
    job.refresh_from_db()
    assert (job.state, job.failed_count) == (JobState.DONE, 1)
    assert jobs.list_faults(job, 10)[0].fault == str(messages.JOB_ITEM_FAILED)
    assert "nonsense" in caplog.text
    assert list_recipients() == ["guest1", "guest2"]


def test_an_item_without_a_name_is_named_by_its_number(account: Account) -> None:
    job = jobs.start(account, "tests.no_file", ["a", {"name": " Ana\n Lucía "}, {"name": ""}])
    assert list(job.items.order_by("position").values_list("name", flat=True)) == ["Item 1", "Ana Lucía", "Item 3"]
    work_off()
    job.refresh_from_db()
    assert (job.state, job.file_name) == (JobState.DONE, "")


def test_a_dedupe_key_starts_one_job_per_account(account: Account, stranger) -> None:
    first = jobs.start(account, "tests.letters", letters(2), dedupe="import:1")
    again = jobs.start(account, "tests.letters", letters(3), dedupe="import:1")
    other = jobs.start(stranger.account, "tests.letters", letters(1), dedupe="import:1")
    assert again.pk == first.pk != other.pk
    work_off()
    assert len(list_recipients()) == 3
    assert jobs.start(account, "tests.letters", letters(2), dedupe="import:1").state == JobState.DONE


def test_a_job_over_a_limit_is_rejected_with_advice(account: Account, monkeypatch) -> None:
    monkeypatch.setattr(jobs, "MAX_ITEMS", 3)
    monkeypatch.setattr("workspace.delivery.models.job.MAX_ACTIVE_JOBS", 2)
    with pytest.raises(OperationNotAllowedError, match="at most 3 items"):
        jobs.start(account, "tests.letters", letters(4))
    with pytest.raises(OperationNotAllowedError, match="“guest0” is too large"):
        jobs.start(account, "tests.letters", letters(1, text="x" * jobs.MAX_ITEM_BYTES))
    monkeypatch.setattr(jobs, "MAX_TOTAL_BYTES", 100)
    with pytest.raises(OperationNotAllowedError, match="in several calls"):
        jobs.start(account, "tests.letters", letters(2, text="x" * 60))
    jobs.start(account, "tests.letters", letters(1))
    jobs.start(account, "tests.letters", letters(1))
    with pytest.raises(OperationNotAllowedError, match="2 jobs"):
        jobs.start(account, "tests.letters", letters(1))
    work_off()
    jobs.start(account, "tests.letters", letters(1))
    for nonsense in (lambda: jobs.start(account, "tests.pigeons", letters(1)), lambda: jobs.start(account, "x", [])):
        with pytest.raises(ValueError):
            nonsense()


def test_jobs_take_turns_chunk_by_chunk(account: Account, stranger) -> None:
    long = jobs.start(account, "tests.letters", letters(50))
    short = jobs.start(stranger.account, "tests.letters", letters(2))
    lane = JobWorker()
    for _ in range(4):
        lane.run_once()
    long.refresh_from_db()
    short.refresh_from_db()
    assert (long.done, short.state) == (10, JobState.DONE)


def test_a_stopped_job_keeps_finished_items_and_does_no_more(account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(12))
    JobWorker().run_once()
    assert job.stop()
    work_off()
    job.refresh_from_db()
    assert (job.state, job.done, job.file_name) == (JobState.STOPPED, 5, "")
    assert len(list_recipients()) == 5
    assert not job.stop()


def test_a_worker_that_lost_its_lease_rolls_back_its_item(account: Account, monkeypatch) -> None:
    job = jobs.start(account, "tests.letters", letters(5))
    slow = JobWorker()
    passing = slow._run_item

    def delayed(*args) -> None:
        monkeypatch.setattr(slow, "_run_item", passing)
        with time_machine.travel(clock.now() + timedelta(seconds=121)):
            JobWorker().run_once()  # another worker does one item; items run one at a time now
        passing(*args)

    monkeypatch.setattr(slow, "_run_item", delayed)
    slow.run_once()
    job.refresh_from_db()
    assert job.done == 1
    assert list_recipients() == ["guest0"]
    with time_machine.travel(clock.now() + timedelta(seconds=122)):
        work_off()
    assert list_recipients() == [f"guest{number}" for number in range(5)]


def test_a_job_waits_while_the_database_fails(account: Account, monkeypatch) -> None:

    job = jobs.start(account, "tests.letters", letters(3))

    def away(*args, **kwargs):
        raise OperationalError("away")

    with monkeypatch.context() as trouble:
        trouble.setattr(Job, "advance", away)
        JobWorker().run_once()
    job.refresh_from_db()
    assert (job.state, job.done, job.failed_count) == (JobState.WAITING, 0, 0)
    assert job.next_run_at > clock.now()
    assert not JobWorker().run_once(), "it waits first"
    with time_machine.travel(clock.now() + timedelta(seconds=6)):
        work_off()
    assert len(list_recipients()) == 3


def test_an_item_that_kills_its_worker_each_time_is_skipped_in_the_end(account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(3))
    Job.objects.update(attempts=5)
    work_off()
    job.refresh_from_db()
    assert (job.state, job.failed_count) == (JobState.DONE, 1)
    assert "several times" in jobs.list_faults(job, 1)[0].fault
    assert list_recipients() == ["guest1", "guest2"]


def test_a_file_that_cannot_be_created_fails_the_job_with_a_message(account: Account, monkeypatch) -> None:
    monkeypatch.setitem(job_kinds._kinds, "tests.letters", replace(job_kinds._kinds["tests.letters"], max_file_bytes=3))
    job = jobs.start(account, "tests.letters", letters(2))
    work_off()
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.FAILED, 2)
    assert "couldn’t create the file" in job.last_error


def test_a_job_and_its_file_are_deleted_a_week_after_its_end(account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(1))
    waiting = jobs.start(account, "tests.no_file", [1])
    JobWorker().run_once()
    JobWorker().run_once()
    JobWorker().run_once()
    Job.objects.filter(pk=waiting.pk).update(state=JobState.WAITING, ended_at=None)
    assert Job.delete_old() == 0
    with time_machine.travel(clock.now() + timedelta(days=7, minutes=1)):
        assert Job.delete_old() == 1
    with pytest.raises(FileNotFoundError):
        store.get(job.pk)
    with pytest.raises(NotFoundError):
        jobs.get_job(account, job.pk)
    assert jobs.get_job(account, waiting.pk)


@pytest.mark.django_db(transaction=True)
def test_closing_an_account_deletes_its_jobs_and_files(account: Account) -> None:
    job = jobs.start(account, "tests.letters", letters(1))
    going = jobs.start(account, "tests.letters", letters(20))
    for _ in range(3):
        JobWorker().run_once()
    assert store.get(job.pk)
    purge_account(account)
    assert not Job.objects.filter(pk__in=[job.pk, going.pk]).exists()
    with pytest.raises(FileNotFoundError):
        store.get(job.pk)
    work_off()
