"""Identifiers: a prefix that tells the kind, then 48 bits of milliseconds and 80 random bits in base 32.

They sort by time of making (like ULID, https://github.com/ulid/spec, in lower case), so that an index on them is
appended to rather than scattered.
"""

from __future__ import annotations

import secrets
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0 1 i l o: people type slugs off paper


def new_id(prefix: str) -> str:
    number = (int(time.time() * 1000) << 80) | secrets.randbits(80)
    letters = []
    for _ in range(26):
        number, digit = divmod(number, 32)
        letters.append(ALPHABET[digit])
    return f"{prefix}_{''.join(reversed(letters))}"


def new_slug(length: int = 7) -> str:
    """A random slug in lower case; 31**7 is 27 billion, and the caller retries on the unlikely clash."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(length))
