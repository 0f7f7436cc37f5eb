"""Rate limits with other numbers, for tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workspace.rate_limits.table import LIMITS


def set_limit(monkeypatch: pytest.MonkeyPatch, name: str, count: int, *, window: int | None = None) -> None:
    """Change the number of a limit, and its window in seconds if that is given, until the test ends."""
    limit = LIMITS[name]
    monkeypatch.setitem(LIMITS, name, replace(limit, count=count, window=window or limit.window))
