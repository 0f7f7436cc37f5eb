"""Every rate limit is a line of the table and has the number and window stated there, and there are no others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from allauth.account import app_settings
from allauth.core import ratelimit
from django.core.cache import cache as django_cache
from django.http import HttpRequest
from django.test import RequestFactory

import workspace
from workspace.rate_limits.counter import consume
from workspace.rate_limits.models import CallQuota, RateCounter
from workspace.rate_limits.table import LIMITS, Limit, Store, Subject, get_limit

SOURCE = Path(workspace.__file__).parent
MONDAY = datetime(2026, 11, 23, tzinfo=UTC)  # midnight, where windows of any length start
COUNTED = [name for name, limit in LIMITS.items() if limit.store in (Store.COUNTER, Store.QUOTA)]
ROWS = [name for name, limit in LIMITS.items() if limit.store is Store.ROWS]
ALLAUTH = [name for name, limit in LIMITS.items() if limit.store is Store.ALLAUTH]
# sign-in by a code or a phone, which none of our pages offers
UNUSED_ACTIONS = {"change_phone", "request_login_code", "verify_phone"}
# code other than `consume` that reads the number of a limit
_FUNCTIONS = {"consume", "consume_with_work", "get_limit", "GuestForm"}


def _request(address: str = "203.0.113.9", person: int = 1) -> HttpRequest:
    request: Any = RequestFactory().post("/")
    request.client_address = address
    request.user = SimpleNamespace(pk=person, is_authenticated=True)
    return request  # type: ignore[no-any-return]


def _try(limit: Limit, *, number: int = 0, item: str = "a", **options: Any) -> bool:
    """Make one attempt that counts toward the limit, as the subject of this number."""
    who: HttpRequest | str = _request(f"203.0.113.{number}", number + 1)
    if limit.by in (Subject.CALLER, Subject.ACCOUNT):
        who = f"key:{number}"
    is_per_item = limit.per_item or limit.by is Subject.ITEM
    return consume(limit.name, who, item=item if is_per_item else "", **options).is_granted


def _try_often(limit: Limit, **options: Any) -> bool:
    """Make as many attempts as the limit allows, and return whether all were granted. Thousands are written at once."""
    times = limit.count
    if times > 1000:
        assert _try(limit, **options)
        RateCounter.objects.update(count=times - 1)
        CallQuota.objects.update(used=times - 1)
        times = 1
    return all(_try(limit, **options) for _ in range(times))


@pytest.mark.django_db
@pytest.mark.parametrize("name", COUNTED)
def test_a_limit_grants_its_number_in_its_window(name: str) -> None:
    limit = get_limit(name)
    with time_machine.travel(MONDAY, tick=False) as travel:
        assert _try_often(limit)
        assert not _try(limit)
        if limit.by not in (Subject.INSTANCE, Subject.ITEM):
            assert _try(limit, number=1), "another subject"
        if limit.per_item or limit.by is Subject.ITEM:
            assert _try(limit, item="b"), "another item"
        travel.shift(limit.window - 1)
        assert not _try(limit), "the last second of the window"
        travel.shift(1)
        assert _try(limit), "the next window"


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in COUNTED if get_limit(name).doubles_with_work])
def test_proof_of_work_doubles_the_number(name: str) -> None:
    limit = get_limit(name)
    with time_machine.travel(MONDAY, tick=False):
        assert _try_often(limit) and not _try(limit)
        assert _try_often(limit, has_work=True)
        assert not _try(limit, has_work=True)


@pytest.mark.django_db
def test_a_limit_of_distinct_values_grants_its_number_in_its_window() -> None:
    limit = get_limit("seat-name")
    assert [name for name, other in LIMITS.items() if other.store is Store.VALUES] == [limit.name]
    with time_machine.travel(MONDAY, tick=False) as travel:
        assert all(_try(limit, values=[str(number)]) for number in range(limit.count))
        assert not _try(limit, values=["new"])
        assert _try(limit, number=1, values=["new"]) and _try(limit, item="b", values=["new"])
        travel.shift(limit.window - 1)
        assert not _try(limit, values=["new"])
        travel.shift(1)
        assert _try(limit, values=["new"])


@pytest.mark.django_db
@pytest.mark.parametrize("name", ROWS)
def test_a_limit_of_rows_grants_its_number_in_its_window(name: str) -> None:
    """Check limits that count rows. Rows of another table replace the caller's, whose own tests show what it counts."""
    limit = get_limit(name)

    def try_again() -> bool:
        used = RateCounter.objects.filter(expires_at__gt=limit.window_start()).count()
        if granted := consume(name, used=used).is_granted:
            RateCounter.objects.create(key=f"{MONDAY:%d}{used}", count=1, expires_at=MONDAY)
        return granted

    with time_machine.travel(MONDAY, tick=False) as travel:
        if limit.count > 20:
            rows = (RateCounter(key=f"{number}", count=1, expires_at=MONDAY) for number in range(limit.count - 1))
            RateCounter.objects.bulk_create(rows)
            assert [try_again(), try_again()] == [True, False]
        else:
            assert [try_again() for _ in range(limit.count + 1)] == [True] * limit.count + [False]
        travel.shift(limit.window - 1)
        assert not try_again()
        travel.shift(1)
        assert consume(name, used=RateCounter.objects.filter(expires_at__gt=limit.window_start()).count())


@pytest.fixture
def _empty_cache() -> Iterator[None]:
    django_cache.clear()
    yield
    django_cache.clear()


@pytest.mark.usefixtures("_empty_cache")
@pytest.mark.django_db
@pytest.mark.parametrize("name", ALLAUTH)
def test_a_limit_of_the_sign_in_pages_grants_its_number_in_its_window(name: str) -> None:
    limit = get_limit(name)
    subjects = iter(range(1, 10_000))

    def try_again() -> bool:
        """Attempt again, with a different subject for all limits of the action but this one."""
        other = next(subjects)
        request = _request("203.0.113.9" if limit.by is Subject.ADDRESS else f"10.0.{other // 256}.{other % 256}")
        key = "owner@example.org" if limit.by is Subject.EMAIL else f"{other}@example.org"
        if limit.by is not Subject.PERSON:
            request.user.pk = other
        return ratelimit.consume(request, action=limit.action, key=key)

    shorter = [other.window for other in LIMITS.values() if (other.action, other.by) == (limit.action, limit.by)]
    step = max(window for window in (0, *shorter) if window < limit.window)  # waits for a limit of the same subject
    with time_machine.travel(MONDAY, tick=False) as travel:
        for _ in range(limit.count):
            assert try_again()
            travel.shift(step // 20)
        assert not try_again()
        travel.move_to(MONDAY + timedelta(seconds=limit.window - 1))
        assert not try_again()
        travel.shift(step + 1)
        assert try_again()


def test_the_sign_in_pages_have_no_limits_beside_the_table() -> None:
    used = {action for action, rates in app_settings.RATE_LIMITS.items() if rates} - UNUSED_ACTIONS
    assert used == {limit.action for limit in LIMITS.values() if limit.action}


def test_the_table_is_sound() -> None:
    for limit in LIMITS.values():
        assert limit.count > 0 and 0 < limit.window <= 86_400, limit.name
        assert limit.reason and bool(limit.action) is (limit.store is Store.ALLAUTH), limit.name
        assert (limit.by is not Subject.ITEM and limit.store is not Store.ROWS) or not limit.per_item, limit.name


@cache
def _list_trees() -> list[tuple[str, ast.Module]]:
    paths = [path for path in sorted(SOURCE.rglob("*.py")) if not {"tests", "testing", "migrations"} & {*path.parts}]
    return [(str(path.relative_to(SOURCE)), ast.parse(path.read_text())) for path in paths]


def _list_calls() -> Iterator[tuple[str, str, ast.Call]]:
    for path, tree in _list_trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                yield path, node.func.id if isinstance(node.func, ast.Name) else node.func.attr, node


def _list_texts(tree: ast.AST) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_limit_of_the_table_is_used_and_every_used_name_is_in_the_table() -> None:
    named = set().union(
        *(_list_texts(call.args[0]) for _, function, call in _list_calls() if function in _FUNCTIONS and call.args)
    )
    texts = set().union(*(_list_texts(tree) for path, tree in _list_trees() if path != "rate_limits/table.py"))
    # a name with a hyphen may be chosen before the call; a single word also appears elsewhere
    used = named | {text for text in texts if "-" in text}
    ours = {name for name, limit in LIMITS.items() if limit.store is not Store.ALLAUTH}
    assert ours - used == set(), "limits that nothing uses"
    assert named - ours == set(), "names that are not in the table"


def test_no_call_gives_a_number_of_its_own() -> None:
    """Check that numbers of limits are only in the table: calls pass a name, and no literal numbers as options."""
    found = [
        (path, node.lineno)
        for path, function, call in _list_calls()
        if function in _FUNCTIONS - {"GuestForm"}
        for node in ast.walk(call)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float)
        if not path.startswith("public_site/post_redirect")  # `- 1`, because the cache counts first
    ]
    assert not found


def _list_counting_code() -> Iterator[tuple[str, str]]:
    """Yield the path and kind of code that counts attempts itself."""
    for path, tree in _list_trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom | ast.Import):
                named = f"{getattr(node, 'module', '')} {' '.join(one.name for one in node.names)}"
                if "allauth" in named and "ratelimit" in named:
                    yield path, "allauth"
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "INTO rate_limits_" in node.value:
                yield path, "SQL"
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called = f"{node.value.id}.{node.attr}"
                yield from [(path, called)] if called in ("CallQuota.consume", "cache.incr") else ()


def test_attempts_are_counted_nowhere_else() -> None:
    assert set(_list_counting_code()) == {
        ("public_site/post_redirect.py", "cache.incr"),  # the number of pages in the cache, for `consume`
        ("rate_limits/counter.py", "CallQuota.consume"),
        ("rate_limits/joined_attempts.py", "SQL"),
        ("rate_limits/distinct_values.py", "SQL"),
        ("rate_limits/models/call_quota.py", "SQL"),
    }
