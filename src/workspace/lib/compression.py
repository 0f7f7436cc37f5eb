"""Compression of text responses for clients that accept it."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

MIN_BYTES = 1024  # bytes; a smaller body fits into the same packet without compression
_TEXT = re.compile(r"text/|image/svg\+xml|application/(?:[a-z.+-]+\+)?(?:json|xml|javascript)\b")
_GZIP = re.compile(r"\s*(?:x-)?(gzip|\*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*", re.IGNORECASE)
_MAX_HEADER_LENGTH = 200


def should_compress(media_type: str, size: int) -> bool:
    """Return whether a body of `size` bytes is worth compressing."""
    return size >= MIN_BYTES and _TEXT.match(media_type.lower()) is not None


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether the Accept-Encoding header allows gzip (RFC 9110, section 12.5.3)."""
    return _accepts_gzip(accept_encoding[:_MAX_HEADER_LENGTH])


@lru_cache(256)
def _accepts_gzip(accept_encoding: str) -> bool:
    weights = {
        found[1].lower(): float(found[2] or 1)
        for part in accept_encoding.split(",")
        if (found := _GZIP.fullmatch(part)) is not None
    }
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def gzip_body(body: bytes) -> bytes:
    """Compress a body. The result contains no timestamp, so equal bodies produce equal results."""
    return gzip.compress(body, 6, mtime=0)
