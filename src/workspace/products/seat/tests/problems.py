"""Helpers that create tables, parties and preferences for solver tests."""

from __future__ import annotations

from workspace.products.seat.rules.solver.problem import Guest, Preference, Table


def tables(*seats: int) -> list[Table]:
    return [Table(f"t{number}", str(number + 1), many) for number, many in enumerate(seats)]


def parties(*sizes: int) -> list[Guest]:
    """Return guests `0.0`, `0.1`, `1.0` and so on. A guest alone has no party."""
    return [
        Guest(f"{number}.{value}", f"Guest {number}.{value}", f"Party {number}" if size > 1 else "")
        for number, size in enumerate(sizes)
        for value in range(size)
    ]


def preference(kind: str, value: str, other: str = "", *, table: str = "", weight: int = 3) -> Preference:
    guests = (value, other) if other else (value,)
    return Preference(f"{kind} {value} {other}{table}", kind, guests, table, weight)  # type: ignore[arg-type]
