"""The rest of a rate limit after an attempt was counted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    """The rest of a limit: `limit` and `remaining` attempts, and `resets_in` seconds until the window ends.

    It is truthy if the attempt was granted.
    """

    limit: int
    remaining: int
    resets_in: int
    is_granted: bool

    def __bool__(self) -> bool:
        """Return whether the attempt was granted."""
        return self.is_granted
