"""The worker for jobs, which runs one chunk at a time, so that jobs take turns.

It is separate from the outbox worker, so that no email waits for 500 PDFs. Any number of these workers may run side by
side.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.db import InterfaceError, OperationalError, connection

from workspace.accounts.models import Account
from workspace.delivery import jobs, messages
from workspace.delivery.job_kinds import Item, JobKind, get_kind
from workspace.delivery.models import Job, JobState
from workspace.delivery.models.job import MAX_ERROR_LENGTH, LeaseLostError, wake_event
from workspace.delivery.outbox.worker_thread import WorkerThread
from workspace.lib.errors import NotFoundError, ToolError, UnavailableError
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import store

logger = logging.getLogger(__name__)

# Errors of the database: nothing is wrong with the item, so it is retried later.
DATABASE_ERRORS = (OperationalError, InterfaceError, UnavailableError)
RETRY_DELAYS = (5.0, 30.0, 120.0, 600.0)


class JobWorker(WorkerThread):
    """The worker for jobs.

    `lease` is the number of seconds until another worker takes the job of a killed worker. Each finished item renews
    it, so it must be longer than the preparation of one chunk.
    """

    def __init__(self, *, poll: float = 3.0, lease: float = 120.0) -> None:
        super().__init__("jobs", wake_event, poll)
        self.lease = lease

    def run_once(self) -> bool:
        """Run one chunk of the next job and return whether there was one."""
        job = Job.lease_next(jobs.kind_names(), seconds=self.lease)
        if job is None:
            return False
        try:
            self._run_chunk(job, get_kind(job.kind))
        except LeaseLostError:
            logger.info("Job %s was stopped, or is done by another worker", job.pk)
        except Exception as trouble:  # an error in one job does not stop the others
            logger.warning("Job %s waits after a failure", job.pk, exc_info=not isinstance(trouble, DATABASE_ERRORS))
            job.back_off(
                RETRY_DELAYS[min(max(job.attempts, 1), len(RETRY_DELAYS)) - 1], f"{type(trouble).__name__}: {trouble}"
            )
        return True

    def _run_chunk(self, job: Job, kind: JobKind) -> None:
        worn_out = job.attempts > len(RETRY_DELAYS) + 1
        if job.done == job.total:
            self._finish(job, kind, worn_out)
            return
        # after a crash, items run one by one to find the item that causes it
        most = kind.chunk if job.attempts == 1 else 1
        rows = job.items.filter(position__gte=job.done).order_by("position")[:most]
        chunk = [Item(row.position, row.name, row.body) for row in rows]
        if worn_out:
            self._record_fault(job, chunk[0], str(messages.JOB_ITEM_FAILED_REPEATEDLY))
        else:
            with keep_lease_alive(job, self.lease):
                made = _prepare_items(job, kind, chunk)
            for item, ready in zip(chunk, made, strict=True):
                if self._stopping.is_set():
                    break
                self._run_item(job, kind, replace(item, ready=ready))
        job.release()

    def _run_item(self, job: Job, kind: JobKind, item: Item) -> None:
        """Run an item and update the job's progress in one transaction, or record its error."""
        try:
            if isinstance(item.ready, Exception):
                raise item.ready
            with write_transaction():
                account = _lock_account(job)
                job.advance(seconds=self.lease)
                result = kind.each(account, item)
                if result is not None:
                    if jobs.json_size(result) > jobs.MAX_ITEM_BYTES:
                        raise ValueError("The result of an item is over 64 kB. Write it to the file instead")
                    job.items.filter(position=item.place).update(result=result)
            job.note_advance()
        except (LeaseLostError, *DATABASE_ERRORS):
            raise
        except ToolError as refusal:
            self._record_fault(job, item, refusal.message)
        except Exception:
            logger.exception("Job %s (%s): its item %s failed", job.pk, job.kind, item.place)
            self._record_fault(job, item, str(messages.JOB_ITEM_FAILED))

    def _record_fault(self, job: Job, item: Item, message: str) -> None:
        with write_transaction():
            _lock_account(job)
            job.advance(seconds=self.lease, fault=True)
            job.items.filter(position=item.place).update(error=message[:MAX_ERROR_LENGTH])
        job.note_advance(fault=True)

    def _finish(self, job: Job, kind: JobKind, has_used_all_attempts: bool) -> None:
        if kind.finish is None:
            job.finish(JobState.DONE, last_error="")
            return
        with store.open_part() as path:
            try:
                if has_used_all_attempts:
                    raise RuntimeError("The worker stopped at this item on every attempt")
                with keep_lease_alive(job, self.lease):
                    made = kind.finish(job.account, job.list_results(), path)
                size = path.stat().st_size
                if size > kind.max_file_bytes:
                    raise ValueError(f"The file is too large ({size} bytes)")
            except (*DATABASE_ERRORS, OSError):  # an error of the database, or a full disk
                raise
            except ToolError as refusal:
                job.finish(JobState.FAILED, last_error=refusal.message[:MAX_ERROR_LENGTH])
                return
            except Exception:
                logger.exception("Job %s (%s): its file could not be made", job.pk, job.kind)
                job.finish(JobState.FAILED, last_error=str(messages.JOB_FILE_FAILED))
                return
            # stored under the job's key, so that a retry replaces it and an orphaned file is deleted with the job
            with keep_lease_alive(job, self.lease):
                store.put_part(job.file_key, path)
            file_columns = {"file_name": made.name, "file_type": made.media_type, "file_size": size}
            job.finish(JobState.DONE, last_error="", **file_columns)


@contextmanager
def keep_lease_alive(job: Job, seconds: float) -> Iterator[None]:
    """Renew the lease during a long step in which no item is finished."""
    over = threading.Event()

    def renew() -> None:
        try:
            while not over.wait(seconds / 3):
                if not job.renew_lease(seconds=seconds):
                    return
        except DATABASE_ERRORS:
            logger.warning("The lease of job %s could not be renewed", job.pk, exc_info=True)
        finally:
            connection.close()

    if connection.in_atomic_block:  # another thread would wait for uncommitted writes
        yield
        return
    thread = threading.Thread(target=renew, name=f"lease of {job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _prepare_items(job: Job, kind: JobKind, chunk: list[Item]) -> list[object]:
    """Return one value per item, or an exception for an item that cannot be prepared."""
    if kind.prepare is None:
        return [None] * len(chunk)
    try:
        ready = list(kind.prepare(job.account, chunk))
        if len(ready) != len(chunk):
            raise ValueError(f"{kind.name}: preparing {len(chunk)} items returned {len(ready)}")
        return ready
    except DATABASE_ERRORS:
        raise
    except Exception as error:
        if len(chunk) == 1:
            return [error]
        return [one for item in chunk for one in _prepare_items(job, kind, [item])]


def _lock_account(job: Job) -> Account:
    try:
        return job.account.lock()
    except NotFoundError:
        raise LeaseLostError(job.pk) from None
