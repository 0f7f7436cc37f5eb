"""Setup that pytest loads before Django's settings.

Tests get their own data folder, and the database in WORKSPACE_TEST_DATABASE_URL (SQLite if it is not set).
"""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, settings

from workspace.lib.subprocess_worker import pool
from workspace.testing.open_database_guard import guard_open_databases

for name in [name for name in os.environ if name.startswith("WORKSPACE_") and not name.startswith("WORKSPACE_TEST_")]:
    del os.environ[name]
_data = tempfile.mkdtemp(prefix="workspace-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ.update(
    PORT="8000",
    WORKSPACE_DATA=_data,
    WORKSPACE_SECRET_KEY="only-for-tests-0123456789-0123456789-0123456789",
    WORKSPACE_BACKGROUND_WORKER="off",
    WORKSPACE_DATABASE_URL=os.environ.get("WORKSPACE_TEST_DATABASE_URL", ""),
)
guard_open_databases()
pool.NICE_LEVEL, pool.CLOCK_TIME_FACTOR = (
    0,
    5,
)  # a subprocess with low priority would wait long if other work runs beside the tests


@cache
def _load_grammars() -> Any:
    del sys.modules["rfc3987_syntax"]
    return import_module("rfc3987_syntax")


# At import, jsonschema compiles 38 grammars of international URLs, which takes three seconds. In tests, this happens
# only if such a URL is validated.
_grammars: Any = ModuleType("rfc3987_syntax")
_grammars.is_valid_syntax = lambda rule, text: _load_grammars().is_valid_syntax(rule, text)
sys.modules["rfc3987_syntax"] = _grammars
gc.set_threshold(10_000, 20, 20)  # collecting as often as Python does by default takes 9 percent of the CPU time
# Examples are deterministic by default. `--hypothesis-profile=anew` searches for new ones.
settings.register_profile("anew", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("the same", settings.get_profile("anew"), derandomize=True)
settings.load_profile("the same")
