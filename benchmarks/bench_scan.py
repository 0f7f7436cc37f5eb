"""Visits a second through `record_async`, beside the floor: one row a commit, one after another, on the same disk.

    python benchmarks/bench_scan.py

A writer that batches must be well above that floor; the ratio is what counts, since disks differ. Under ten seconds.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
FLOOR = 2.0  # times the commits of single rows
SECONDS = 0.8
ROUNDS = 3
GUESTS = 200  # waiting at a time


def single_commits() -> float:
    """Commits a second, each with one row of a visit."""
    from workspace.publishing.models import Visit
    from workspace.storage.database import writing
    from workspace.toolkit import clock

    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < SECONDS:
        with writing():
            now = clock.now()
            Visit.objects.create(
                publication_id="pub_floor", event="scan", at=now, day=now.date(), bot=False, visitor="0" * 32
            )
        count += 1
    return count / (time.perf_counter() - began)


async def visits() -> float:
    """Visits a second, each confirmed: row, counters and uniqueness."""
    from workspace.publishing.visitor import Visitor
    from workspace.publishing.visits import record_async

    began, count = time.perf_counter(), 0

    async def come(number: int) -> None:
        nonlocal count
        who = Visitor(False, "phone", f"City {number % 20}", "Austria", "", f"{number:032x}")
        while time.perf_counter() - began < SECONDS:
            await record_async(f"pub_{number % 10}", "scan", who)
            count += 1

    await asyncio.gather(*[come(number) for number in range(GUESTS)])
    return count / (time.perf_counter() - began)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("WORKSPACE_DATA", folder)
        os.environ["DJANGO_SETTINGS_MODULE"] = "workspace.settings"
        import django
        from django.core.management import call_command
        from django.db import connection

        django.setup()
        call_command("migrate", verbosity=0)
        from workspace.publishing.visits import VisitWriter

        writer = VisitWriter()
        floors, rates = [], []
        for _ in range(ROUNDS):
            floors.append(single_commits())
            writer.start()
            rates.append(asyncio.run(visits()))
            writer.stop()
        connection.close()
    floor, rate = statistics.median(floors), statistics.median(rates)
    ratio = rate / floor
    print(f"single commits {floor:8.0f}/s   visits {rate:8.0f}/s   ratio {ratio:.2f} (floor {FLOOR})")
    return 0 if ratio >= FLOOR else 1


if __name__ == "__main__":
    raise SystemExit(main())
