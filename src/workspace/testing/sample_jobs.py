"""Kinds of jobs for tests, in a module that a separate worker process imports too."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.jobs import Item, ItemResult, JobFile, job
from workspace.delivery.models import Delivery
from workspace.lib.errors import OperationNotAllowedError
from workspace.testing import fork_server, separate_process

# the countable effect of an item: a row of the outbox that no test sends
LETTER = "test letter"
hold = threading.Event()
held = threading.Event()

outbox.register_channel(LETTER, lambda: (_ for _ in ()).throw(AssertionError("nobody sends these")))


def prepare_letters(account: Account, items: Sequence[Item]) -> list[Any]:
    """Prepare letters. Keys of an item make it wait, fail, block or kill its process."""
    for item in items:
        time.sleep(item.body.get("seconds", 0))
        if item.body.get("unprepared"):
            raise OperationNotAllowedError("It cannot be drawn")
        if item.body.get("holds"):
            held.set()
            hold.wait(60)
        if item.body.get("kills"):
            os.kill(os.getpid(), signal.SIGKILL)
    return [f"drawing of {item.name}" for item in items]


def as_list(account: Account, done: Iterator[ItemResult], path: Path) -> JobFile:
    path.write_text("".join(f"{one.name},{one.result or one.fault}\n" for one in done))
    return JobFile("Letters.csv", "text/csv")


@job("tests.letters", title="Letters", noun="letters", prepare=prepare_letters, finish=as_list, chunk=5)
def write(account: Account, item: Item) -> str:
    """Write a letter. Keys of an item make it fail."""
    outbox.put(LETTER, {"to": item.name}, account=account)
    if item.body.get("refused"):
        raise OperationNotAllowedError("Nobody lives there")
    if item.body.get("broken"):
        raise KeyError("nonsense")
    return f"sent, {item.ready}"


@job("tests.no_file", title="Work without a file", noun="steps")
def step(account: Account, item: Item) -> None: ...


def letters(count: int, **fields: Any) -> list[dict[str, Any]]:
    return [{"name": f"guest{number}", **fields} for number in range(count)]


def list_recipients() -> list[str]:
    """Return the recipients of the letters, once per letter."""
    return sorted(Delivery.objects.filter(kind=LETTER).values_list("payload__to", flat=True))


def run_job_worker(lease: str) -> None:
    """Run jobs until the process is ended."""
    from workspace.delivery.jobs.worker import JobWorker
    from workspace.delivery.outbox.worker_thread import run_forever

    run_forever(JobWorker(poll=0.05, lease=float(lease)))


def start_job_worker(lease: float) -> fork_server.Popen | subprocess.Popen[bytes]:
    """Start a worker for jobs in a separate process, on the tests' database."""
    return separate_process.start("workspace.testing.sample_jobs:run_job_worker", str(lease))
