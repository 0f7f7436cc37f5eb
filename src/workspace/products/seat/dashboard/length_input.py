"""Numbers that the page's script sends, and lengths that an owner types."""

from __future__ import annotations

import math

from workspace.lib.errors import InvalidInputError


def parse_number(text: str, at: str) -> float:
    """Raises InvalidInputError."""
    try:
        found = float(text[:20])
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise InvalidInputError.at_path(at, "Must be a number")
    return found
