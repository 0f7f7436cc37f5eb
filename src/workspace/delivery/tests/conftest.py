"""The mail server that a test of delivery talks to."""

from __future__ import annotations

import socket
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from workspace.delivery.tests.peer import Peer

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns of its own use of asyncio
    from aiosmtpd.controller import Controller


@pytest.fixture
def peer(settings: Any) -> Iterator[Peer]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    peer = Peer()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        controller = Controller(peer, hostname="127.0.0.1", port=port)
        controller.start()
    peer.connections = 0  # the controller looks in once itself
    settings.SMTP_HOST, settings.SMTP_PORT, settings.SMTP_SECURITY = "127.0.0.1", port, "none"
    yield peer
    peer.stall.clear()
    controller.stop()
