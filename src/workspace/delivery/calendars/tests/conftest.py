from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workspace.testing.dav_server import LOOPBACK, Radicale, radicale


@pytest.fixture(autouse=True)
def _beside(settings: Any) -> None:
    settings.CALENDAR_NETWORKS = LOOPBACK


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Radicale]:
    with radicale(tmp_path) as found:
        yield found
