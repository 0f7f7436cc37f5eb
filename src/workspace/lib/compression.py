"""Text made smaller on its way, for clients that take it so."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

MIN_BYTES = 1024  # bytes: below it, what is saved fits the same packet
_TEXT = re.compile(r"text/|image/svg\+xml|application/(?:[a-z.+-]+\+)?(?:json|xml|javascript)\b")
_GZIP = re.compile(r"\s*(?:x-)?(gzip|\*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*", re.IGNORECASE)
_MAX_HEADER_LENGTH = 200


def should_compress(media_type: str, size: int) -> bool:
    """Whether a body of `size` bytes is worth it."""
    return size >= MIN_BYTES and _TEXT.match(media_type.lower()) is not None


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether the header Accept-Encoding allows gzip (RFC 9110, 12.5.3)."""
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
    """The same bytes each time: nothing of the moment stands in them."""
    return gzip.compress(body, 6, mtime=0)
