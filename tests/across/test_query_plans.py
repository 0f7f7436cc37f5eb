"""Query plans: with thousands of rows, each page of a list and each statistic is found by an index in its order.

The tools come from the registry, so new products are covered automatically.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.across.large_accounts import empty_tables, multiply
from tests.across.samples import LISTS, SAMPLES, things
from workspace.analytics.visit_writer import record_visit
from workspace.interfaces.tool_catalog import CATALOG
from workspace.publishing.items import list_submission_sources as all_arrivals
from workspace.publishing.models import Publication
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.publications import build_guest

pytestmark = pytest.mark.django_db
# PostgreSQL plans by the number of rows. SQLite's plans do not change beyond some hundreds, and copying rows is slow.
COPIES, FEW = (1_500, 600) if connection.vendor == "sqlite" else (2_500, 1_000)  # FEW: rows that a page may read
STEPS = 10 * COPIES  # of SQLite's virtual machine; reading all copies takes more


def _required(name: str) -> list[str]:
    needed: list[str] = CATALOG.by_name[name].input_schema.get("required", [])
    return needed


# Lists with pages; others are limited by a plan. A search reads all words of the account and sorts its results by
# relevance.
PAGED = [
    name for name in LISTS if "limit" in CATALOG.by_name[name].arguments.model_fields and "q" not in _required(name)
]
# statistics of one item: exports contain all rows, and the overview counts the whole account
FIGURES = [
    tool.name
    for tool in CATALOG
    if tool.reads
    and "days" in tool.arguments.model_fields
    and _required(tool.name)
    and "file_name" not in tool.output_schema["properties"]
]


@pytest.fixture(scope="module")
def full(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[Api, dict[str, str]]]:
    """Yield an account with thousands of rows of everything, and an item of each kind."""
    with django_db_blocker.unblock(), transaction.atomic():
        api = make_api(make_account())
        empty = empty_tables()
        made = things(api)
        for number, make in enumerate(LISTS.values()):
            make(api, number)
        for publication in Publication.objects.all():
            for event in ("scan", "view"):
                record_visit(publication.pk, event, build_guest())
        # each account has one chain of records, and no list reads it
        empty = [model for model in empty if model._meta.app_label != "audit_trail"]
        multiply(empty, {arrivals.rows(api.account).model for _, arrivals in all_arrivals()}, COPIES)
        yield api, made
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _unchecked(db: None) -> Iterator[None]:
    """Skip Django's check of all keys after each test by rolling back: it takes five seconds."""
    yield
    transaction.set_rollback(True)


@pytest.mark.parametrize("name", sorted([*PAGED, *FIGURES]))
def test_queries_use_an_index_in_their_order(name: str, full: tuple[Api, dict[str, str]]) -> None:
    api, made = full
    arguments = {key: value for key, value in SAMPLES[name](made).items() if key in _required(name)}
    with CaptureQueriesContext(connection) as queries:
        api.run(name, **arguments)
    asked = [query["sql"] for query in queries if query["sql"].startswith(("SELECT", "WITH", "("))]
    assert asked
    look = _on_sqlite if connection.vendor == "sqlite" else _on_postgresql
    slow = {sql: found for sql in asked if (found := look(sql))}
    assert not slow, "\n\n".join(f"{sql}\n  {found}" for sql, found in slow.items())


@pytest.mark.parametrize("sort", ["name", "changed"])
def test_items_of_a_kind_are_listed_in_any_order_by_an_index(sort: str, full: tuple[Api, dict[str, str]]) -> None:
    api, _ = full
    with CaptureQueriesContext(connection) as queries:
        api.run("svc_search", q="", kinds=["card"], sort=sort)
    asked = [query["sql"] for query in queries if '"publishing_searchdocument"' in query["sql"]]
    look = _on_sqlite if connection.vendor == "sqlite" else _on_postgresql
    assert asked and not [found for sql in asked if (found := look(sql))]


# days are computed in Python, where time zones are independent of the database
_DAYS = re.compile(r'SELECT "\w+"."created_at" (AS "\w+" )?FROM')


def _counts(sql: str) -> bool:
    """Return whether a query counts rows, which requires reading all of them from an index."""
    return "LIMIT 50" not in sql and bool("COUNT(" in sql or _DAYS.match(sql))


def _on_sqlite(sql: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        plan = [row[-1] for row in cursor.fetchall()]
    if _counts(sql):
        # rows found by an index may be sorted into a few groups
        sorts = [line for line in plan if "TEMP B-TREE" in line and "GROUP BY" not in line]
        return [*sorts, *(line for line in plan if _is_scan(line) and "COVERING INDEX" not in line)]
    # sorting a few named rows is fast
    slow = [line for line in plan if "LIMIT 50" in sql and ("TEMP B-TREE" in line or _is_scan(line))]
    steps = _steps(sql)
    return [*slow, *([f"{steps} steps: {plan}"] if steps > STEPS else [])]


def _is_scan(line: str) -> bool:
    table = re.match(r"SCAN (\w+)", line)
    if table is None or not connection.introspection.table_names().count(table[1]):
        return False
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT COUNT(*) FROM "{table[1]}"')
        return bool(cursor.fetchone()[0] > FEW)


def _steps(sql: str) -> int:
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 100
        return 0

    connection.connection.set_progress_handler(count, 100)
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            cursor.fetchall()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return steps


def _on_postgresql(sql: str) -> list[str]:
    with connection.cursor() as cursor:
        # if all rows belong to one account, a sequential scan is correct
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        [told] = cursor.fetchone()
        cursor.execute("SET LOCAL enable_seqscan = on")
    plan = (json.loads(told) if isinstance(told, str) else told)[0]["Plan"]
    return [line for node in _nodes(plan) if (line := _slow(node, counted=_counts(sql)))]


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", []):
        yield from _nodes(part)


def _slow(node: dict[str, Any], *, counted: bool) -> str:
    kind = node["Node Type"]
    touched = node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
    if touched <= FEW:
        return ""
    if "Sort" in kind or kind == "Seq Scan" or (not counted and "Scan" in kind):
        return f"{kind} of {node.get('Relation Name', node.get('Sort Key'))}: {touched} rows"
    return ""
