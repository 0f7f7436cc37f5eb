"""Suspension of an account by the administrator.

Nothing is deleted. Members, keys and agents have no access (`Account.banned_at`), and public pages are unavailable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import F

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

# Prefix of the administrator's reason. Pages that were banned individually do not have it, and stay banned.
ACCOUNT_BAN_PREFIX = "account: "


DELIVERY_KIND = "account.notify"  # of the outbox, because notifying guests after the commit can never fail the write
SUSPENDED, RETURNED = "left", "back"

Listener = Callable[[Account, str], None]  # the second argument is a key, and no guest is notified twice for one key
_listeners: dict[str, list[Listener]] = {SUSPENDED: [], RETURNED: []}


def register_suspension_listener(listener: Listener) -> Listener:
    """Register `listener(account, key)` to run after an account is suspended or its closure starts.

    Registering a listener twice has no effect. A listener that raises an error is called again with the same key.
    """
    return _add_listener(listener, SUSPENDED)


def register_return_listener(listener: Listener) -> Listener:
    """Register `listener(account, key)` to run after an account is resumed or its closure is cancelled."""
    return _add_listener(listener, RETURNED)


def _add_listener(listener: Listener, name: str) -> Listener:
    if listener not in _listeners[name]:
        _listeners[name].append(listener)
    return listener


def notify_return(account: Account) -> None:
    """Notify guests that the account is back, if it is neither suspended nor closing.

    Call it in the transaction of the change, after the change.
    """
    if account.banned_at is None and account.closes_at is None:
        _enqueue_notification(account, RETURNED)


def notify_suspension(account: Account) -> None:
    """Notify affected guests of a suspension or closure.

    Call it in the transaction of the change, before the change. Guests of an account that is already closing or
    suspended have already been notified.
    """
    if account.banned_at is None and account.closes_at is None:
        _enqueue_notification(account, SUSPENDED)


def _enqueue_notification(account: Account, change: str) -> None:
    # The delivery belongs to no account, because deliveries of a suspended account are not sent.
    outbox.put(DELIVERY_KIND, {"account": account.pk, "what": change})


class SuspensionChannel:
    """The outbox channel that runs the listeners."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        given = delivery.payload or {}
        account = Account.objects.filter(pk=given.get("account")).first()
        failed: list[Exception] = []
        if account is None:
            return DeliveryState.SENT
        for teller in _listeners[given["what"]]:
            try:
                teller(account, delivery.pk)
            except Exception as problem:  # the other listeners must still run
                failed.append(problem)
        if failed:
            raise failed[0]
        return DeliveryState.SENT

    def close(self) -> None:
        """Do nothing, because the channel has no connection."""


def suspend_account(account: Account, reason: str) -> int:
    """Suspend the account. Return the number of pages that are now unavailable.

    Pages that were already suspended keep their reason.
    """
    now = clock.now()
    with write_transaction():
        locked = account.lock()
        notify_suspension(locked)
        if locked.banned_at is None:
            locked.banned_at, locked.ban_reason = now, reason[:200]
            locked.save(update_fields=["banned_at", "ban_reason"])
        pages = locked.publications.filter(banned_at=None, deleted_at=None)
        return pages.update(banned_at=now, ban_reason=f"{ACCOUNT_BAN_PREFIX}{reason}"[:200], version=F("version") + 1)


def resume_account(account: Account) -> int:
    """Resume the account. Return the number of pages that are available again."""
    with write_transaction():
        locked = account.lock()
        was_away, locked.banned_at, locked.ban_reason = locked.banned_at is not None, None, ""
        locked.save(update_fields=["banned_at", "ban_reason"])
        if was_away:
            notify_return(locked)
        pages = locked.publications.filter(ban_reason__startswith=ACCOUNT_BAN_PREFIX)
        return pages.update(banned_at=None, ban_reason="", version=F("version") + 1)
