"""Loaded by pytest before Django's settings are: tests get a data folder of their own, and the database that
WORKSPACE_TEST_DATABASE_URL names (SQLite when it names none)."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

from hypothesis import HealthCheck, settings

from workspace.toolkit.child import running

for name in [name for name in os.environ if name.startswith("WORKSPACE_") and not name.startswith("WORKSPACE_TEST_")]:
    del os.environ[name]
_data = tempfile.mkdtemp(prefix="workspace-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ.update(
    PORT="8000",
    WORKSPACE_DATA=_data,
    WORKSPACE_SECRET_KEY="only-for-tests-0123456789-0123456789-0123456789",
    WORKSPACE_OUTBOX="off",
    WORKSPACE_DATABASE_URL=os.environ.get("WORKSPACE_TEST_DATABASE_URL", ""),
)
running.NICE, running.CLOCK = 0, 5  # a child that stands back would wait long where other work is done beside the tests
# What has passed passes again; `--hypothesis-profile=anew` looks for examples that nobody has tried.
settings.register_profile("anew", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("the same", settings.get_profile("anew"), derandomize=True)
settings.load_profile("the same")
