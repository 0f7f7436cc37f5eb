"""Signed events from Stripe. Only the references in an event are read, so the shape of its object does not matter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from workspace.lib.strict_json import ensure_storable
from workspace.payment_clients.errors import SignatureError
from workspace.payment_clients.stripe import signature

HEADER = "Stripe-Signature"
MAX_ID_LENGTH = 100
MAX_KIND_LENGTH = 60


@dataclass(frozen=True, slots=True)
class StripeEvent:
    """An event. `subject` is the object that it is about, and `live` is False in test mode."""

    id: str
    kind: str
    live: bool
    subject: Mapping[str, Any]


def parse_signed_event(body: bytes, headers: Mapping[str, str], secret: str, now: datetime) -> StripeEvent:
    """Parse an event. Raise SignatureError if its signature is not valid, or if it is not an event."""
    if not signature.verify_event(body, headers.get(HEADER, ""), secret, now):
        raise SignatureError
    try:
        event = json.loads(body)
        subject = event["data"]["object"]
        id, kind = str(event["id"])[:MAX_ID_LENGTH], str(event["type"])[:MAX_KIND_LENGTH]
        ensure_storable(id)
        ensure_storable(kind)
        live = bool(event.get("livemode"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SignatureError from None
    if not isinstance(subject, Mapping):
        raise SignatureError
    return StripeEvent(id, kind, live, subject)
