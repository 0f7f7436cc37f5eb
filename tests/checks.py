"""The checks that need no test: lint, format, types, import order, dependencies, length of files.

`bin/check` runs them all; `bin/test` runs them beside the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
MAX_LINES = 400
COMMANDS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "import order": ["lint-imports"],
    "dependencies": ["deptry", "src"],
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """`said` is what a check that failed printed."""

    name: str
    passed: bool
    seconds: float
    said: str = ""

    def __str__(self) -> str:
        return f"{'ok      ' if self.passed else 'FAILED  '} {self.name} ({self.seconds:.0f} s)"


def run_checks() -> list[Outcome]:
    """Run every check, one after the other."""
    return [*(_run(name, command) for name, command in COMMANDS.items()), _check_lengths()]


def _run(name: str, command: list[str]) -> Outcome:
    began = time.monotonic()
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, env=env)
    return Outcome(name, done.returncode == 0, time.monotonic() - began, done.stdout + done.stderr)


def _check_lengths() -> Outcome:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    paths = [ROOT / name for name in listed if name and "/migrations/" not in name and (ROOT / name).exists()]
    long = [str(path.relative_to(ROOT)) for path in paths if len(path.read_text().splitlines()) > MAX_LINES]
    said = "".join(f"{name} is longer than {MAX_LINES} lines\n" for name in long)
    return Outcome("length of files", not long, 0, said)


def report(outcomes: list[Outcome]) -> list[str]:
    """Print how the checks ended; return the names of those that failed."""
    for one in outcomes:
        print(one, flush=True)
        if not one.passed:
            print(one.said, flush=True)
    return [one.name for one in outcomes if not one.passed]


if __name__ == "__main__":
    sys.exit(1 if report(run_checks()) else 0)
