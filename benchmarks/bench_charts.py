"""A chart of 500 guests at 50 tables: seating one, all its tables, a page of its guests. Goal: 50 ms for a seat.

Runs alone: python benchmarks/bench_charts.py. `WORKSPACE_DATABASE_URL` names an empty PostgreSQL database, else it is
SQLite.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_OUTBOX="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from django.conf import settings
from django.core.management import call_command

from workspace.testing import make_account, make_api

GUESTS, SEATS, TIMES = 500, 11, 40


def timed(act: Callable[[int], object], times: int = TIMES) -> str:
    walls, cores = [], []
    for number in range(times):
        begun, core = time.perf_counter(), time.process_time()
        act(number)
        walls.append((time.perf_counter() - begun) * 1000)
        cores.append((time.process_time() - core) * 1000)
    return f"median {statistics.median(walls):.0f} ms, of the processor {statistics.median(cores):.0f} ms"


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    api = make_api(make_account())
    made = api.run("svc_seat_create", title="Gala", tables=[{"capacity": SEATS, "count": GUESTS // 10}])
    chart, tables = made["chart"]["id"], [row["id"] for row in made["items"]]
    people = [{"name": f"Zoë Ångström {n}", "party": f"Party {n // 3}"} for n in range(GUESTS)]
    rows = api.run("svc_seat_add_guests", event_id=chart, guests=people)["items"]
    ids = [row["id"] for row in rows]
    seats = [{"id": id, "table_id": tables[n % len(tables)]} for n, id in enumerate(ids)]
    api.run("svc_seat_save_guests", event_id=chart, items=seats)

    def assign(number: int) -> object:
        return api.run(
            "svc_seat_assign", event_id=chart, guest_id=ids[number], table_id=tables[(number + 1) % len(tables)]
        )

    print(f"seat one of {GUESTS}: {timed(assign)}")
    print(f"all {len(tables)} tables: {timed(lambda number: api.run('svc_seat_tables', event_id=chart), 10)}")
    print(f"50 guests: {timed(lambda number: api.run('svc_seat_guests', event_id=chart))}")


if __name__ == "__main__":
    main()
