"""Asking a provider with an account's key. One that is away holds nobody up: a request waits for few seconds, only a
few requests wait at once, and who comes while it is known to be away is told at once."""

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
MAX_CONCURRENT_REQUESTS = 3  # requests that wait for a provider, of twelve threads
UNAVAILABLE_SECONDS = 15.0  # seconds in which one that did not answer is not asked by requests
_slots = threading.BoundedSemaphore(MAX_CONCURRENT_REQUESTS)
_unavailable_until: dict[str, float] = {}  # connection -> until when, on the monotonic clock


def call_provider(connection: Connection, ask: Callable[[Provider, str], T], *, in_request: bool = False) -> T:
    """What `ask(provider, key)` answers. Never within a transaction. Raises ProviderError; a key that the provider
    does not take any more is noted, and its owner told."""
    key = connection.secret_key
    maker = get_provider(connection.provider)
    if in_request:
        return call_in_request(connection.pk, lambda: _watch_key_rejection(connection, lambda: ask(maker, key)))
    return _watch_key_rejection(connection, lambda: ask(maker, key))


def call_in_request(whose: str, ask: Callable[[], T]) -> T:
    """What `ask` answers, while somebody waits for a page. `whose` names the connection that may be away."""
    if _unavailable_until.get(whose, 0.0) > time.monotonic() or not _slots.acquire(timeout=0.5):
        raise ProviderUnreachableError("The payment provider does not answer just now")
    try:
        return ask()
    except RequestInProgressError:
        raise
    except ProviderUnreachableError:
        _unavailable_until[whose] = time.monotonic() + UNAVAILABLE_SECONDS
        raise
    finally:
        _slots.release()


def _watch_key_rejection(connection: Connection, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except ApiKeyRejectedError as refusal:
        mark_key_rejected(connection, refusal.message)
        raise


def mark_key_rejected(connection: Connection, words: str) -> None:
    """Once, until another key is given; what is to be paid is not offered meanwhile."""
    with write_transaction():
        row = Connection.objects.filter(pk=connection.pk, key=connection.key, last_error="")
        if not row.update(last_error=words[:300]):
            return
        given = {
            "why": words,
            "provider": connection.provider.capitalize(),
            "page": page_url(),
            "name": connection.name,
        }
        given["notices_url"] = notifications.settings_url()
        mail.send("payments_refused", connection.account.owner.email, given, account=connection.account)


def page_url() -> str:
    return f"{settings.BASE_URL}{PAGE_PATH}"
