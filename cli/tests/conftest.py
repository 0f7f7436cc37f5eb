"""Fixtures: a service on loopback and the real command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
# pytest's importlib mode does not change sys.path; the tests need their helper, and the package from its source.
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from loopback import Command, Reply, Request, Service, ok  # noqa: E402
from svc.catalog_cache import CatalogCache  # noqa: E402


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.close()


@pytest.fixture
def bare_svc(service: Service, tmp_path: Path) -> Command:
    """Return the command as after its installation, without a cached catalog."""
    return Command(tmp_path, service.url)


@pytest.fixture
def svc(bare_svc: Command, service: Service) -> Command:
    """Return the command with a fresh catalog, so that no refresh happens during a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", bare_svc.env["XDG_CACHE_HOME"])
        CatalogCache(service.url).fetch_catalog()
    service.requests.clear()
    return bare_svc


@pytest.fixture
def created(service: Service) -> list[dict[str, Any]]:
    """Return the list of codes that the service created for `qr create`."""
    made: list[dict[str, Any]] = []

    def create(arguments: dict[str, Any], request: Request) -> Reply:
        made.append(arguments)
        return ok({"id": f"qr_{len(made)}"})

    service.tools["svc_qr_create"] = create
    return made
