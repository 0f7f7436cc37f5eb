"""A function that returns a queryset gives the same rows when its queryset is compiled once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Count, Prefetch, QuerySet
from django.test.utils import CaptureQueriesContext

from workspace.accounts import permissions
from workspace.accounts.models import Account, ApiKey, Change
from workspace.lib.errors import NotFoundError
from workspace.storage.database.compiled_function import CompiledFunction, compile_once
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _change(account: Account, days: int = 0, **fields: Any) -> Change:
    return Change.objects.create(account=account, created_at=NOW - timedelta(days=days), tool="svc_qr_edit", **fields)


@compile_once
def changes_for(account: Account) -> QuerySet[Change]:
    return account.changes.order_by("-id")


def test_rows_equal_those_of_the_queryset_for_every_account() -> None:
    accounts = [make_account(), make_account()]
    for account in accounts:
        for summary in ("one", "two"):
            _change(account, summary=summary, previous={"a": [summary]})
    for account in (*accounts, *accounts):
        assert changes_for.fetch(account) == list(changes_for(account))
        assert [row.previous for row in changes_for.fetch(account)] == [{"a": ["two"]}, {"a": ["one"]}]
        assert changes_for.fetch_some(1, account) == list(changes_for(account)[:1])
        assert changes_for.fetch_page(1, 1, account) == (list(changes_for(account)[1:2]), 2)
        assert (changes_for.count(account), changes_for.exists(account)) == (2, True)
    empty = make_account()
    assert (changes_for.fetch(empty), changes_for.count(empty), changes_for.exists(empty)) == ([], 0, False)


def test_rows_know_the_account_through_which_they_were_read() -> None:
    account = make_account()
    _change(account)
    with CaptureQueriesContext(connection) as queries:
        [row] = changes_for.fetch(account)
        assert row.account is account
    assert len(queries) == 1


def test_rows_are_found_by_their_keys_within_the_account_only() -> None:
    account, other = make_account(), make_account()
    mine, foreign = _change(account), _change(other)
    assert changes_for.get(str(mine.pk), "gone", account) == mine
    assert changes_for.fetch_by_ids([mine.pk, foreign.pk], account) == [mine]
    assert changes_for.fetch_by_ids([], account) == []
    for id in (foreign.pk, "chg_none", "\0", "\x1fa", "\x1eids\x1e"):
        with pytest.raises(NotFoundError, match="gone"):
            changes_for.get(str(id), "gone", account)


@pytest.mark.parametrize("text", ["a", "\x1fa", "\x1fb", "%s", "'", "\x1eids\x1e", "9000-01-01"])
def test_a_text_of_an_argument_is_never_part_of_the_sql(text: str) -> None:
    account = make_account()
    _change(account, summary=text)

    @compile_once
    def with_summaries(account: Account, summaries: list[str], summary: str) -> QuerySet[Change]:
        return account.changes.filter(summary__in=summaries, summary=summary)

    assert len(with_summaries.fetch(account, [text, "other"], text)) == 1
    assert with_summaries.fetch(account, [text], "other") == with_summaries.fetch(account, ["other"], text) == []


def test_times_are_parameters_each_by_its_place() -> None:
    account = make_account()
    for days in range(5):
        _change(account, days)

    @compile_once
    def between(account: Account, first: datetime, until: datetime) -> QuerySet[Change, datetime]:
        found = account.changes.filter(created_at__gte=first, created_at__lt=until).order_by("created_at")
        return found.values_list("created_at", flat=True)

    def list_days(first: int, until: int) -> list[int]:
        found = between.fetch(account, NOW - timedelta(days=first), NOW - timedelta(days=until))
        return [(NOW - at).days for at in found]

    assert (list_days(3, 1), list_days(1, 3), list_days(9, 2)) == ([3, 2], [], [4, 3])


def test_a_constant_selects_its_own_sql() -> None:
    account = make_account()
    _change(account, summary="new")

    @compile_once
    def filtered(account: Account, *, summary: str | None = None, newest: bool = False) -> QuerySet[Change]:
        found = account.changes.all() if summary is None else account.changes.filter(summary=summary)
        return found.order_by("-id" if newest else "id")

    for arguments in ({}, {"summary": "new"}, {"summary": "old"}, {"newest": True}, {"summary": None, "newest": False}):
        assert filtered.fetch(account, **arguments) == list(filtered(account, **arguments))


def test_parts_are_prefetched_by_one_more_query_and_know_their_parent() -> None:
    account = make_account()
    keys = [ApiKey.create(account, name=name)[0] for name in "ba"]

    def find_account(id: str, lookup: Any) -> QuerySet[Account]:
        return Account.objects.filter(pk=id).prefetch_related(lookup)

    plain = compile_once(lambda id: find_account(id, "keys"))
    sorted_keys = compile_once(lambda id: find_account(id, Prefetch("keys", ApiKey.objects.order_by("name"))))
    for function in (plain, sorted_keys):
        _compare_parts(function, account.pk)
    [found] = sorted_keys.fetch(account.pk)
    assert [key.name for key in found.keys.all()] == ["a", "b"]
    assert [key.pk for key in found.keys.filter(name="b")] == [keys[0].pk]


def _compare_parts(function: CompiledFunction[Any, Account], id: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        [found] = function.fetch(id)
        parts = list(found.keys.all())
        assert all(part.account is found for part in parts)
    assert len(queries) == 2
    [expected] = function(id)
    assert parts == list(expected.keys.all())
    assert len(parts) == 2


def test_a_related_row_that_several_rows_share_is_built_once() -> None:
    account = make_account()
    _change(account)
    _change(account)
    with_account = compile_once(lambda tool: Change.objects.filter(tool=tool).select_related("account", "undone_by"))
    first, second = with_account.fetch("svc_qr_edit")
    assert first.account is second.account
    assert first.account == account
    assert first.account.time_zone == account.time_zone
    assert first.undone_by is None


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda account: account.changes.filter(tool=account.name), ("account",)),
        (lambda account, words: account.changes.filter(summary=words.strip("\x1f")), ("account", "a")),
        (lambda account, count: account.changes.filter(tool=str(count)), ("account", 5)),
    ],
    ids=["an attribute of a row", "a changed text", "a number"],
)
def test_a_function_that_reads_its_arguments_fails_at_once(function: Any, arguments: Iterable[Any]) -> None:
    account = make_account()
    given = [account if value == "account" else value for value in arguments]
    with pytest.raises((TypeError, Account.DoesNotExist)):
        compile_once(function).fetch(*given)


def test_grouped_rows_are_returned_as_django_returns_them() -> None:
    account = make_account()
    for tool in ("a", "b", "a"):
        Change.objects.create(account=account, created_at=NOW, tool=tool)

    @compile_once
    def counts(account: Account) -> QuerySet[Change, tuple[str, int]]:
        return account.changes.order_by("tool").values_list("tool").annotate(count=Count("*"))

    assert counts.fetch(account) == [("a", 2), ("b", 1)] == list(counts(account))
    as_dictionaries = compile_once(
        lambda account: account.changes.order_by("tool").values("tool").annotate(n=Count("*"))
    )
    assert as_dictionaries.fetch(account) == [{"tool": "a", "n": 2}, {"tool": "b", "n": 1}]


def test_rows_with_numbers_as_keys_are_parameters_too() -> None:
    accounts = [make_account(), make_account()]
    memberships = compile_once(lambda person: person.memberships.all())
    for account in (*accounts, *accounts):
        [found] = memberships.fetch(account.owner)
        assert (found.account_id, found.person) == (account.pk, account.owner)
    by_numbers = compile_once(lambda numbers: ApiKey.objects.filter(created_by__in=numbers))
    key, _ = ApiKey.create(accounts[0], name="Till", by=accounts[0].owner)
    assert by_numbers.fetch([accounts[0].owner.pk, accounts[1].owner.pk]) == [key]
    assert by_numbers.fetch([accounts[1].owner.pk]) == []


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        compile_once(lambda tools: Change.objects.filter(tool__in=tools)).fetch([])


def test_a_query_that_depends_on_the_caller_is_refused() -> None:
    account = make_account()

    @compile_once
    def permitted_changes(account: Account) -> QuerySet[Change]:
        return account.changes.filter(area__in=[area for area in ("card", "menu") if permissions.is_permitted(area)])

    assert list(permitted_changes(account)) == []
    with pytest.raises(RuntimeError, match="must not depend on the caller"):
        permitted_changes.fetch(account)
    assert permissions.is_permitted("card")
