"""The numbers of statements and commits of each call, page and post, which may only decrease.

`tests/call_counts.json` contains two numbers for each case of `benchmarks/bench_calls.py`. After a change that makes
them fewer, lower them: `.venv/bin/python -m tests.call_counts`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = ROOT / "tests" / "call_counts.json"
_NOTE = re.compile(r"(\d+) statements(?:, (\d+) commits)?")
Counts = dict[str, list[int]]


def read_limits() -> Counts:
    """Return the permitted statements and commits of each case."""
    limits: Counts = json.loads(LIMITS.read_text())
    return limits


def count_calls() -> Counts:
    """Run each case of the benchmark once, and return its statements and commits."""
    command = [sys.executable, "benchmarks/bench_calls.py", "--short", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-5000:])
    rows = json.loads(done.stdout.splitlines()[-1])["rows"]
    return {row["what"]: [int(number or 0) for number in _NOTE.search(row["note"]).groups()] for row in rows}  # type: ignore[union-attr]


def list_excesses(limits: Mapping[str, list[int]], found: Mapping[str, list[int]]) -> list[str]:
    """Return a line for each case with more statements or commits than its limit."""
    return [
        f"{name}: {now[0]} statements and {now[1]} commits, and {most[0]} and {most[1]} are allowed"
        for name, now in found.items()
        if (most := limits.get(name, [0, 0])) and any(one > limit for one, limit in zip(now, most, strict=True))
    ]


def lower() -> None:
    """Lower limits to the current counts, and add those of new cases."""
    limits = read_limits() if LIMITS.exists() else {}
    lowered = {
        name: [min(pair) for pair in zip(now, limits.get(name, now), strict=True)]
        for name, now in count_calls().items()
    }
    lines = (f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(now)}" for name, now in lowered.items())
    LIMITS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    lower()
