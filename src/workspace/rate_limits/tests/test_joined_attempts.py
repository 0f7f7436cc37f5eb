"""An attempt that joins a write is counted in its transaction, or at the end if there is no committed write."""

from __future__ import annotations

import pytest
from django.test import RequestFactory

from workspace.rate_limits.counter import consume
from workspace.rate_limits.joined_attempts import (
    TooManyAttemptsError,
    count_joined_attempts,
    forget_counted_attempts,
    join_attempts,
)
from workspace.rate_limits.models import RateCounter
from workspace.rate_limits.table import get_limit
from workspace.storage.database.transactions import write_transaction

pytestmark = pytest.mark.django_db(transaction=True)
LIMIT = get_limit("report")


def _try() -> bool:
    return consume(LIMIT.name, RequestFactory().post("/", REMOTE_ADDR="198.51.100.7"), joins_write=True).is_granted


def _counted() -> list[int]:
    return list(RateCounter.objects.values_list("count", flat=True))


def _write() -> None:
    with write_transaction():
        count_joined_attempts()
    forget_counted_attempts()


def _fail_to_write() -> None:
    with write_transaction():
        count_joined_attempts()
        raise ZeroDivisionError


def test_an_attempt_is_counted_once_with_its_write() -> None:
    with join_attempts():
        assert _try()
        assert _counted() == []
        _write()
        assert _counted() == [1]
    assert _counted() == [1]


def test_an_attempt_without_a_write_is_counted_at_the_end() -> None:
    with join_attempts():
        assert _try()
    assert _counted() == [1]


def test_an_attempt_is_counted_although_its_write_fails() -> None:
    with join_attempts():
        assert _try()
        with pytest.raises(ZeroDivisionError):
            _fail_to_write()
        assert _counted() == []
    assert _counted() == [1]


def test_an_attempt_outside_of_a_post_is_counted_at_once() -> None:
    assert _try()
    assert _counted() == [1]


def test_the_limit_is_exact_for_parallel_attempts() -> None:
    for _ in range(LIMIT.count - 1):
        assert _try()
    with join_attempts():
        assert _try()
        with join_attempts():  # another guest's post at the same time
            assert _try()
            _write()
        with pytest.raises(TooManyAttemptsError):
            _write()
    assert _counted() == [LIMIT.count]


def test_further_attempts_write_nothing() -> None:
    for _ in range(LIMIT.count):
        assert _try()
    with join_attempts():
        assert not _try()
        _write()
    assert _counted() == [LIMIT.count]
