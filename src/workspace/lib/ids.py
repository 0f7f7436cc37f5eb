"""Identifiers: a prefix for the kind, then 48 bits of milliseconds and 80 random bits in base 32.

They sort by creation time (like ULID, https://github.com/ulid/spec, in lower case), so that new entries are appended to
an index and not scattered in it.
"""

from __future__ import annotations

import base64
import re
import secrets
import threading
import time

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0 1 i l o, because people type slugs from printed material


_ID = re.compile(rf"[a-z]+_[{ALPHABET}]{{26}}")
_OF_STANDARD_DIGITS = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", ALPHABET.encode())
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
    # 26 digits are 130 bits; 30 more complete the last bytes
    digits = base64.b32encode((_next_number() << 30).to_bytes(20))[:26]
    return f"{prefix}_{digits.translate(_OF_STANDARD_DIGITS).decode()}"


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def new_slug(length: int = 7) -> str:
    """Return a random slug in lower case.

    There are 31**7 = 27 billion slugs. The caller must retry after a collision.
    """
    number = secrets.randbelow(len(SLUG_ALPHABET) ** length)
    letters = []
    for _ in range(length):
        number, digit = divmod(number, len(SLUG_ALPHABET))
        letters.append(SLUG_ALPHABET[digit])
    return "".join(letters)
