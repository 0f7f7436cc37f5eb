"""The results of benchmarks as rows of one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    `ratio` is the ratio to the floor, where larger is better, or None if there is no floor. `goal` is the minimum of
    the ratio. `ours` and `floor` include their units.
    """

    what: str
    ours: str
    floor: str = ""
    ratio: float | None = None
    goal: float | None = None
    note: str = ""

    @property
    def misses(self) -> bool:
        return self.ratio is not None and self.goal is not None and self.ratio < self.goal


HEAD = ("what", "ours", "floor", "ratio", "goal", "note")


def markdown(rows: Iterable[Row]) -> str:
    lines = [_format_line(HEAD), "|---|--:|--:|--:|--:|---|"]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        goal = "" if row.goal is None else f"{row.goal:g}"
        lines.append(
            _format_line((row.what, row.ours, row.floor, f"**{ratio}**" if row.misses else ratio, goal, row.note))
        )
    return "\n".join(lines) + "\n"


def _format_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
