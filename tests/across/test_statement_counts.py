"""The numbers of SQL statements of every tool and of the main pages, which may only decrease.

`tests/statement_counts.json` contains each number, with the samples of all products, on SQLite.
Statements of the API key and of the quota are not counted. After a change that needs fewer statements, lower them:
`LOWER_STATEMENT_COUNTS=1 .venv/bin/pytest tests/across/test_statement_counts.py`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.across.samples import SAMPLES
from workspace.accounts.dispatch import Caller, execute_tool
from workspace.interfaces.tool_catalog import CATALOG
from workspace.products import PRODUCT_NAMES
from workspace.publishing.models import Address
from workspace.publishing.public_urls import public_url
from workspace.storage.database.transactions import is_sqlite
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(not is_sqlite(), reason="PostgreSQL also locks rows")]
LIMITS = Path(__file__).resolve().parent.parent / "statement_counts.json"
OWNER_PAGES = ["/app", "/app/search?q=a", "/app/activity", *(f"/app/{name}" for name in PRODUCT_NAMES)]


def test_no_tool_and_no_page_runs_more_statements_than_recorded(furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    caller = Caller(api.account)
    found: dict[str, int] = {}
    for tool in CATALOG:
        found[tool.name] = _count_statements(lambda: execute_tool(tool, caller, SAMPLES[tool.name](made)))  # noqa: B023
    owner, guest = Client(), Client()
    owner.force_login(api.account.owner)
    paths = [(owner, path) for path in OWNER_PAGES]
    kinds = Address.objects.filter(publication__account=api.account).order_by("kind", "pk").values_list("kind", "slug")
    paths += [(guest, public_url(api.account.pk, kind, slug)) for kind, slug in dict(kinds).items()]
    for client, path in paths:
        label = path if client is owner else f"a guest’s page: {next(kind for kind, slug in kinds if slug in path)}"
        found[label] = _count_statements(lambda: client.get(path))  # noqa: B023
    if os.environ.get("LOWER_STATEMENT_COUNTS"):
        _lower_limits(found)
    assert "\n".join(_list_excesses(_read_limits(), found)) == ""


def test_one_more_statement_and_a_new_tool_are_reported() -> None:
    assert _list_excesses({"svc_a": 5, "svc_b": 1}, {"svc_a": 5, "svc_b": 0}) == []
    assert _list_excesses({"svc_a": 5}, {"svc_a": 6, "svc_new": 1}) == ["svc_a: 6, not 5", "svc_new: 1 is not recorded"]


def _count_statements(work: Callable[[], object]) -> int:
    """Count the statements of the second of two runs on the same data, when queries are compiled."""
    for _ in range(2):
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            work()
            transaction.set_rollback(True)
    return sum("SAVEPOINT" not in query["sql"] for query in queries.captured_queries)


def _read_limits() -> dict[str, int]:
    limits: dict[str, int] = json.loads(LIMITS.read_text())
    return limits


def _list_excesses(limits: dict[str, int], found: dict[str, int]) -> list[str]:
    more = [f"{name}: {found[name]}, not {most}" for name, most in limits.items() if found.get(name, 0) > most]
    return more + [f"{name}: {count} is not recorded" for name, count in found.items() if name not in limits]


def _lower_limits(found: dict[str, int]) -> None:
    limits = _read_limits() if LIMITS.exists() else {}
    lowered = {name: min(count, limits.get(name, count)) for name, count in sorted(found.items())}
    LIMITS.write_text(json.dumps(lowered, indent=2, ensure_ascii=False) + "\n")
