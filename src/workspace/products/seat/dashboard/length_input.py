"""Numbers from the page's script, and lengths typed by an owner."""

from __future__ import annotations

import math

from workspace.lib.errors import InvalidInputError
from workspace.products.seat import messages


def parse_number(text: str, path: str) -> float:
    """Return a finite number. Raise InvalidInputError if the text is not a finite number."""
    try:
        result = float(text[:20])
    except ValueError:
        result = math.nan
    if not math.isfinite(result):
        raise InvalidInputError.at_path(path, messages.NUMBER_NEEDED)
    return result
