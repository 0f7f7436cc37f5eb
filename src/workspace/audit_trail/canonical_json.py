"""Canonical JSON and hashes: RFC 8785 in UTF-8, SHA-256, hexadecimal digits.

Names are ASCII and numbers are integers, so that records can be checked without a library. Python's json with sorted
names and no spaces writes the same bytes."""

from __future__ import annotations

import hashlib
import re
from typing import Any

_NAME_PATTERN = re.compile(r"[A-Za-z0-9_.:-]{1,60}")
_MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 12


def to_canonical_json(value: Any) -> str:
    """Return a value as canonical JSON.

    Raise ValueError for values without a unique form: fractions (write them as text), integers beyond 2**53, names
    that are not ASCII, and lone surrogates."""
    import rfc8785  # imported late, only to write or check records

    _check_value(value, 0)
    text: str = rfc8785.dumps(value).decode()
    return text


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def hash_personal_value(salt: str, path: str, value: str) -> str:
    """Return the digest of a personal value.

    `value` is its canonical JSON, `path` is its place in the record, and `salt` is a text of 32 digits."""
    return hash_text(to_canonical_json([salt, path, value]))


def genesis_hash(chain: str) -> str:
    """Return the value that the first record of a chain has as its previous hash."""
    return hash_text(f"workspace-tools chain {chain}")


def _check_value(value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int):
        if abs(value) > _MAX_INTEGER:
            raise ValueError(f"{value} must be text")
    elif isinstance(value, str):
        value.encode()  # a lone surrogate cannot be encoded
    elif isinstance(value, (list, tuple)):
        for one in value:
            _check_value(one, depth + 1)
    elif isinstance(value, dict):
        for name, one in value.items():
            _check_name(name)
            _check_value(one, depth + 1)
    else:
        raise ValueError(f"{type(value).__name__} must be text")


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not _NAME_PATTERN.fullmatch(name):
        raise ValueError(f"{name!r} isn't a valid name in a record")
