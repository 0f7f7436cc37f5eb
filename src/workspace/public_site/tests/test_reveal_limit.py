"""A guest sees a limited number of distinct values, however often and from however many tabs they search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connections
from django.http import HttpRequest
from django.test import RequestFactory

from workspace.public_site.distinct_lookup_limit import allow_distinct_lookups

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _request(address: str = "203.0.113.9") -> HttpRequest:
    return RequestFactory().get("/find", REMOTE_ADDR=address)


def _allow(*values: str, address: str = "203.0.113.9", name: str = "seat:a") -> bool:
    return allow_distinct_lookups(_request(address), name, values, limit=5, window=600)


@pytest.mark.django_db
def test_only_values_that_are_new_to_the_guest_count() -> None:
    with time_machine.travel(NOW, tick=False) as travel:
        assert all(_allow("a", "b", "c") for _ in range(20))
        assert not _allow("d", "e", "f"), "three more would be six"
        assert _allow("d", "e") and not _allow("f") and _allow("a", "e")
        assert _allow("f", address="203.0.113.10") and _allow("f", name="seat:b")
        assert not _allow(*"ghijkl", address="203.0.113.11")
        travel.shift(600)
        assert _allow("f")


@pytest.mark.django_db(transaction=True)
def test_parallel_searches_reveal_no_more_than_the_limit() -> None:
    def search(number: int) -> bool:
        try:
            return allow_distinct_lookups(
                _request(), "seat:a", [f"{number % 12}", f"{number % 12}x"], limit=7, window=86_400
            )
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(search, range(24)))
    assert sum(answers) == 6, "three pairs, each asked for twice"
