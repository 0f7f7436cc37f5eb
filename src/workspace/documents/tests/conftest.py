"""What keeps these tests from depending on how busy the machine is."""

from __future__ import annotations

import pytest

from workspace.toolkit.child import running


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "CLOCK", 60)
    monkeypatch.setattr(running, "PATIENCE", 200.0)
    monkeypatch.setattr(running, "NICE", 0)
