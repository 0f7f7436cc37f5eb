"""The cost of requests as the database grows to 20,000 accounts and ten million visits.

    python benchmarks/database_growth.py [ACCOUNTS …]          # 200 2000 6000 20000; 500 visits per account

It needs at least 100 accounts: all others are copies of the first hundred (see `grown_database.py`). It runs on
PostgreSQL if WORKSPACE_TEST_DATABASE_URL names a server, in a separate database, otherwise on SQLite in a temporary
folder. It prints its progress, and writes `benchmarks/sizes-sqlite.json` (or `-postgresql`) and `benchmarks/sizes.svg`.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from footprint import spent
from plot import svg
from table import Row, markdown

from workspace.testing.prepared_database import server as database_server
from workspace.testing.service import Service

SIZES, EACH = (200, 2_000, 6_000, 20_000), 500
STEP = 1_000  # accounts in one step
CALLS, GUESTS = 40, 200
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
PLOTTED = ("svc_qr_list", "svc_qr_stats, 365 days", "svc_search", "svc_qr_create", "a scan", "a page")
SHARES = {"pub_g1x": ("scan", 0.85), "pub_g2x": ("view", 0.15)}


def measure(sizes: tuple[int, ...] = SIZES) -> list[dict[str, float]]:
    """Return the measurements at each size."""
    service = Service(WORKSPACE_BACKGROUND_WORKER="off").migrate()
    os.environ.update({name: value for name, value in service.env.items() if name.startswith("WORKSPACE_")})
    os.environ["DJANGO_SETTINGS_MODULE"] = "workspace.settings"
    vendor = "postgresql" if service.env["WORKSPACE_DATABASE_URL"] else "sqlite"
    import django

    django.setup()
    file = HERE / f"sizes-{vendor}.json"
    told: list[dict[str, float]] = []
    try:
        template, owner = _template(), _owner()
        reached = 0
        for size in sizes:
            began = time.perf_counter()
            while reached < size:
                step = min(STEP, size - reached)
                _grow(template, reached + 1, reached + step)
                reached += step
            _analyze_tables(vendor)
            told.append({"accounts": size, "visits": _visits(), "grown in s": time.perf_counter() - began})
            told[-1] |= _measured(service, vendor, size, owner)
            print(json.dumps({name: round(value, 2) for name, value in told[-1].items()}), file=sys.stderr, flush=True)
            file.write_text(json.dumps(told, indent=1) + "\n")
            _plot()
    finally:
        service.stop()
        _drop(service)
        shutil.rmtree(service.folder, ignore_errors=True)
    return told


def compare_sizes(measurements: list[dict[str, float]]) -> list[Row]:
    """Return the rows that compare the largest size with the smallest."""
    small, large = measurements[0], measurements[-1]
    note = f"{large['accounts']:,} accounts and {large['visits']:,} visits beside {small['accounts']:,}"
    found = [Row(name, f"{large[name]:.1f} ms CPU", f"{small[name]:.1f} ms CPU", small[name] / large[name], note=note)
             for name in PLOTTED]  # fmt: skip
    return [*found, Row("the database", f"{large['GB']:.2f} GB", f"{small['GB']:.2f} GB", note=note)]


def plotted_points(measurements: list[dict[str, float]]) -> dict[str, list[tuple[float, float]]]:
    return {name: [(one["visits"], one[name]) for one in measurements] for name in PLOTTED}


def _plot() -> None:
    """Plot the last measurements on each database."""
    drawn: dict[str, list[tuple[float, float]]] = {}
    for vendor in ("sqlite", "postgresql"):
        file = HERE / f"sizes-{vendor}.json"
        told = json.loads(file.read_text()) if file.exists() else []
        drawn |= {f"{name}, {vendor}": points for name, points in plotted_points(told).items()} if told else {}
    (HERE / "sizes.svg").write_text(
        svg(
            "What owners and guests cost as all of it grows",
            "visits in the installation",
            "ms of the processor a call",
            drawn,
        )
    )


def _template() -> Any:
    """Return the account that all others copy, with a code and a card."""
    from django.db import connection
    from grown_database import Template

    from workspace.accounts.dispatch import Caller, execute_tool
    from workspace.accounts.models import Account, Person
    from workspace.interfaces.tool_catalog import CATALOG
    from workspace.products.card.models import Card
    from workspace.products.qr.models import Code
    from workspace.publishing.models import Address

    person = Person.objects.create_user("template@example.com")
    caller = Caller(Account.open(person, name="Corner Café"))
    for name, given in (
        ("svc_qr_create", {"name": "Poster", "target_url": "https://example.com/menu"}),
        ("svc_card_create", {"full_name": "Olive Owner", "email": "olive@example.com"}),
    ):
        execute_tool(CATALOG.by_name[name], caller, given)
    code, card = Code.objects.get(), Card.objects.get()
    slugs = [Address.objects.get(publication=thing.publication).slug for thing in (code, card)]
    connection.close()
    # the prefix of an id is kept, so that replacing whole ids keeps their kinds distinct
    marks = {caller.account.pk: "acc_gx", code.publication_id: "pub_g1x", card.publication_id: "pub_g2x"}
    marks |= {code.pk: "qr_gx", card.pk: "card_gx", person.email: "grown@example.com.", slugs[0]: "gq", slugs[1]: "gc"}
    marks[caller.account.invite_code] = "gi"
    return Template(caller.account.pk, person.pk, marks)


def _owner() -> str:
    """Return a key of an account with many codes, which were created as the owner would create them."""
    from django.db import connection

    from workspace.accounts.models import Account, ApiKey, Person

    account = Account.open(Person.objects.create_user("busy@example.com"), name="Busy", chosen={"qr": "pro"})
    _, key = ApiKey.create(account, name="Bench")
    connection.close()
    return key


def _grow(template: Any, first: int, last: int) -> None:
    from django.db import transaction
    from grown_database import count, quickly, spread, visit

    quickly()
    with transaction.atomic():
        template.copy(first, last)
        for publication, (event, share) in SHARES.items():
            if first == 1:
                visit(publication, event, EACH * share)
                count(publication)
            spread(publication, first, last)


def _analyze_tables(vendor: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if vendor == "sqlite":
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _visits() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM publishing_visit")
        return int(cursor.fetchone()[0])


def _measured(service: Service, vendor: str, size: int, owner: str) -> dict[str, float]:
    """Return the processor milliseconds of each call, of server and database together, unless stated otherwise."""
    from django.db import connection

    from workspace.accounts.models import Account, ApiKey
    from workspace.analytics import rare_value_rollup, retention

    found = {"GB": _bytes(service, vendor) / 1e9}
    # the busiest account, as its owner sees it
    account = Account.objects.get(pk=f"acc_gx{size // 100 * 100}")
    _, key = ApiKey.create(account, name=f"Bench {size}")
    code = f"qr_gx{size // 100 * 100}"
    found["forgetting, s"] = _seconds(retention.delete_expired)
    found["forgetting figures, s"] = _seconds(retention.delete_expired_counters)
    found["folding rare values, s"] = _seconds(rare_value_rollup.merge_rare_values)
    connection.close()
    service.start()
    try:
        calls: dict[str, Callable[[], object]] = {
            "svc_qr_list": lambda: service.api(key, "svc_qr_list"),
            "svc_qr_stats, 30 days": lambda: service.api(key, "svc_qr_stats", id=code, days=30),
            "svc_qr_stats, 365 days": lambda: service.api(key, "svc_qr_stats", id=code, days=365),
            "svc_overview": lambda: service.api(key, "svc_overview"),
            "svc_search": lambda: service.api(key, "svc_search", q="poster"),
            "svc_qr_create": lambda: service.api(owner, "svc_qr_create", name="New", target_url="https://example.com"),
        }
        for name, path in {"a scan": "/q/gq", "a page": "/c/gc"}.items():
            # addresses from the whole instance, as guests visit them; then the same again
            paths = iter([f"{path}{1 + number * 7919 % size}" for number in range(GUESTS)] * 2)
            for which in (f"{name}, the first time", name):
                calls[which] = partial(_open_page, service, paths)
        for name, call in calls.items():
            found[name] = _cost(service, call, GUESTS if name.startswith("a ") else CALLS)
    finally:
        service.stop()
    return found


def _cost(service: Service, call: Callable[[], object], calls: int) -> float:
    before = _spent(service)
    for _ in range(calls):
        call()
    return (_spent(service) - before) / calls * 1000


def _spent(service: Service) -> float:
    """Return the processor seconds used by the server and its database connections."""
    assert service.process is not None
    of_database = service.env["WORKSPACE_DATABASE_URL"].rpartition("/")[2]
    return spent(service.process.pid) + sum(
        spent(int(process.name))
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and of_database and f" {of_database} " in _title(process)
    )


def _title(process: Path) -> str:
    try:
        found = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
    return found if found.startswith("postgres:") else ""


def _open_page(service: Service, paths: Iterator[str]) -> None:
    path = next(paths)
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    connection.request("GET", path, headers={"User-Agent": PHONE, "Accept-Language": "en"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status in (200, 302), (path, answer.status)


def _seconds(call: Callable[[], object]) -> float:
    from django.db import connection

    # by the clock if the database is another process
    now = time.process_time if connection.vendor == "sqlite" else time.perf_counter
    began = now()
    call()
    return now() - began


def _bytes(service: Service, vendor: str) -> int:
    from django.db import connection

    if vendor == "sqlite":
        return (service.folder / "workspace.sqlite3").stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def _drop(service: Service) -> None:
    from django.db import connection

    connection.close()
    if url := service.env["WORKSPACE_DATABASE_URL"]:
        connection.close_pool()  # type: ignore[attr-defined]
        import psycopg

        with psycopg.connect(database_server(), autocommit=True) as server:
            server.execute(f'DROP DATABASE "{url.rsplit("/", 1)[1]}" WITH (FORCE)')


if __name__ == "__main__":
    sizes = tuple(int(word) for word in sys.argv[1:] if word.isdigit())
    found = measure(sizes or SIZES)
    told = {"rows": [asdict(row) for row in compare_sizes(found)], "lines": plotted_points(found)}
    print(json.dumps(told) if "--json" in sys.argv else markdown(compare_sizes(found)))
