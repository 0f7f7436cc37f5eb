"""Stripe's signature of events (docs.stripe.com/webhooks#verify-manually).

The header is `t=…,v1=…`, where v1 is the hexadecimal HMAC-SHA256 of `t.body`. While a secret is being replaced, there
are several v1 values.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime

TOLERANCE_SECONDS = 300  # maximum difference between Stripe's clock and ours
_MAX_PARTS = 20  # of a header


def sign_event(body: bytes, secret: str, at: int) -> str:
    return f"t={at},v1={_compute_digest(body, secret, at)}"


def verify_event(body: bytes, header: str, secret: str, now: datetime) -> bool:
    """Return whether the body was signed with the secret within the last five minutes."""
    at, given = None, []
    for part in header.split(",")[:_MAX_PARTS]:
        name, _, value = part.strip().partition("=")
        if name == "t" and value.isascii() and value.isdigit() and len(value) < 12:
            at = int(value)
        elif name == "v1" and value.isascii():
            given.append(value)
    if at is None or not given or not secret or abs(now.timestamp() - at) > TOLERANCE_SECONDS:
        return False
    wanted = _compute_digest(body, secret, at)
    return any(hmac.compare_digest(wanted, one) for one in given)


def _compute_digest(body: bytes, secret: str, at: int) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
