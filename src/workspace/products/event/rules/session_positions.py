"""Positions of sessions within a day: numbers with gaps, so that moving one session does not change others."""

from __future__ import annotations

from collections.abc import Collection, Sequence

POSITION_STEP = 1000


def compute_positions(present: Sequence[int | None], moved: Collection[int]) -> list[int]:
    """Compute the positions of a day's sessions in their new order.

    `present` are their current positions, and `moved` are the indexes of new or moved sessions. All others keep their
    position, unless there is no free number between them for a moved one.
    """
    positions: list[int] = []
    place = 0
    while place < len(present):
        until = place
        while until < len(present) and (until in moved or present[until] is None):
            until += 1
        low = positions[-1] if positions else 0
        high = present[until] if until < len(present) else None
        count = until - place
        if high is None:
            positions += [low + POSITION_STEP * (number + 1) for number in range(count)]
        else:
            step = (high - low) // (count + 1)
            if step < 1 or high <= low:
                return [POSITION_STEP * (number + 1) for number in range(len(present))]
            positions += [low + step * (number + 1) for number in range(count)]
            positions.append(high)
            until += 1
        place = until
    return positions
