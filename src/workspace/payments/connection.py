"""Connecting an account to a payment provider, and disconnecting it. A person does this, never a tool."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.payment_clients.errors import ApiKeyRejectedError, ProviderError, ProviderRejectedError
from workspace.payments import messages, provider_calls
from workspace.payments.checkout import DELIVERY_KIND
from workspace.payments.models import Connection
from workspace.payments.models.connection import KEY_PURPOSE, WEBHOOK_PURPOSE
from workspace.payments.models.payment import UNPAID
from workspace.payments.provider_registry import get_provider, get_title, list_titles
from workspace.payments.status_sync import sync_payment
from workspace.storage import encryption
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

MAX_KEY_LENGTH = 300


class NotConnectedError(ValueError):
    """The provider cannot be connected. The message explains why, and what to do."""


def describe_provider(account: Account) -> str:
    """Return the title of the account's provider, or the titles of those that it can connect."""
    connection = Connection.objects.filter(account=account).exclude(key="").first()
    return list_titles() if connection is None else get_title(connection.provider)


def connect_provider(account: Account, name: str, key: str) -> Connection:
    """Connect a valid key of the provider `name` and register the webhook. Call it outside of transactions.

    Raise NotConnectedError with the reason if the key cannot be used.
    """
    maker, key = get_provider(name), key.strip()
    if not _is_secret_text(key):
        raise NotConnectedError(messages.INVALID_KEY(provider=maker.title))
    try:
        found = maker.inspect_key(key)
    except ProviderError as trouble:
        raise NotConnectedError(trouble.message) from None
    before = Connection.objects.filter(account=account).exclude(key="").first()
    # A key that may not read its account may belong to another account.
    is_other = (
        before is None
        or not found.account
        or (before.provider, before.live, before.provider_account) != (name, found.live, found.account)
    )
    if before is not None and is_other:
        _delete_webhook(before)
    with write_transaction():
        row = Connection.objects.filter(account=account).first()
        row = row or Connection(account=account, provider=name, live=found.live)
        row.provider, row.live, row.provider_account, row.name = name, found.live, found.account, found.name
        row.key, row.key_end = encryption.encrypt_secret(key, account.pk, KEY_PURPOSE), key[-4:]
        row.last_error, row.is_ending, row.connected_at = "", False, clock.now()
        if is_other:
            row.webhook_id, row.webhook_secret, row.last_event_at, row.reconciled_at = "", "", None, clock.now()
        row.save()
    if not row.webhook_secret:
        register_webhook(row)
    return row


def register_webhook(connection: Connection) -> bool:
    """Register the webhook at the provider. Return whether that succeeded.

    If not, the reason is stored, and the owner can set the webhook up manually. Without a webhook, updates arrive some
    minutes later.
    """
    maker, key = get_provider(connection.provider), connection.secret_key
    _delete_webhook(connection)
    if _is_private_url(settings.BASE_URL) and not maker.is_local:
        _save_webhook(connection, "", "", str(messages.NO_PUBLIC_ADDRESS))
        return False
    try:
        id, secret = maker.create_webhook(key, connection.webhook_url)
    except ApiKeyRejectedError:
        _save_webhook(connection, "", "", str(messages.WEBHOOK_PERMISSION_MISSING))
    except ProviderError as trouble:
        _save_webhook(connection, "", "", trouble.message)
    else:
        _save_webhook(connection, id, secret, "")
        return True
    return False


def _delete_webhook(connection: Connection) -> None:
    """Delete the webhook at the provider if possible. Events from a remaining webhook have no effect here."""
    if connection.webhook_id:
        try:
            get_provider(connection.provider).delete_webhook(connection.secret_key, connection.webhook_id)
        except (ProviderError, ToolError):
            logger.warning("An earlier webhook of a connection could not be deleted")


def _is_private_url(url: str) -> bool:
    """Return whether a provider on the internet cannot reach the URL."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "127.0.0.1", "::1") or host.endswith((".local", ".localhost", ".internal"))


def _is_secret_text(text: str) -> bool:
    """Return whether the text could be a key or a signing secret."""
    return 0 < len(text) <= MAX_KEY_LENGTH and text.isascii() and text.isprintable()


def _save_webhook(connection: Connection, id: str, secret: str, problem: str) -> None:
    connection.webhook_id, connection.webhook_problem = id, problem[:300].rstrip(".")
    connection.webhook_secret = (
        encryption.encrypt_secret(secret, connection.account_id, WEBHOOK_PURPOSE) if secret else ""
    )
    with write_transaction():
        connection.save(update_fields=["webhook_id", "webhook_problem", "webhook_secret"])


def set_signing_secret(connection: Connection, secret: str) -> None:
    """Store the signing secret of a webhook that the owner set up manually.

    Raise NotConnectedError if it is not a signing secret.
    """
    maker, secret = get_provider(connection.provider), secret.strip()
    if not _is_secret_text(secret):
        raise NotConnectedError(messages.INVALID_SIGNING_SECRET(provider=maker.title))
    try:
        maker.check_signing_secret(secret)
    except ProviderError as problem:
        raise NotConnectedError(problem.message) from None
    _save_webhook(connection, "", secret, "")


def disconnect_provider(connection: Connection) -> None:
    """Stop taking payments. The worker then cancels open payments at the provider and deletes the key."""
    with write_transaction():
        connection.is_ending = True
        connection.save(update_fields=["is_ending"])
        ends = f"{DELIVERY_KIND}:{connection.pk}:{clock.now().timestamp()}"
        outbox.put(DELIVERY_KIND, {"connection": connection.pk}, account=connection.account, dedupe=ends)


def finish_disconnect(connection_id: str, *, ignore_failures: bool = False) -> None:
    """Cancel open payments, delete the webhook and delete the key.

    If `ignore_failures` is set, delete the key even if requests to the provider fail. Otherwise, raise ProviderError.
    """
    connection = Connection.objects.filter(pk=connection_id, is_ending=True).select_related("account").first()
    if connection is None or not connection.key:
        return
    try:
        _close_at_provider(connection)
    except ApiKeyRejectedError:
        pass  # the key no longer has any effect
    except ProviderError:
        if not ignore_failures:
            raise
    with write_transaction():
        same = Connection.objects.filter(pk=connection.pk, is_ending=True, key=connection.key)
        same.update(key="", key_end="", webhook_id="", webhook_secret="", webhook_problem="", last_error="")


def _close_at_provider(connection: Connection) -> None:
    with write_transaction():
        open_ones = connection.payments.filter(state__in=UNPAID)
        ids = list(open_ones.values_list("pk", flat=True))
        open_ones.update(hold_until=clock.now())
    for id in ids:
        sync_payment(id)
    if connection.webhook_id:
        hook = connection.webhook_id
        try:
            provider_calls.call_provider(connection, lambda maker, key: maker.delete_webhook(key, hook))
        except ProviderRejectedError:
            logger.warning("The webhook of an ended connection could not be deleted")


def on_account_closed(account: Account) -> None:
    """Enqueue the cancellation of open payments at the provider. The delivery belongs to no account."""
    connection = Connection.objects.filter(account=account).exclude(key="").first()
    if connection is None:
        return
    open_ones = connection.payments.filter(state__in=UNPAID).exclude(session="")
    given = {
        "account": account.pk,
        "provider": connection.provider,
        "key": connection.key,
        "hook": connection.webhook_id,
    }
    outbox.put(DELIVERY_KIND, {"closed": {**given, "sessions": list(open_ones.values_list("session", flat=True))}})


def end_closed_account(payload: dict[str, Any]) -> None:
    """Cancel the open payments of a closed account and delete its webhook. Raise ProviderError if it fails."""
    maker, key = (
        get_provider(payload["provider"]),
        encryption.decrypt_secret(payload["key"], payload["account"], KEY_PURPOSE),
    )
    try:
        for session in payload["sessions"]:
            maker.expire_checkout(key, session)
        if payload["hook"]:
            maker.delete_webhook(key, payload["hook"])
    except ApiKeyRejectedError:
        pass  # no one can pay with it anymore


encryption.register_encrypted_columns(Connection, key=KEY_PURPOSE, webhook_secret=WEBHOOK_PURPOSE)
