"""A process that records visits until it is killed: see `workspace.testing.separate_process`.

After each successful recording, it writes a line with the visit's unique referrer directly to its output file.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import threading

from workspace.analytics import visit_writer
from workspace.analytics.visit_writer import VisitWriter, record_visit, record_visit_async
from workspace.testing.publications import build_guest


def pour(publication_id: str, how: str, number: str) -> None:
    """Record visits from `number` threads or tasks, depending on `how`."""
    # a slow machine is not a failing database, so every visit is waited for here
    visit_writer.LOCK_TIMEOUT_SECONDS = visit_writer.THREAD_WAIT_SECONDS = visit_writer.ASYNC_WAIT_SECONDS = 600

    VisitWriter().start()
    guests = (build_guest(f"guest {visit % 50}", referrer_host=f"n{visit}.example") for visit in itertools.count(1))
    turn = threading.Lock()

    def in_threads() -> None:
        while True:
            with turn:
                who = next(guests)
            record_visit(publication_id, "scan", who)
            os.write(1, f"{who.referrer_host}\n".encode())

    async def in_tasks() -> None:
        while True:
            who = next(guests)
            await record_visit_async(publication_id, "scan", who)
            os.write(1, f"{who.referrer_host}\n".encode())

    async def all_tasks() -> None:
        await asyncio.gather(*[in_tasks() for _ in range(int(number))])

    if how == "tasks":
        asyncio.run(all_tasks())
    for _ in range(int(number)):
        threading.Thread(target=in_threads).start()
