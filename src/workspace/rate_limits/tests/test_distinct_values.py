"""A guest sees a limited number of distinct values, however often and from however many tabs they search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import OperationalError, connections
from django.http import HttpRequest
from django.test import RequestFactory

from workspace.rate_limits import distinct_values
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import DAY
from workspace.testing.rate_limits import set_limit

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _request(address: str = "203.0.113.9") -> HttpRequest:
    return RequestFactory().get("/find", REMOTE_ADDR=address)


def _allow(*values: str, address: str = "203.0.113.9", item: str = "a") -> bool:
    return consume("seat-name", _request(address), item=item, values=values).is_granted


def _check_limit_of_five(travel: time_machine.Coordinates) -> None:
    assert all(_allow("a", "b", "c") for _ in range(20))
    assert not _allow("d", "e", "f"), "three more would be six"
    assert _allow("d", "e") and not _allow("f") and _allow("a", "e")
    assert _allow("f", address="203.0.113.10") and _allow("f", item="b")
    assert not _allow(*"ghijkl", address="203.0.113.11")
    travel.shift(600)
    assert _allow("f")


@pytest.mark.django_db
def test_only_values_that_are_new_to_the_guest_count(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "seat-name", 5)
    with time_machine.travel(NOW, tick=False) as travel:
        _check_limit_of_five(travel)


@pytest.mark.django_db
def test_values_are_counted_in_memory_while_the_database_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise OperationalError("database is locked")

    set_limit(monkeypatch, "seat-name", 5)
    monkeypatch.setattr(distinct_values, "_MEMORY", distinct_values._Memory())
    with time_machine.travel(NOW, tick=False) as travel:
        assert _allow(), "stores the salt of the day"
        monkeypatch.setattr(distinct_values, "write_transaction", fail)
        _check_limit_of_five(travel)
        assert len(distinct_values._MEMORY.seen) == 1, "the former window is forgotten"


@pytest.mark.django_db(transaction=True)
def test_parallel_searches_reveal_no_more_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "seat-name", 7, window=DAY)

    def search(number: int) -> bool:
        try:
            return _allow(f"{number % 12}", f"{number % 12}x")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(search, range(24)))
    assert sum(answers) == 6, "three pairs, each asked for twice"
