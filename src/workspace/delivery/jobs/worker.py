"""The lane in which jobs are done, chunk by chunk, so that jobs take turns; apart from the outbox's, so that no mail
waits for five hundred PDFs. Any number of lanes may run side by side."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.db import InterfaceError, OperationalError, connection

from workspace.accounts.models import Account
from workspace.delivery import jobs
from workspace.delivery.jobs import Item, Kind
from workspace.delivery.models import Job, JobState
from workspace.delivery.models.job import LONGEST_WORDS, LeaseLost
from workspace.delivery.outbox.worker_thread import Lane
from workspace.lib.errors import NotFound, Refusal, Unavailable
from workspace.storage.database.transactions import writing
from workspace.storage.files import store

logger = logging.getLogger(__name__)

# The database's own troubles: nothing is wrong with the item, so it is tried again later.
TROUBLES = (OperationalError, InterfaceError, Unavailable)
DELAYS = (5.0, 30.0, 120.0, 600.0)
OURS = "Something went wrong here with this one, and whoever runs this service can see what. Try it again alone."
WORN_OUT = "This one could not be done after several attempts. Try it again alone, or leave it out."
NO_FILE = "Everything was done, but the file of it could not be made. Whoever runs this service can see why."


class JobLane(Lane):
    """`lease`: seconds until a job whose worker was killed is taken again; each item that passes renews it, so it must
    exceed what preparing one chunk takes."""

    def __init__(self, *, poll: float = 3.0, lease: float = 120.0) -> None:
        super().__init__("jobs", jobs.wake, poll)
        self.lease = lease

    def turn(self) -> bool:
        """One chunk of the job whose turn it is; whether there was one."""
        job = Job.lease(jobs.kinds(), seconds=self.lease)
        if job is None:
            return False
        try:
            self._chunk(job, jobs.kind_of(job))
        except LeaseLost:
            logger.info("Job %s was stopped, or is done by another worker", job.pk)
        except Exception as trouble:  # whatever a job meets, the others go on
            logger.warning("Job %s waits after a failure", job.pk, exc_info=not isinstance(trouble, TROUBLES))
            job.back_off(DELAYS[min(max(job.tries, 1), len(DELAYS)) - 1], f"{type(trouble).__name__}: {trouble}")
        return True

    def _chunk(self, job: Job, kind: Kind) -> None:
        worn_out = job.tries > len(DELAYS) + 1
        if job.done == job.total:
            self._finish(job, kind, worn_out)
            return
        # after a worker was killed one at a time, so that the item that kills is found
        most = kind.chunk if job.tries == 1 else 1
        rows = job.items.filter(place__gte=job.done).order_by("place")[:most]
        chunk = [Item(row.place, row.name, row.body) for row in rows]
        if worn_out:
            self._fault(job, chunk[0], WORN_OUT)
        else:
            with held(job, self.lease):
                made = _prepared(job, kind, chunk)
            for item, ready in zip(chunk, made, strict=True):
                if self._stopping.is_set():
                    break
                self._pass(job, kind, replace(item, ready=ready))
        job.release()

    def _pass(self, job: Job, kind: Kind, item: Item) -> None:
        """The item's effect and the job's progress in one transaction, or its fault."""
        try:
            if isinstance(item.ready, Exception):
                raise item.ready
            with writing():
                account = _locked(job)
                job.step(seconds=self.lease)
                result = kind.each(account, item)
                if result is not None:
                    if jobs.size_of(result) > jobs.LARGEST_ITEM:
                        raise ValueError("An item's result is over 64 kB: put it into the file")
                    job.items.filter(place=item.place).update(result=result)
            job.stepped()
        except (LeaseLost, *TROUBLES):
            raise
        except Refusal as refusal:
            self._fault(job, item, refusal.message)
        except Exception:
            logger.exception("Job %s (%s): its item %s failed", job.pk, job.kind, item.place)
            self._fault(job, item, OURS)

    def _fault(self, job: Job, item: Item, words: str) -> None:
        with writing():
            _locked(job)
            job.step(seconds=self.lease, fault=True)
            job.items.filter(place=item.place).update(fault=words[:LONGEST_WORDS])
        job.stepped(fault=True)

    def _finish(self, job: Job, kind: Kind, worn_out: bool) -> None:
        if kind.finish is None:
            job.end(JobState.DONE, last_error="")
            return
        with store.part() as path:
            try:
                if worn_out:
                    raise RuntimeError("The worker ended each time at this")
                with held(job, self.lease):
                    made = kind.finish(job.account, jobs.outcomes(job), path)
                size = path.stat().st_size
                if size > kind.largest:
                    raise ValueError(f"A file of {size} bytes")
            except (*TROUBLES, OSError):  # of the database, or of a disk that is full
                raise
            except Refusal as refusal:
                job.end(JobState.FAILED, last_error=refusal.message[:LONGEST_WORDS])
                return
            except Exception:
                logger.exception("Job %s (%s): its file could not be made", job.pk, job.kind)
                job.end(JobState.FAILED, last_error=NO_FILE)
                return
            # under a key that the job knows: a second try replaces it, and what a killed one left goes with the job
            with held(job, self.lease):
                store.put_part(job.file_key, path)
            told = {"file_name": made.name, "file_type": made.media_type, "file_size": size}
            job.end(JobState.DONE, last_error="", **told)


@contextmanager
def held(job: Job, seconds: float) -> Iterator[None]:
    """Renew the lease while something takes its time that ends with no item."""
    over = threading.Event()

    def renew() -> None:
        try:
            while not over.wait(seconds / 3):
                if not job.renew(seconds=seconds):
                    return
        except TROUBLES:
            logger.warning("The lease of job %s could not be renewed", job.pk, exc_info=True)
        finally:
            connection.close()

    if connection.in_atomic_block:  # another thread would wait for what is written here
        yield
        return
    thread = threading.Thread(target=renew, name=f"lease of {job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _prepared(job: Job, kind: Kind, chunk: list[Item]) -> list[object]:
    """One value an item, an exception for one that cannot be prepared."""
    if kind.prepare is None:
        return [None] * len(chunk)
    try:
        ready = list(kind.prepare(job.account, chunk))
        if len(ready) != len(chunk):
            raise ValueError(f"{kind.name}: preparing {len(chunk)} items answered {len(ready)}")
        return ready
    except TROUBLES:
        raise
    except Exception as error:
        if len(chunk) == 1:
            return [error]
        return [one for item in chunk for one in _prepared(job, kind, [item])]


def _locked(job: Job) -> Account:
    try:
        return job.account.lock()
    except NotFound:
        raise LeaseLost(job.pk) from None
