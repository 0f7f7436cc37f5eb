"""What the tests of the whole service share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from workspace.testing.service import Service, running_service


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service, migrated and running, for all tests of this process that need no more than an account in it.

    A module that stops the service, sets it up or counts what is in it has a fixture of this name.
    """
    with running_service(os.environ.get("TEST_HOST", "127.0.0.1")) as running, pytest.MonkeyPatch.context() as patch:
        for name in ("stop", "kill"):
            patch.setattr(running, name, _refuse)
        yield running


def _refuse() -> None:
    raise AssertionError("Other tests use this service: run one for your module.")
