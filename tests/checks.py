"""Checks other than tests: lint, format, types, spelling, scripts and others.

`bin/check` runs all of them. `bin/test` runs them beside the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import ratchet
import template_lines

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
NODE_BIN = ROOT / "node_modules" / ".bin"
MAX_LINES = 400
# the slowest first, since they run in parallel
COMMANDS = {
    "types": ["mypy"],
    "secrets": ["python", "tests/secret_scan.py"],
    "import order": ["lint-imports"],
    "spelling": ["codespell"],
    "dependencies": ["deptry", "src"],
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "migrations of all models": ["python", "-m", "django", "makemigrations", "--check", "--dry-run"],
}
# reading Django's settings creates a data folder
DJANGO = {"DJANGO_SETTINGS_MODULE": "workspace.settings", "WORKSPACE_DATA": f"{tempfile.gettempdir()}/workspace-checks"}


# run only if Node is installed: bin/setup installs these tools
SCRIPTS = {
    "lint of scripts and styles": ["biome", "lint", "--error-on-warnings", "--colors=off"],
    "types of scripts": ["tsc", "--project", "tsconfig.json"],
}
NO_NODE = "Node is missing, or what bin/setup installs with it: scripts and styles were not checked"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a check. `said` is the output of a failed check, or a note about a passed one."""

    name: str
    passed: bool
    seconds: float = 0
    said: str = ""
    skipped: bool = False

    def __str__(self) -> str:
        ended = "skipped " if self.skipped else "ok      " if self.passed else "FAILED  "
        return f"{ended} {self.name} ({self.seconds:.0f} s)"


def run_checks() -> list[Outcome]:
    """Run all checks, as many in parallel as there are processors."""
    checks: list[Callable[[], Outcome]] = [_command(name, command) for name, command in COMMANDS.items()]
    checks += [_script_command(name, command) for name, command in SCRIPTS.items()]
    checks += [_check_ratchet, _check_lengths, _check_templates]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(_timed, checks))


def _timed(check: Callable[[], Outcome]) -> Outcome:
    began = time.monotonic()
    return replace(check(), seconds=time.monotonic() - began)


def _script_command(name: str, command: list[str]) -> Callable[[], Outcome]:
    if shutil.which("node") is None or not (NODE_BIN / command[0]).exists():
        return lambda: Outcome(name, passed=True, said=NO_NODE, skipped=True)
    return _command(name, command, NODE_BIN)


def _command(name: str, command: list[str], folder: Path = BIN) -> Callable[[], Outcome]:
    def run() -> Outcome:
        env = {**os.environ, **DJANGO, "PATH": f"{BIN}:{os.environ['PATH']}"}
        done = subprocess.run([folder / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, env=env)
        passed = done.returncode == 0
        return Outcome(name, passed, said="" if passed else done.stdout + done.stderr)

    return run


def _check_ratchet() -> Outcome:
    limits = ratchet.read_limits()
    more, fewer = ratchet.compare(limits, ratchet.count_broken(limits))
    said = more or ([*fewer, ratchet.LOWER] if fewer else [])
    return Outcome("ratchet of old rules", not more, said="\n".join(said))


def _check_lengths() -> Outcome:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    paths = [ROOT / name for name in listed if name and "/migrations/" not in name and (ROOT / name).exists()]
    long = [str(path.relative_to(ROOT)) for path in paths if len(path.read_text().splitlines()) > MAX_LINES]
    said = "".join(f"{name} is longer than {MAX_LINES} lines\n" for name in long)
    return Outcome("length of files", not long, said=said)


def _check_templates() -> Outcome:
    faults = template_lines.find_faults(template_lines.list_templates(ROOT))
    return Outcome("layout of templates", not faults, said="\n".join(faults))


def report(outcomes: list[Outcome]) -> list[str]:
    """Print the outcomes. Return the names of the checks that failed."""
    for one in outcomes:
        print(one, flush=True)
        if one.said:
            print(one.said, flush=True)
    return [one.name for one in outcomes if not one.passed]


if __name__ == "__main__":
    sys.exit(1 if report(run_checks()) else 0)
