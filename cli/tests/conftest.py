"""Fixtures: a service on loopback and the real command beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# pytest's importlib mode leaves sys.path alone; the tests need their helper, and the package from its source.
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from loopback import Command, Service  # noqa: E402
from svc.shelf import Shelf  # noqa: E402


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.close()


@pytest.fixture
def bare_svc(service: Service, tmp_path: Path) -> Command:
    """The command as after its installation: no cached catalogue."""
    return Command(tmp_path, service.url)


@pytest.fixture
def svc(bare_svc: Command, service: Service) -> Command:
    """The command with a fresh catalogue, so that nothing refreshes behind a test's back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", bare_svc.env["XDG_CACHE_HOME"])
        Shelf(service.url).fetch()
    service.requests.clear()
    return bare_svc
