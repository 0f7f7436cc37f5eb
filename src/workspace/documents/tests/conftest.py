"""What keeps these tests from depending on how busy the machine is."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _patience(patience: None) -> None: ...
