"""Attempts are counted by address, person, caller, item or instance, exactly and without addresses."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.db import connection, connections
from django.http import HttpRequest
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from workspace.rate_limits.counter import consume
from workspace.rate_limits.models import RateCounter
from workspace.rate_limits.table import DAY, LIMITS, Subject
from workspace.testing.rate_limits import set_limit

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _request(*, address: str = "203.0.113.9", user_agent: str = "") -> HttpRequest:
    return RequestFactory().post("/form", headers={"user-agent": user_agent}, REMOTE_ADDR=address)


def _allow(address: str = "203.0.113.9", *, name: str = "report", user_agent: str = "", **options: Any) -> bool:
    return consume(name, _request(address=address, user_agent=user_agent), **options).is_granted


@pytest.mark.django_db
def test_attempts_of_a_guest_are_limited_in_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "report", 3, window=600)
    set_limit(monkeypatch, "unlock", 3)
    with time_machine.travel(NOW, tick=False) as travel:
        assert [_allow() for _ in range(5)] == [True] * 3 + [False] * 2
        assert _allow("203.0.113.10")
        assert _allow(name="unlock", item="a")
        assert not _allow(user_agent="another")
        travel.shift(600)
        assert _allow()


@pytest.mark.django_db
def test_ipv6_addresses_of_a_network_share_their_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "report", 1)
    assert _allow("2001:db8::1")
    assert not _allow("2001:db8::2")
    assert _allow("2001:db8:0:1::1")


@pytest.mark.django_db
def test_a_stored_attempt_contains_neither_address_nor_name() -> None:
    _allow()
    attempt = RateCounter.objects.get()
    assert re.fullmatch("[0-9a-f]{32}", attempt.key)


@pytest.mark.django_db
def test_items_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "unlock", 1)
    assert [_allow(name="unlock", item=item) for item in "aba"] == [True, True, False]


@pytest.mark.django_db
def test_an_account_is_counted_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "report", replace(LIMITS["report"], count=1, by=Subject.ACCOUNT))
    assert [consume("report", id).is_granted for id in ("acc_1", "acc_2", "acc_1")] == [True, True, False]
    with pytest.raises(ValueError, match="id of an account"):
        consume("report", "")


@pytest.mark.django_db
def test_an_allowance_tells_what_is_left_and_until_when() -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        travel.shift(600)
        allowance = consume("report", _request())
        assert (allowance.limit, allowance.remaining, allowance.resets_in) == (5, 4, 3000)
        assert consume("ticket", used=7, amount=2).remaining == 1
        refused = consume("ticket", used=7, amount=4)
        assert (refused.is_granted, refused.remaining) == (False, 3)


@pytest.mark.django_db
def test_an_attempt_at_the_limit_costs_one_read_and_no_write(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "report", 1)
    _allow()
    with CaptureQueriesContext(connection) as queries:
        assert not _allow()
    assert [query["sql"].split()[0] for query in queries] == ["SELECT", "SELECT"], "the salt and the count"


@pytest.mark.django_db(transaction=True)
def test_parallel_attempts_are_counted_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "report", 5, window=DAY)

    def attempt(_: int) -> bool:
        try:
            return _allow()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(24))) == 5


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("unlock", {}),
        ("report", {"item": "a"}),
        ("report", {"used": 1}),
        ("report", {"amount": 2}),
        ("report", {"values": ["a"]}),
        ("report", {"has_work": True}),
        ("ticket", {}),
        ("sign-up", {}),
        ("calls-free", {}),
    ],
)
def test_arguments_that_do_not_fit_the_limit_are_refused(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{name} "):
        consume(name, _request(), **options)


def test_a_limit_per_person_needs_a_person() -> None:
    request: Any = _request()
    request.user = AnonymousUser()
    for who in (request, "1"):
        with pytest.raises(ValueError, match="signed in"):
            consume("linked-app", who)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        consume("no-such-limit", _request())
