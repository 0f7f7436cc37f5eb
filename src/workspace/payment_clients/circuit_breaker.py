"""A circuit breaker for requests to payment providers while someone waits for a page.

Such a request waits only a few seconds, and only a few wait at a time. While a provider is known to be unavailable,
requests fail immediately.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from workspace.payment_clients import messages
from workspace.payment_clients.errors import ProviderUnreachableError, RequestInProgressError

T = TypeVar("T")

MAX_CONCURRENT_REQUESTS = 3  # of the server's twelve threads
UNAVAILABLE_SECONDS = 15.0  # for which requests fail after the provider did not respond
_slots = threading.BoundedSemaphore(MAX_CONCURRENT_REQUESTS)
_unavailable_until: dict[str, float] = {}  # by connection; times of the monotonic clock


def call_in_request(connection: str, ask: Callable[[], T]) -> T:
    """Call `ask` while someone waits for a page, and return its result. `connection` identifies the key in use."""
    if _unavailable_until.get(connection, 0.0) > time.monotonic() or not _slots.acquire(timeout=0.5):
        raise ProviderUnreachableError(messages.PROVIDER_UNAVAILABLE)
    try:
        return ask()
    except RequestInProgressError:
        raise
    except ProviderUnreachableError:
        _unavailable_until[connection] = time.monotonic() + UNAVAILABLE_SECONDS
        raise
    finally:
        _slots.release()
