"""Statistics of a code with ten thousand and with ten million visits, over a month and a year, beside a floor (the same
figures by four raw statements), and how much they grow. On PostgreSQL where WORKSPACE_DATABASE_URL names one, in a
database of its own beside it.

    python benchmarks/bench_statistics.py
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_OUTBOX="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from datetime import timedelta

import visited
from django.conf import settings
from django.db import connection

from workspace.accounts.door import Caller, perform
from workspace.accounts.models import Account, Person
from workspace.interfaces.catalogue import CATALOGUE
from workspace.products.qr.models import SCAN, Code
from workspace.publishing.models.counters import HOURS
from workspace.publishing.statistics import statistics
from workspace.toolkit import clock

VISITS, DAYS = (10_000, 10_000_000), (30, 365)
SECONDS = 0.4

TALLY = "SELECT id, total FROM publishing_tally WHERE publication_id = %s AND event = %s AND part = ''"
BY_DAY = "SELECT day, count, uniques, bots FROM publishing_dayslot WHERE tally_id = %s AND day >= %s"
BY_HOUR = (
    f"SELECT {', '.join(f'SUM({hour})' for hour in HOURS)} FROM publishing_dayslot WHERE tally_id = %s AND day >= %s"
)
SHARES = """SELECT f.dimension, f.value, f.count - COALESCE(
  (SELECT before_count FROM publishing_facetslot WHERE facet_id = f.id AND day >= %s AND day < %s ORDER BY day LIMIT 1),
  (SELECT before_count FROM publishing_facetslot WHERE facet_id = f.id AND day >= %s ORDER BY day LIMIT 1)) AS n
  FROM publishing_facet f WHERE f.tally_id = %s AND f.last_day >= %s ORDER BY f.dimension, n DESC"""


def cost(work: Callable[[], object]) -> float:
    """Milliseconds of a call, the best of many: of this process's CPU, but with PostgreSQL, which is another process,
    by the clock."""
    now = time.process_time if connection.vendor == "sqlite" else time.perf_counter
    work()
    times = []
    ends = time.perf_counter() + SECONDS
    while time.perf_counter() < ends:
        began = now()
        work()
        times.append(now() - began)
    return 1000 * min(times)


def floor(publication: str, days: int) -> None:
    began = clock.today() - timedelta(days=days - 1)
    first, soon = map(connection.ops.adapt_datefield_value, (began, began + timedelta(days=8)))
    cursor = connection.connection.cursor()
    mark = (lambda sql: sql) if connection.vendor == "postgresql" else (lambda sql: sql.replace("%s", "?"))
    tally, _ = cursor.execute(mark(TALLY), [publication, SCAN]).fetchone()
    for statement, values in (
        (BY_DAY, [tally, first]),
        (BY_HOUR, [tally, first]),
        (SHARES, [first, soon, first, tally, first]),
    ):
        cursor.execute(mark(statement), values).fetchall()
    cursor.close()


@contextmanager
def database() -> Iterator[None]:
    """One of its own, gone afterwards."""
    test = settings.DATABASES["default"].setdefault("TEST", {})
    if connection.vendor == "sqlite":
        test["NAME"] = connection.settings_dict["TEST"]["NAME"] = f"{os.environ['WORKSPACE_DATA']}/bench.sqlite3"
    earlier = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(earlier, verbosity=0)
        shutil.rmtree(os.environ["WORKSPACE_DATA"])


def main() -> None:
    with database():
        caller = Caller(Account.open(Person.objects.create_user("bench@example.com"), name="Bench"))
        made = {}
        for number in VISITS:
            create = {"name": f"{number:,} visits", "target_url": "https://example.com"}
            answer: Any = perform(CATALOGUE.by_name["svc_qr_create"], caller, create)
            made[number] = Code.objects.get(pk=answer.data["id"])
            visited.visit(made[number].publication_id, SCAN, number)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        print(
            f"{connection.vendor:>12} {'days':>5} {'floor':>9} {'statistics':>11} {'tool':>9} {'ratio':>7} {'grown':>6}"
        )
        for days in DAYS:
            smallest = 0.0
            for number in VISITS:
                costs = measured(caller, made[number], days)
                smallest = smallest or costs[2]
                low, figures, told = costs
                print(
                    f"{number:12,} {days:5} {low:6.2f} ms {figures:8.2f} ms {told:6.2f} ms "
                    f"{low / told:7.2f} {told / smallest:6.2f}"
                )


def measured(caller: Caller, code: Code, days: int) -> tuple[float, float, float]:
    """The floor, `statistics`, and `svc_qr_stats` through the door."""
    tool = CATALOGUE.by_name["svc_qr_stats"]
    return (
        cost(lambda: floor(code.publication_id, days)),
        cost(lambda: statistics(code.publication_id, SCAN, days=days, zone=caller.account.zone)),
        cost(lambda: perform(tool, caller, {"id": code.pk, "days": days})),
    )


if __name__ == "__main__":
    main()
