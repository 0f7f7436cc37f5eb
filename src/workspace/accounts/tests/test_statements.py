"""A compiled query builds its SQL once, and returns the same rows as the original query."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account, ApiKey, Change
from workspace.lib.errors import NotFoundError
from workspace.storage.database.compiled_query import MOMENT_PARAMETER, CompiledQuery, parameter
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _counted(words: Callable[[], QuerySet[Any, Any]]) -> tuple[CompiledQuery[Any], list[int]]:
    times: list[int] = []

    def count_query() -> QuerySet[Any, Any]:
        times.append(1)
        return words()

    return CompiledQuery(count_query), times


def _changes(account: Account, count: int) -> list[Change]:
    return [
        Change.objects.create(
            account=account,
            created_at=NOW - timedelta(days=day),
            tool="svc_qr_edit",
            summary=f"50% of {day}",
            previous={"a": [day]},
        )
        for day in range(count)
    ]


def test_rows_equal_those_of_the_query_at_every_call() -> None:
    one, other = make_account(), make_account()
    _changes(one, 3)
    _changes(other, 1)
    columns = ("id", "created_at", "summary", "previous", "undone_by_id")
    statement, times = _counted(lambda: Change.objects.filter(account_id=parameter("account")).values_list(*columns))
    for account in (one, other, one):
        assert statement.fetch_rows(account=account.pk) == list(account.changes.values_list(*columns))
    assert statement.fetch_rows(account=one.pk, limit=1, offset=1) == list(one.changes.values_list(*columns)[1:2])
    assert statement.fetch_first(account="nobody") is None
    assert times == [1]


def test_models_include_selected_relations() -> None:
    account = make_account(time_zone="Europe/Berlin")
    key, _ = ApiKey.create(account, name="Till")
    statement = CompiledQuery(lambda: ApiKey.objects.select_related("account", "created_by").filter(pk=parameter("id")))
    found = statement.get_one("gone", id=key.pk)
    with CaptureQueriesContext(connection) as queries:
        assert (found, found.account, found.created_by, found.created_at) == (key, account, None, key.created_at)
        assert found.account.time_zone == "Europe/Berlin"
    assert not queries
    found.name = "Bar"
    found.save()
    assert ApiKey.objects.get().name == "Bar"
    with pytest.raises(NotFoundError, match="gone"):
        statement.get_one("gone", id="key_none")


def test_moments_and_text_parts_are_parameters() -> None:
    account = make_account()
    _changes(account, 4)
    since = CompiledQuery(lambda: Change.objects.filter(created_at__gte=MOMENT_PARAMETER).values_list("summary"))
    assert since.fetch_rows(moment=NOW - timedelta(days=1)) == [("50% of 0",), ("50% of 1",)]
    holding = CompiledQuery(lambda: Change.objects.filter(summary__contains=parameter("part")).values_list("summary"))
    assert holding.fetch_rows(part="% of 2") == [("50% of 2",)]
    assert holding.fetch_rows(part="5_") == holding.fetch_rows(part="5%0") == []


def test_rows_are_counted_only_if_the_page_does_not_show_the_total() -> None:
    account = make_account()
    _changes(account, 3)
    statement = CompiledQuery(lambda: Change.objects.filter(account_id=parameter("account")).values_list("summary"))

    def page(limit: int, offset: int) -> tuple[int, int, int]:
        with CaptureQueriesContext(connection) as queries:
            rows, total = statement.fetch_page(limit=limit, offset=offset, account=account.pk)
        return len(rows), total, len(queries)

    assert page(4, 0) == page(4, 0) == (3, 3, 1)
    assert page(2, 2) == (1, 3, 1)
    assert page(3, 0) == (3, 3, 2)
    assert page(1, 1) == (1, 3, 2)
    assert page(2, 9) == (0, 3, 2)
    assert statement.fetch_page(limit=5, offset=0, account="nobody") == ([], 0)


def test_only_plain_constant_values_become_part_of_the_sql() -> None:
    account = make_account()
    asked: list[list[str]] = []

    def listening(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(list(params))
        return execute(sql, params, many, context)

    for name in ("Till", "O'Hara's 100%s"):
        ApiKey.create(account, name=name)
        named = ApiKey.objects.filter(account_id=parameter("account"), name=name).values_list("name")
        statement = CompiledQuery(lambda found=named: found)  # type: ignore[misc]
        with connection.execute_wrapper(listening):
            assert statement.fetch_rows(account=account.pk) == [(name,)]
            assert statement.count_rows(account=account.pk) == 1
    names = [[one for one in params if one not in (1, account.pk)] for params in asked]
    assert names == [[], [], [name], [name]], "only the first is a word"
