"""Requests to a provider with an account's key, with handling of rejected keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings

from workspace.delivery import mail, notifications
from workspace.payment_clients import circuit_breaker
from workspace.payment_clients.errors import ApiKeyRejectedError
from workspace.payments.models import Connection
from workspace.payments.provider import Provider
from workspace.payments.provider_registry import get_provider, get_title
from workspace.storage.database.transactions import write_transaction

T = TypeVar("T")

PAGE_PATH = "/app/account/payments"


def call_provider(connection: Connection, send: Callable[[Provider, str], T], *, in_request: bool = False) -> T:
    """Return the result of `send(provider, key)`. Call it outside of transactions.

    Raise ProviderError if it fails. If the provider rejects the key, this is stored and the owner is notified.
    """
    key = connection.secret_key
    maker = get_provider(connection.provider)
    if in_request:
        return circuit_breaker.call_in_request(
            connection.pk, lambda: _watch_key_rejection(connection, lambda: send(maker, key))
        )
    return _watch_key_rejection(connection, lambda: send(maker, key))


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
        if not row.update(last_error=message[:300].rstrip(".")):
            return
        given = {
            "why": message.rstrip("."),
            "provider": get_title(connection.provider),
            "page": page_url(),
            "name": connection.name,
        }
        given["notices_url"] = notifications.settings_url()
        mail.send("owner/payments_key_rejected", connection.account.owner.email, given, account=connection.account)


def page_url() -> str:
    return f"{settings.BASE_URL}{PAGE_PATH}"
