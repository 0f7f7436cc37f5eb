"""What every test may ask for. Tests run against SQLite in a folder of their own, or against the PostgreSQL that
WORKSPACE_TEST_DATABASE_URL names."""

from __future__ import annotations

import os
import tempfile

_folder = tempfile.mkdtemp(prefix="workspace-tests-")
os.environ["WORKSPACE_DATA"] = _folder
os.environ["WORKSPACE_SECRET_KEY"] = "only-for-tests-0123456789-0123456789-0123456789"
os.environ["WORKSPACE_BASE_URL"] = "http://127.0.0.1:8000"
os.environ["WORKSPACE_OUTBOX"] = "off"
os.environ["WORKSPACE_DATABASE_URL"] = os.environ.get("WORKSPACE_TEST_DATABASE_URL", "")

pytest_plugins = ["workspace.testing"]
