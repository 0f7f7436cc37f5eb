"""Loaded by pytest before Django's settings are: tests get a data folder of their own, and the database that
WORKSPACE_TEST_DATABASE_URL names (SQLite when it names none)."""

from __future__ import annotations

import os
import tempfile

from hypothesis import HealthCheck, settings

from workspace.toolkit.child import running

for name in [name for name in os.environ if name.startswith("WORKSPACE_") and not name.startswith("WORKSPACE_TEST_")]:
    del os.environ[name]
os.environ.update(
    PORT="8000",
    WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-tests-"),
    WORKSPACE_SECRET_KEY="only-for-tests-0123456789-0123456789-0123456789",
    WORKSPACE_OUTBOX="off",
    WORKSPACE_DATABASE_URL=os.environ.get("WORKSPACE_TEST_DATABASE_URL", ""),
)
running.NICE, running.CLOCK = 0, 5  # a child that stands back would wait long where other work is done beside the tests
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
