from __future__ import annotations

from typing import Any

import pytest

from workspace.testing.dav_server import LOOPBACK, Radicale


@pytest.fixture(autouse=True)
def _beside(settings: Any) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK


@pytest.fixture
def server(dav_server: Radicale) -> Radicale:
    return dav_server
