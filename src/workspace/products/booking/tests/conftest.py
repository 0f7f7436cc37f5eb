from __future__ import annotations

import pytest

from workspace.testing.dav_server import Radicale
from workspace.testing.smtp_sink import Peer


@pytest.fixture
def server(dav_server: Radicale) -> Radicale:
    return dav_server


@pytest.fixture
def peer(smtp_sink: Peer) -> Peer:
    return smtp_sink
