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
from workspace.payments.provider import KeyRefused, Provider, Underway, Unreachable
from workspace.payments.stripe import provider
from workspace.storage.database.transactions import writing

T = TypeVar("T")

PAGE = "/app/account/payments"
AT_ONCE = 3  # requests that wait for a provider, of twelve threads
AWAY_FOR = 15.0  # seconds in which one that did not answer is not asked by requests
_places = threading.BoundedSemaphore(AT_ONCE)
_away: dict[str, float] = {}  # connection -> until when, on the monotonic clock


def at(connection: Connection, ask: Callable[[Provider, str], T], *, in_request: bool = False) -> T:
    """What `ask(provider, key)` answers. Never within a transaction. Raises ProviderTrouble; a key that the provider
    does not take any more is noted, and its owner told."""
    key = connection.secret_key
    maker = provider(connection.provider)
    if in_request:
        return in_a_request(connection.pk, lambda: _noting(connection, lambda: ask(maker, key)))
    return _noting(connection, lambda: ask(maker, key))


def in_a_request(whose: str, ask: Callable[[], T]) -> T:
    """What `ask` answers, while somebody waits for a page. `whose` names the connection that may be away."""
    if _away.get(whose, 0.0) > time.monotonic() or not _places.acquire(timeout=0.5):
        raise Unreachable("The payment provider does not answer just now")
    try:
        return ask()
    except Underway:
        raise
    except Unreachable:
        _away[whose] = time.monotonic() + AWAY_FOR
        raise
    finally:
        _places.release()


def _noting(connection: Connection, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except KeyRefused as refusal:
        refused(connection, refusal.message)
        raise


def refused(connection: Connection, words: str) -> None:
    """Once, until another key is given; what is to be paid is not offered meanwhile."""
    with writing():
        row = Connection.objects.filter(pk=connection.pk, key=connection.key, trouble="")
        if not row.update(trouble=words[:300]):
            return
        given = {"why": words, "provider": connection.provider.capitalize(), "page": page(), "name": connection.name}
        given["notices_url"] = notifications.page_of_switches()
        mail.send("payments_refused", connection.account.owner.email, given, account=connection.account)


def page() -> str:
    return f"{settings.BASE_URL}{PAGE}"
