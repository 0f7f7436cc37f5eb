"""Identifiers: a prefix that tells the kind, then 48 bits of milliseconds and 80 random bits in base 32.

They sort by time of making (like ULID, https://github.com/ulid/spec, in lower case), so that an index on them is
appended to rather than scattered.
"""

from __future__ import annotations

import re
import secrets
import threading
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0 1 i l o: people type slugs off paper


_ID = re.compile(rf"[a-z]+_[{ALPHABET}]{{26}}")
_guard = threading.Lock()
_last = 0


def _next_number() -> int:
    """Greater than the one before, so that things made in one millisecond sort as they were made; by a random step, so
    that one id does not tell the next."""
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
    """A random slug in lower case; 31**7 is 27 billion, and the caller retries on the unlikely clash."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(length))
