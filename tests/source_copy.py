"""Copies of the sources that a test changes and runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 900  # seconds, on a busy machine
FOLDERS = ("src", "cli", "tests", "new_product", "requirements")
IGNORED = ("node_modules", "browser", "load")


def copy_sources(folder: Path) -> None:
    """Copy the sources and the tests except those in a browser.

    Compiled modules are copied too. To compile them again would take longer than most tests in the copy.
    """
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*IGNORED))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)


def run_python(command: list[str], folder: Path) -> str:
    """Run Python with the sources of a copy and return its output. Fail the test if the command fails."""
    path = os.pathsep.join(f"{folder / name}" for name in ("src", "cli/src", "."))
    environment = {**os.environ, "PYTHONPATH": path, "DJANGO_SETTINGS_MODULE": "workspace.settings"}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    return done.stdout
