"""A chart of 500 guests at 50 tables: seating a guest, lists, the plan, find my table, and "move at most ten".

Goals: 50 ms for a seat, 30 ms for finding a table, a second for the plan.

Run it alone: python benchmarks/bench_charts.py. `WORKSPACE_DATABASE_URL` names an empty PostgreSQL database, otherwise
it uses SQLite. With a browser: python benchmarks/bench_plan.py.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.test import Client

from workspace.products.seat.domain import solver_snapshot
from workspace.products.seat.models import Chart
from workspace.products.seat.rules.solver import annealing
from workspace.products.seat.rules.solver.obstacles import find_obstacles
from workspace.products.seat.rules.solver.problem import build_problem
from workspace.testing.api import make_account, make_api

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
    people = [{"name": f"Zoë Ångström {n}", "party": f"Party {n // 5}"} for n in range(GUESTS)]
    rows = api.run("svc_seat_add_guests", event_id=chart, guests=people)["items"]
    ids = [row["id"] for row in rows]
    seats = [{"id": id, "table_id": tables[n // 10]} for n, id in enumerate(ids)]
    api.run("svc_seat_save_guests", event_id=chart, items=seats)

    def assign(number: int) -> object:
        return api.run(
            "svc_seat_assign", event_id=chart, guest_id=ids[number], table_id=tables[(number + 1) % len(tables)]
        )

    print(f"at most ten move, its first part: {timed(lambda number: few(chart), 3)}")
    print(f"seat one of {GUESTS}: {timed(assign)}")
    print(f"all {len(tables)} tables: {timed(lambda number: api.run('svc_seat_tables', event_id=chart), 10)}")
    print(f"50 guests: {timed(lambda number: api.run('svc_seat_guests', event_id=chart))}")
    address = api.run("svc_seat_edit", event_id=chart, find_table=True, show_names=True)["chart"]["public_url"]
    guest, owner = Client(), Client()
    owner.force_login(api.account.owner)
    path = f"{urlsplit(address).path}/find"

    def find_table(number: int) -> object:
        return guest.get(path, {"q": f"ang {number}"}, headers={"X-Part": "1"})

    assert b"s-hits" in guest.get(path, {"q": "ang 41"}).content
    print(f"find a table: {timed(find_table)}")
    print(f"the plan's page: {timed(lambda number: owner.get(f'/app/seat/{chart}'), 10)}")


def few(id: str) -> None:
    """Do what the first part of a search does: read the chart and seat it within three tenths of a second."""
    read = solver_snapshot.take_snapshot(Chart.objects.get(pk=id))
    assert find_obstacles(read.tables, read.guests, read.preferences) == []
    found = annealing.find_seating(
        build_problem(read.tables, read.guests, read.preferences), seconds=0.3, most_moves=10
    )
    assert found.breach == 0


if __name__ == "__main__":
    main()
