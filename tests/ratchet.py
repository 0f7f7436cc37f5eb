"""The ratchet: violations of ruff rules in old code may not exceed the numbers in tests/ratchet.json.

The same file contains shares of names that break the rules of STYLE.md (`tests/name_counts.py`), in tenths of a
percent, and a number of functions. A change with more violations fails. A change with fewer must lower the number:
`.venv/bin/python tests/ratchet.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUFF = ROOT / ".venv" / "bin" / "ruff"
NAME_COUNTS = ROOT / "tests" / "name_counts.py"
LIMITS = ROOT / "tests" / "ratchet.json"
LOWER = "Lower the numbers: .venv/bin/python tests/ratchet.py"


def read_limits() -> dict[str, int]:
    """Return the permitted number of violations of each rule, by its code."""
    limits: dict[str, int] = json.loads(LIMITS.read_text())
    return limits


def count_broken(rules: Mapping[str, int]) -> dict[str, int]:
    """Count the violations of each rule, by its code, and compute each share of names."""
    counted = subprocess.run([sys.executable, NAME_COUNTS], capture_output=True, text=True, check=True)
    shares: dict[str, int] = json.loads(counted.stdout)
    codes = ",".join(rule for rule in rules if rule not in shares)
    command = [RUFF, "check", ".", "--extend-select", codes, "--statistics", "--output-format", "json"]
    done = subprocess.run([*command, "--exit-zero"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = {row["code"]: int(row["count"]) for row in json.loads(done.stdout)}
    return {rule: shares[rule] if rule in shares else found.get(rule, 0) for rule in rules}


def compare(limits: Mapping[str, int], found: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Return a line for each rule with more violations than its limit, and for each with fewer."""
    more = [_format_excess(rule, found[rule], most) for rule, most in limits.items() if found[rule] > most]
    fewer = [f"{rule}: {most} can become {found[rule]}" for rule, most in limits.items() if found[rule] < most]
    return more, fewer


def _format_excess(rule: str, found: int, most: int) -> str:
    if rule.startswith("number of "):
        return f"{found} {rule.removeprefix('number of ')}, and {most} are allowed: tests/name_counts.py --list"
    if " " in rule:
        return f"{found / 10:.1f} % {rule}, and {most / 10:.1f} % are allowed: see tests/name_counts.py"
    return f"{rule} is broken {found} times, and {most} are allowed: see ruff check --select {rule} FILE"


def lower() -> None:
    """Lower each limit to the current count where that is smaller."""
    limits = read_limits()
    found = count_broken(limits)
    lowered = {rule: min(most, found[rule]) for rule, most in limits.items()}
    LIMITS.write_text(json.dumps({rule: most for rule, most in lowered.items() if most}, indent=2) + "\n")


if __name__ == "__main__":
    if "--check" not in sys.argv:
        lower()
    more, _ = compare(read_limits(), count_broken(read_limits()))
    print("\n".join(more) or "tests/ratchet.json holds")
    sys.exit(1 if more else 0)
