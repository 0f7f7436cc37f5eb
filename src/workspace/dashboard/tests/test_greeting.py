"""The greeting on the home page fits the time of day."""

from __future__ import annotations

from datetime import datetime

import pytest

from workspace.dashboard.home_views import _greeting


@pytest.mark.parametrize(
    ("hour", "words"),
    [(0, "Hello"), (4, "Hello"), (5, "Good morning"), (11, "Good morning"), (12, "Good afternoon"),
     (17, "Good afternoon"), (18, "Good evening"), (23, "Good evening")],
)  # fmt: skip
def test_it_is_good_evening_only_in_the_evening(hour: int, words: str) -> None:
    assert _greeting(datetime(2026, 7, 6, hour, 11)) == words
