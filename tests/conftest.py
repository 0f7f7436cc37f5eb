"""What the tests of the whole service share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from tests.service import Service


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The service, migrated and running, for the tests of one module."""
    running = Service(host=os.environ.get("TEST_HOST", "127.0.0.1"))
    running.migrate()
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(running.folder, ignore_errors=True)
