"""The budget of processor time of a full run of the tests.

`tests/budget.json` contains the maximum seconds for each database, and how long the reference work took on the machine
where they were measured. A slower machine gets more time in proportion. A larger budget is a decision: edit the file by
hand, state the reason in the commit, and add at most 40 seconds for one piece of work.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("budget.json")


@dataclass(frozen=True, slots=True)
class Spent:
    """The processor seconds of a run with all its servers and browsers, and its budget on this machine."""

    seconds: float
    budget: float

    @property
    def is_over(self) -> bool:
        return self.seconds > self.budget

    def __str__(self) -> str:
        return f"{self.seconds:.0f} s of processor time (budget {self.budget:.0f} s on this machine)"


def compare(name: str, seconds: float) -> Spent | None:
    """Compare a run with its budget. Return None if it has no budget."""
    known = json.loads(FILE.read_text())
    if name not in known["seconds"]:
        return None
    slower = max(1.0, measure_machine() / known["reference_seconds"])
    return Spent(seconds, known["seconds"][name] * slower)


@cache
def measure_machine() -> float:
    """Return the processor seconds of a fixed piece of work.

    It takes the best of five runs, so that other load matters little.
    """
    return min(_time_work() for _ in range(5))


def _time_work() -> float:
    began = time.process_time()
    rows = [{"id": number, "name": f"row {number}", "parts": list(range(10))} for number in range(20_000)]
    for _ in range(3):
        rows = json.loads(json.dumps(rows))
    sorted(rows, key=lambda row: row["name"])
    return time.process_time() - began


if __name__ == "__main__":
    print(f"The reference work takes {measure_machine():.3f} s here.")
