"""A job: work on many items that is too long for one call.

Each item commits separately, together with the job's progress. A worker leases the job, and each item's transaction
first checks the lease. The next worker repeats only uncommitted work of a killed worker.

States: waiting ⇄ working → done, stopped (by its owner) or failed.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.db import connection, models, transaction
from typing_extensions import override

from workspace.accounts.models import Account
from workspace.delivery import messages
from workspace.delivery.job_kinds import ItemResult, get_kind
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.storage import journal
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import store
from workspace.storage.journal import Journaled
from workspace.storage.row_tasks import RowTask, row_task

RETENTION = timedelta(days=7)  # after its end, for the job and its file, as items may contain personal data
MAX_AGE = timedelta(days=30)  # maximum age since its start, in any state
MAX_ERROR_LENGTH = 500
MAX_ACTIVE_JOBS = 20  # of one account

# set after each commit of a job; the worker waits for it
wake_event = threading.Event()


def wake_worker_after_commit() -> None:
    """Wake the job worker after the commit."""
    transaction.on_commit(wake_event.set)


def _job_id() -> str:
    return new_id("job")


class LeaseLostError(Exception):
    """The job was leased by another worker, stopped or deleted, so the transaction is rolled back."""


class JobState(models.TextChoices):
    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


ACTIVE_STATES = [JobState.WAITING, JobState.WORKING]


class Job(Journaled):
    """A job of an account."""

    delete_old: ClassVar[RowTask]  # set below

    id = models.CharField(primary_key=True, max_length=40, default=_job_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=60)
    title = models.CharField(max_length=120)
    noun = models.CharField(max_length=60)
    dedupe_key = models.CharField(max_length=200, null=True, blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)  # finished items, including failed ones; items run in order
    failed_count = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)  # number of leases since the last finished item
    # waiting: when its turn comes; working: when the lease expires
    next_run_at = models.DateTimeField(default=clock.now)
    lease_token = models.CharField(max_length=32, null=True, blank=True)
    last_error = models.CharField(max_length=MAX_ERROR_LENGTH, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    file_name = models.CharField(max_length=120, blank=True)
    file_type = models.CharField(max_length=80, blank=True)
    file_size = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(
                fields=["next_run_at"], condition=models.Q(state__in=["waiting", "working"]), name="job_next_run"
            ),
            models.Index(fields=["created_at"], name="job_created"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["account", "dedupe_key"], name="one_job_a_dedupe_key"),
            models.CheckConstraint(
                condition=models.Q(state="working", lease_token__isnull=False)
                | (~models.Q(state="working") & models.Q(lease_token__isnull=True)),
                name="job_working_with_a_token",
            ),
            models.CheckConstraint(condition=models.Q(done__lte=models.F("total")), name="job_within_its_items"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id} ({self.state}, {self.done} of {self.total})"

    @property
    def is_over(self) -> bool:
        return self.state not in ACTIVE_STATES

    @property
    def display_state(self) -> str:
        """The state to display. A job that is waiting between two chunks is shown as working."""
        return str(JobState.WORKING if self.state == JobState.WAITING and self.done else self.state)

    @classmethod
    def check_quota(cls, account: Account) -> None:
        """Raise OperationNotAllowedError if the account has too many active jobs."""
        if cls.objects.filter(account=account, state__in=ACTIVE_STATES).count() >= MAX_ACTIVE_JOBS:
            raise OperationNotAllowedError(messages.TOO_MANY_JOBS(most=MAX_ACTIVE_JOBS))

    @classmethod
    def lease_next(cls, kinds: list[str], *, seconds: float) -> Self | None:
        """Lease the job of these kinds that has waited longest, for `seconds`."""
        due = cls.objects.filter(state__in=ACTIVE_STATES, next_run_at__lte=clock.now(), kind__in=kinds)
        if not due.exists():  # an idle worker takes no write lock
            return None
        with write_transaction():
            rows = due.order_by("next_run_at", "id")
            if connection.features.has_select_for_update_skip_locked:
                rows = rows.select_for_update(skip_locked=True)
            job = rows.first()
            if job is None:
                return None
            job.state, job.lease_token = JobState.WORKING, secrets.token_hex(16)
            job.next_run_at = clock.now() + timedelta(seconds=seconds)
            job.attempts += 1
            job.save(update_fields=["state", "lease_token", "next_run_at", "attempts"])
        return job

    def advance(self, *, seconds: float, fault: bool = False) -> None:
        """Count one item as finished, in its transaction and before its effect.

        Raise LeaseLostError if the lease was lost.
        """
        mine = self._leased_rows().filter(done=self.done)
        until = clock.now() + timedelta(seconds=seconds)
        if not mine.update(
            done=self.done + 1, failed_count=self.failed_count + fault, attempts=0, next_run_at=until, last_error=""
        ):
            raise LeaseLostError(self.pk)

    def note_advance(self, *, fault: bool = False) -> None:
        """Update this object to the values that `advance` wrote. Call it after the commit."""
        self.done, self.failed_count, self.attempts = self.done + 1, self.failed_count + fault, 0

    def renew_lease(self, *, seconds: float) -> bool:
        """Extend the lease during a long step between two items. Return False if the lease was lost."""
        with write_transaction():
            return self._leased_rows().update(next_run_at=clock.now() + timedelta(seconds=seconds)) == 1

    def release(self) -> None:
        """Return the job to the end of the queue. A lease without a finished item does not count as an attempt."""
        self._update_leased(state=JobState.WAITING, next_run_at=clock.now(), attempts=max(0, self.attempts - 1))

    def back_off(self, seconds: float, error: str) -> None:
        """Return the job to the queue, and retry it after `seconds`."""
        turn = clock.now() + timedelta(seconds=seconds)
        self._update_leased(state=JobState.WAITING, next_run_at=turn, last_error=error[:MAX_ERROR_LENGTH])

    def finish(self, state: JobState, **fields: Any) -> bool:
        """Mark the job as done or failed. Return False if the lease was lost."""
        return self._update_leased(state=state, ended_at=clock.now(), **fields)

    def stop(self) -> bool:
        """Stop the job for its owner. Finished items stay, and the current item is rolled back or committed.

        Return False if the job is already over."""
        with write_transaction():
            going = Job.objects.filter(pk=self.pk, state__in=ACTIVE_STATES)
            stopped = going.update(state=JobState.STOPPED, lease_token=None, ended_at=clock.now()) == 1
        self.refresh_from_db()
        return stopped

    def _restore_state(self, state: str) -> None:
        """Undo the stopping of a job, so that it continues, or redo it.

        Raise OperationNotAllowedError if the account has too many active jobs.
        """
        former = self.state
        if state == JobState.STOPPED:
            self.stop()
        else:
            self.check_quota(self.account)
            # removes the lease that the job had when it was stopped
            self.state, self.ended_at, self.next_run_at = JobState.WAITING, None, min(self.next_run_at, clock.now())
            self.save(update_fields=["state", "ended_at", "next_run_at"])
            wake_worker_after_commit()
        journal.record_field_changes(self, {"state": (former, str(self.state))})

    journal_field_restorers = {"state": _restore_state}

    @override
    @classmethod
    def undo_creation_many(cls, rows: Sequence[Job]) -> None:
        """Undo the start of jobs: stop them, and remove what they created."""
        for job in rows:
            job.stop()
            undo = get_kind(job.kind).undo
            if undo is not None:
                undo(job.account, [outcome.result for outcome in job.list_results() if not outcome.fault])

    def list_results(self) -> Iterator[ItemResult]:
        """Return the results of the finished items, in order."""
        rows = self.items.filter(position__lt=self.done).order_by("position")
        for row in rows.values_list("position", "name", "result", "error").iterator(chunk_size=500):
            yield ItemResult(*row)

    def _leased_rows(self) -> models.QuerySet[Job]:
        return Job.objects.filter(pk=self.pk, state=JobState.WORKING, lease_token=self.lease_token)

    def _update_leased(self, **fields: Any) -> bool:
        with write_transaction():
            return self._leased_rows().update(lease_token=None, **fields) == 1

    @property
    def file_key(self) -> str:
        return self.pk

    @property
    def expires_at(self) -> Any:
        """The time at which the job and its file are deleted, or None while it is active."""
        return self.ended_at + RETENTION if self.ended_at else None


def _expired_ids() -> models.QuerySet[Job, str]:
    now = clock.now()
    old = models.Q(ended_at__lt=now - RETENTION) | models.Q(created_at__lt=now - MAX_AGE)
    return Job.objects.filter(old).values_list("pk", flat=True)


@row_task("delivery.delete_old_jobs", _expired_ids)
def delete_old(key: str) -> bool:
    """Delete a job a week after its end, with its items and file."""
    with write_transaction():
        Job.objects.filter(pk=key).delete()
    store.delete(key)
    return True


Job.delete_old = delete_old


class JobItem(models.Model):
    """An item of a job. `position` starts at 0. The item is finished if the job's `done` is greater."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    body: models.JSONField[Any, Any] = models.JSONField()
    result: models.JSONField[Any, Any] = models.JSONField(null=True)
    error = models.CharField(max_length=MAX_ERROR_LENGTH, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "position"], name="one_item_a_position")]
        indexes = [
            models.Index(fields=["job", "position"], condition=~models.Q(error=""), name="job_items_with_an_error"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.name}"
