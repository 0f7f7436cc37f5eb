"""Redaction of email and IP addresses in text for logs and for administrators."""

from __future__ import annotations

import re

_EMAIL = re.compile(r"[^\s<>@\"':,;]+@[^\s<>@\"':,;]+")
_IP = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4})?")


def mask_addresses(text: str) -> str:
    """Replace each email address and IP address in the text with `…`."""
    return _IP.sub("…", _EMAIL.sub("…", text))
