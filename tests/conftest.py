"""Fixtures of the tests of the whole service."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from workspace.testing.service import Service, running_service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """Yield a running service for all tests of this process that need only an account in it.

    A module that stops or configures the service, or counts its content, has a fixture of this name.
    """
    with running_service(os.environ.get("TEST_HOST", "127.0.0.1")) as running, pytest.MonkeyPatch.context() as patch:
        for name in ("stop", "kill"):
            patch.setattr(running, name, _refuse)
        yield running


def _refuse() -> None:
    raise AssertionError("Other tests use this service: run one for your module.")
