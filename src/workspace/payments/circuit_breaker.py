"""Requests to a provider with an account's key, with a circuit breaker.

A request of a guest waits only a few seconds, and only a few wait at a time. While a provider is known to be
unavailable, requests fail immediately.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings

from workspace.delivery import mail, notifications
from workspace.payments.models import Connection
from workspace.payments.provider import ApiKeyRejectedError, Provider, ProviderUnreachableError, RequestInProgressError
from workspace.payments.stripe import get_provider
from workspace.storage.database.transactions import write_transaction

T = TypeVar("T")

PAGE_PATH = "/app/account/payments"
MAX_CONCURRENT_REQUESTS = 3  # of the server's twelve threads
UNAVAILABLE_SECONDS = 15.0  # requests fail for this long after the provider did not respond
_slots = threading.BoundedSemaphore(MAX_CONCURRENT_REQUESTS)
_unavailable_until: dict[str, float] = {}  # by connection; times of the monotonic clock


def call_provider(connection: Connection, send: Callable[[Provider, str], T], *, in_request: bool = False) -> T:
    """Return the result of `ask(provider, key)`. Call it outside of transactions.

    Raise ProviderError if it fails. If the provider rejects the key, this is stored and the owner is notified.
    """
    key = connection.secret_key
    maker = get_provider(connection.provider)
    if in_request:
        return call_in_request(connection.pk, lambda: _watch_key_rejection(connection, lambda: send(maker, key)))
    return _watch_key_rejection(connection, lambda: send(maker, key))


def call_in_request(provider: str, send: Callable[[], T]) -> T:
    """Return the result of `send` while someone waits for a page. `provider` names the connection."""
    if _unavailable_until.get(provider, 0.0) > time.monotonic() or not _slots.acquire(timeout=0.5):
        raise ProviderUnreachableError("The payment provider does not answer just now")
    try:
        return send()
    except RequestInProgressError:
        raise
    except ProviderUnreachableError:
        _unavailable_until[provider] = time.monotonic() + UNAVAILABLE_SECONDS
        raise
    finally:
        _slots.release()


def _watch_key_rejection(connection: Connection, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except ApiKeyRejectedError as refusal:
        mark_key_rejected(connection, refusal.message)
        raise


def mark_key_rejected(connection: Connection, message: str) -> None:
    """Store that the provider rejects the key, and notify the owner once.

    Payments are not offered until another key is connected.
    """
    with write_transaction():
        row = Connection.objects.filter(pk=connection.pk, key=connection.key, last_error="")
        if not row.update(last_error=message[:300]):
            return
        given = {
            "why": message,
            "provider": connection.provider.capitalize(),
            "page": page_url(),
            "name": connection.name,
        }
        given["notices_url"] = notifications.settings_url()
        mail.send("payments_refused", connection.account.owner.email, given, account=connection.account)


def page_url() -> str:
    return f"{settings.BASE_URL}{PAGE_PATH}"
