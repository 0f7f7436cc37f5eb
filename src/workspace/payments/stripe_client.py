"""Requests to Stripe: form-encoded input, a JSON object as output, and errors with texts for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from workspace.http_client.allowed_networks import webhook_guard
from workspace.http_client.client import MAX_BYTES, HttpError, fetch
from workspace.payments.provider import (
    ApiKeyRejectedError,
    PaymentNotFoundError,
    ProviderError,
    ProviderRejectedError,
    ProviderUnreachableError,
    RequestInProgressError,
)

API_VERSION = "2025-03-31.basil"  # determines the shape of its objects; of events only the references are read
TIMEOUT_SECONDS = 8.0
UNREACHABLE_MESSAGE = "Stripe does not answer just now"


class ApiKeyInvalidError(ApiKeyRejectedError):
    """The key is invalid or was revoked."""


def request_stripe(
    key: str, method: str, path: str, fields: Mapping[str, Any] | None = None, *, idempotency_key: str = ""
) -> Mapping[str, Any]:
    """Send a request and return the JSON object.

    Raise ProviderError. Its text never contains what Stripe reports about the key.
    """
    headers = {"Authorization": f"Bearer {key}", "Stripe-Version": API_VERSION}
    body = urlencode(list(_flatten_form(fields or {}))).encode() if method == "POST" else b""
    if method == "POST":
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
    try:
        reply = fetch(
            method,
            f"{settings.STRIPE_URL}/v1/{path}",
            body,
            headers,
            seconds=TIMEOUT_SECONDS,
            max_bytes=MAX_BYTES,
            guard=webhook_guard(),
        )
    except HttpError:
        raise ProviderUnreachableError(UNREACHABLE_MESSAGE) from None
    if reply.status >= 500:
        raise ProviderUnreachableError(UNREACHABLE_MESSAGE, has_response=True)
    try:
        found = json.loads(reply.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProviderUnreachableError(UNREACHABLE_MESSAGE, has_response=reply.status < 400)
    if 200 <= reply.status < 300:
        return found
    error = found.get("error")
    raise _build_error(reply.status, error if isinstance(error, dict) else {}, reply.headers.get("retry-after", ""))


def _build_error(status: int, error: Mapping[str, Any], after: str) -> ProviderError:
    code, message = str(error.get("code") or ""), str(error.get("message") or "")[:300]
    if status == 409:
        return RequestInProgressError("Stripe is at it already")
    if status == 429 or code == "lock_timeout":
        wait = float(after[:4]) if after.isascii() and after.isdigit() else 0.0
        return ProviderUnreachableError("Stripe has too much to do just now", retry_after=wait)
    if status == 401:
        return ApiKeyInvalidError("Stripe does not know this key, or not any more")
    if status == 403:
        return ApiKeyRejectedError("This key is not allowed to do that at Stripe")
    if status == 404 or code == "resource_missing":
        return PaymentNotFoundError("Stripe does not know this payment: was it made with another account's key?")
    return ProviderRejectedError(message or f"Stripe refused it ({status})")


def _flatten_form(fields: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield nested values as form fields: `line_items[0][quantity]`."""
    parts: list[tuple[str, Any]]
    if isinstance(fields, Mapping):
        parts = [(str(key), value) for key, value in fields.items()]
    elif isinstance(fields, list):
        parts = [(str(place), value) for place, value in enumerate(fields)]
    else:
        if fields is not None:
            yield name, str(fields)
        return
    for key, value in parts:
        yield from _flatten_form(value, f"{name}[{key}]" if name else key)


def get_nested(data: Any, *path: str) -> Any:
    for name in path:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data


def get_id(value: Any) -> str:
    return str((value.get("id") if isinstance(value, Mapping) else value) or "")
