"""Requests to Stripe with one secret key: form-encoded input, JSON objects as output, and human-readable errors.

Stripe's library would bypass `http_client/client.py`, with its own timeouts and redirects, for only a few calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings

from workspace.http_client.allowed_networks import webhook_guard
from workspace.http_client.client import MAX_BYTES, HttpError, fetch
from workspace.payment_clients.errors import (
    ApiKeyRejectedError,
    PaymentNotFoundError,
    ProviderError,
    ProviderRejectedError,
    ProviderUnreachableError,
    RequestInProgressError,
)
from workspace.payment_clients.stripe import messages

API_VERSION = "2025-03-31.basil"  # determines the shape of Stripe's objects; only the references in events are read
TIMEOUT_SECONDS = 8.0
PAGE_SIZE = 100  # Stripe's maximum
MAX_PAGES = 20
_LIVE_KEYS = ("sk_live_", "rk_live_")
_SECRET_KEYS = ("sk_test_", "rk_test_", *_LIVE_KEYS)

Json = Mapping[str, Any]


class ApiKeyInvalidError(ApiKeyRejectedError):
    """The key is invalid or was revoked."""


@dataclass(frozen=True, slots=True)
class StripeClient:
    """Stripe with a secret or restricted key.

    Each method sends requests that may take seconds, so call it outside of transactions. Methods raise ProviderError,
    whose message never contains what Stripe reports about the key. Amounts are in Stripe's units (`amounts.py`).
    """

    key: str = field(repr=False)

    @property
    def is_secret_key(self) -> bool:
        """True if this is a secret key for servers, not a publishable key for browsers."""
        return self.key.startswith(_SECRET_KEYS)

    @property
    def is_live(self) -> bool:
        """True if the key moves real money. False means test mode."""
        return self.key.startswith(_LIVE_KEYS)

    def open_checkout(self, fields: Json, idempotency_key: str) -> tuple[str, str]:
        """Create a checkout session. Return its id and the URL of its page."""
        found = self.request("POST", "checkout/sessions", fields, idempotency_key=idempotency_key)
        return str(found["id"]), parse_page_url(found)

    def fetch_checkout(self, id: str, *, expand: Sequence[str] = ()) -> Json:
        return self.fetch_object("checkout/sessions", id, expand=expand)

    def expire_checkout(self, id: str) -> None:
        """Close a session. Raise ProviderRejectedError if it is paid or already closed."""
        self.request("POST", f"{object_path('checkout/sessions', id)}/expire")

    def fetch_payment(self, intent: str) -> Json:
        """Return a payment intent with its latest charge."""
        return self.fetch_object("payment_intents", intent, expand=("latest_charge",))

    def create_refund(self, fields: Json, idempotency_key: str) -> Json:
        return self.request("POST", "refunds", fields, idempotency_key=idempotency_key)

    def find_dispute_status(self, intent: str) -> str:
        """Return Stripe's status of the newest dispute of a payment, or ""."""
        found = self.request("GET", f"disputes?{urlencode({'limit': 1, 'payment_intent': intent})}")
        return next((str(one.get("status")) for one in found.get("data") or ()), "")

    def fetch_object(self, kind: str, id: str, *, expand: Sequence[str] = ()) -> Json:
        """Return an object such as `invoices/ID`. Raise PaymentNotFoundError if there is none."""
        query = urlencode([("expand[]", name) for name in expand])
        return self.request("GET", object_path(kind, id) + (f"?{query}" if query else ""))

    def list_objects(self, path: str, filters: Json) -> list[Json]:
        """Return all objects, newest first, up to 2,000."""
        rows: list[Json] = []
        for _ in range(MAX_PAGES):
            after = {"starting_after": rows[-1]["id"]} if rows else {}
            query = urlencode(list(_flatten_form({**filters, "limit": PAGE_SIZE, **after})))
            found = self.request("GET", f"{path}?{query}")
            page = list(found.get("data") or ())
            rows += page
            if not found.get("has_more") or not page:
                break
        return rows

    def request(self, method: str, path: str, fields: Json | None = None, *, idempotency_key: str = "") -> Json:
        """Send one request and return the JSON object."""
        headers = {"Authorization": f"Bearer {self.key}", "Stripe-Version": API_VERSION}
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
            raise ProviderUnreachableError(messages.UNAVAILABLE) from None
        if reply.status >= 500:
            raise ProviderUnreachableError(messages.UNAVAILABLE, has_response=True)
        try:
            found = json.loads(reply.body)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise ProviderUnreachableError(messages.UNAVAILABLE, has_response=reply.status < 400)
        if 200 <= reply.status < 300:
            return found
        error = found.get("error")
        raise _build_error(reply.status, error if isinstance(error, dict) else {}, reply.headers.get("retry-after", ""))


def _build_error(status: int, error: Json, after: str) -> ProviderError:
    code, message = str(error.get("code") or ""), str(error.get("message") or "")[:300]
    if status == 409:
        return RequestInProgressError(messages.REQUEST_IN_PROGRESS)
    if status == 429 or code == "lock_timeout":
        wait = float(after[:4]) if after.isascii() and after.isdigit() else 0.0
        return ProviderUnreachableError(messages.TOO_MANY_REQUESTS, retry_after=wait)
    if status == 401:
        return ApiKeyInvalidError(messages.KEY_INVALID)
    if status == 403:
        return ApiKeyRejectedError(messages.PERMISSION_MISSING)
    if status == 404 or code == "resource_missing":
        return PaymentNotFoundError(messages.PAYMENT_NOT_FOUND)
    return ProviderRejectedError(message or messages.REQUEST_REJECTED(status=status))


def _flatten_form(fields: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield nested values as form fields, such as `line_items[0][quantity]`."""
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


def object_path(kind: str, id: str) -> str:
    """Return the path of an object, with its id quoted."""
    return f"{kind}/{quote(id, safe='')}"


def parse_page_url(data: Json) -> str:
    """Return the URL of one of Stripe's pages.

    Raise ProviderUnreachableError if there is no URL that is safe to open.
    """
    url = str(data.get("url") or "")
    if not url.startswith(("https://", settings.STRIPE_URL)):
        raise ProviderUnreachableError(messages.NO_PAGE_ADDRESS, has_response=True)
    return url


def get_nested(data: Any, *path: str) -> Any:
    for name in path:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data


def get_id(value: Any) -> str:
    return str((value.get("id") if isinstance(value, Mapping) else value) or "")
