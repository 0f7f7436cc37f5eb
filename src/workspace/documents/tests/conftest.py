"""Fixtures that make these tests independent of the machine's load."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _patience(patience: None) -> None: ...
