"""The growth of reads: statistics of codes with up to ten million visits, and lists of up to ten thousand codes.

Statistics start at ten thousand visits and cover a month and a year. Their floor computes the same numbers with four
raw statements. The benchmark runs on PostgreSQL, in a separate database, if WORKSPACE_DATABASE_URL names a server.

    python benchmarks/read_growth.py
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from datetime import timedelta
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import visited_codes
from django.conf import settings
from django.db import connection
from table import Row, markdown

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account, Person
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock
from workspace.products.qr.models import SCAN_EVENT, Code
from workspace.publishing.models.visit_counters import HOUR_COLUMNS
from workspace.testing import prepared_database

VISITS, DAYS = (10_000, 100_000, 1_000_000, 10_000_000), (30, 365)
CODES = (10, 100, 1_000, 10_000)
SECONDS = 0 if "--short" in sys.argv else 0.4  # duration of each measurement, which is at least one call

Points = list[tuple[int, float]]
TALLY = "SELECT id, total FROM publishing_visitcounter WHERE publication_id = %s AND event = %s AND detail = ''"
BY_DAY = "SELECT day, count, uniques, bots FROM publishing_dailycounter WHERE counter_id = %s AND day >= %s"
BY_HOUR = (
    f"SELECT {', '.join(f'SUM({hour})' for hour in HOUR_COLUMNS)} FROM publishing_dailycounter WHERE "
    "counter_id = %s AND day >= %s"
)
SHARES = """SELECT f.dimension, f.value, f.count - COALESCE(
  (SELECT before_count FROM publishing_dailybreakdown WHERE breakdown_id = f.id AND day >= %s AND day < %s
    ORDER BY day LIMIT 1),
  (SELECT before_count FROM publishing_dailybreakdown WHERE breakdown_id = f.id AND day >= %s
    ORDER BY day LIMIT 1)) AS n
  FROM publishing_breakdown f WHERE f.counter_id = %s AND f.last_day >= %s ORDER BY f.dimension, n DESC"""


def cost(work: Callable[[], object]) -> float:
    """Return the lowest number of milliseconds among many calls.

    It is this process's CPU time or, with PostgreSQL, which is another process, clock time.
    """
    now = time.process_time if connection.vendor == "sqlite" else time.perf_counter
    work()
    times = []
    ends = time.perf_counter() + SECONDS
    while not times or time.perf_counter() < ends:
        began = now()
        work()
        times.append(now() - began)
    return 1000 * min(times)


def floor(publication: str, days: int) -> None:
    began = clock.today() - timedelta(days=days - 1)
    first, soon = map(connection.ops.adapt_datefield_value, (began, began + timedelta(days=8)))
    cursor = connection.connection.cursor()
    mark = (lambda sql: sql) if connection.vendor == "postgresql" else (lambda sql: sql.replace("%s", "?"))
    tally, _ = cursor.execute(mark(TALLY), [publication, SCAN_EVENT]).fetchone()
    for statement, values in (
        (BY_DAY, [tally, first]),
        (BY_HOUR, [tally, first]),
        (SHARES, [first, soon, first, tally, first]),
    ):
        cursor.execute(mark(statement), values).fetchall()
    cursor.close()


@contextmanager
def database() -> Iterator[None]:
    """Copy the prepared database, and remove the copy afterwards."""
    test = settings.DATABASES["default"].setdefault("TEST", {})
    is_sqlite = connection.vendor == "sqlite"
    if is_sqlite:
        test["NAME"] = connection.settings_dict["TEST"]["NAME"] = f"{os.environ['WORKSPACE_DATA']}/bench.sqlite3"
        shutil.copy(prepared_database.migrated_file(), test["NAME"])
    elif prepared_database.server():
        test["TEMPLATE"] = connection.settings_dict["TEST"]["TEMPLATE"] = prepared_database.migrated_database()
    earlier = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False, keepdb=is_sqlite)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(earlier, verbosity=0)
        shutil.rmtree(os.environ["WORKSPACE_DATA"])


def measure(visits: tuple[int, ...] = VISITS, codes: tuple[int, ...] = CODES) -> tuple[list[Row], dict[str, Points]]:
    """Return the rows of the table, and the points of each line of the plot: size and milliseconds."""
    with database():
        rows, lines = _statistics(_caller("visits"), visits)
        grown = _lists(codes)
        rows.append(_grown("svc_qr_list of 50", [point for point in grown if point[0] >= 50] or grown, "codes"))
        return rows, {**lines, "svc_qr_list": grown}


def _caller(name: str) -> Caller:
    return Caller(Account.open(Person.objects.create_user(f"{name}@example.com"), name=name))


def _statistics(caller: Caller, visits: tuple[int, ...]) -> tuple[list[Row], dict[str, Points]]:
    made = {}
    for number in visits:
        create = {"name": f"{number:,} visits", "target_url": "https://example.com"}
        answer: Any = execute_tool(CATALOG.by_name["svc_qr_create"], caller, create)
        made[number] = Code.objects.get(pk=answer.data["id"])
        visited_codes.visit(made[number].publication_id, SCAN_EVENT, number)
    _analyze()
    rows, lines = [], {}
    tool = CATALOG.by_name["svc_qr_stats"]
    for days in DAYS:
        points: Points = []
        for number, code in made.items():
            low = cost(partial(floor, code.publication_id, days))
            told = cost(partial(execute_tool, tool, caller, {"id": code.pk, "days": days}))
            points.append((number, told))
            what = f"svc_qr_stats, {number:,} visits, {days} days"
            rows.append(Row(what, f"{told:.2f} ms", f"{low:.2f} ms", low / told))
        lines[f"svc_qr_stats, {days} days"] = points
        rows.append(_grown(f"svc_qr_stats, {days} days", points, "visits"))
    return rows, lines


def _lists(codes: tuple[int, ...]) -> Points:
    tool = CATALOG.by_name["svc_qr_list"]
    points: Points = []
    for number in codes:
        caller = _caller(f"list{number}")
        Account.objects.filter(pk=caller.account.pk).update(chosen_plans={"qr": "pro"})
        caller.account.refresh_from_db()
        items = [{"name": f"Code {n}", "target_url": f"https://example.com/{n}"} for n in range(number)]
        for begin in range(0, number, 100):
            execute_tool(CATALOG.by_name["svc_qr_save"], caller, {"items": items[begin : begin + 100]})
        _analyze()
        points.append((number, cost(partial(execute_tool, tool, caller, {}))))
    return points


def _analyze() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def _grown(what: str, points: Points, of: str) -> Row:
    (few, least), (many, most) = points[0], points[-1]
    note = f"from {few:,} to {many:,} {of}; at most 1.5 times as long"
    return Row(f"{what}, grown", f"{most:.2f} ms", f"{least:.2f} ms", least / most, round(1 / 1.5, 2), note)


if __name__ == "__main__":
    table, plotted = measure(VISITS[:1], CODES[:1]) if "--short" in sys.argv else measure()
    told = {"rows": [asdict(row) for row in table], "lines": plotted}
    print(json.dumps(told) if "--json" in sys.argv else markdown(table))
