"""Identifiers: a prefix for the kind, then 48 bits of milliseconds and 80 random bits in base 32.

They sort by creation time (like ULID, https://github.com/ulid/spec, in lower case), so that new entries are appended to
an index and not scattered in it.
"""

from __future__ import annotations

import re
import secrets
import threading
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0 1 i l o, because people type slugs from printed material


_ID = re.compile(rf"[a-z]+_[{ALPHABET}]{{26}}")
_guard = threading.Lock()
_last = 0


def _next_number() -> int:
    """Return a number greater than the previous one.

    Ids created in the same millisecond therefore sort by creation. The step is random, so that an id does not reveal
    the next one.
    """
    global _last
    with _guard:
        number = (int(time.time() * 1000) << 80) | secrets.randbits(80)
        _last = number if number > _last else _last + 1 + secrets.randbits(64)
        return _last


def new_id(prefix: str) -> str:
    number = _next_number()
    letters = []
    for _ in range(26):
        number, digit = divmod(number, 32)
        letters.append(ALPHABET[digit])
    return f"{prefix}_{''.join(reversed(letters))}"


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def new_slug(length: int = 7) -> str:
    """Return a random slug in lower case.

    There are 31**7 = 27 billion of seven characters. The caller retries on a collision.
    """
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(length))
