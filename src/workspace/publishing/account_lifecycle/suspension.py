"""Taking a whole account out of service, at the operator's word, and putting it back. Nothing is deleted: its people,
keys and agents are refused (`Account.banned_at`), and its public pages are not available."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import F

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.models import Delivery, DeliveryState
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

# before the operator's words, so that pages which were banned for themselves stay so
ACCOUNT_BAN_PREFIX = "account: "


DELIVERY_KIND = "account.notify"  # the outbox's: guests are notified once the write is committed, and never stop it
SUSPENDED, RETURNED = "left", "back"

Listener = Callable[[Account, str], None]  # its second argument is a key: nobody is told twice under one
_listeners: dict[str, list[Listener]] = {SUSPENDED: [], RETURNED: []}


def on_suspend(teller: Listener) -> Listener:
    """Run `teller(account, key)` after an account was taken out of service. Registering twice runs it once. One that
    raises is called again with the same key."""
    return _add_listener(teller, SUSPENDED)


def on_return(teller: Listener) -> Listener:
    """The same after an account was put back: in service again, or kept after all."""
    return _add_listener(teller, RETURNED)


def _add_listener(teller: Listener, what: str) -> Listener:
    if teller not in _listeners[what]:
        _listeners[what].append(teller)
    return teller


def notify_return(account: Account) -> None:
    """Have guests who were told that it goes notified, once nothing keeps it away any more; in the caller's write."""
    if account.banned_at is None and account.closes_at is None:
        _enqueue_notification(account, RETURNED)


def notify_suspension(account: Account) -> None:
    """Have guests who must know notified, in the caller's write and before the account is changed. Of a closing that
    began, or of an account that is out of service, they know."""
    if account.banned_at is None and account.closes_at is None:
        _enqueue_notification(account, SUSPENDED)


def _enqueue_notification(account: Account, what: str) -> None:
    # the row is nobody's: what an account still has to send does not leave while it is suspended
    outbox.put(DELIVERY_KIND, {"account": account.pk, "what": what})


class SuspensionChannel:
    """The outbox's way for them."""

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
            except Exception as problem:  # the others are told all the same
                failed.append(problem)
        if failed:
            raise failed[0]
        return DeliveryState.SENT

    def close(self) -> None:
        """Nothing is kept open."""


def suspend_account(account: Account, reason: str) -> int:
    """How many pages went along; what was out of service already keeps its reason."""
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
    """How many pages came back with it."""
    with write_transaction():
        locked = account.lock()
        was_away, locked.banned_at, locked.ban_reason = locked.banned_at is not None, None, ""
        locked.save(update_fields=["banned_at", "ban_reason"])
        if was_away:
            notify_return(locked)
        pages = locked.publications.filter(ban_reason__startswith=ACCOUNT_BAN_PREFIX)
        return pages.update(banned_at=None, ban_reason="", version=F("version") + 1)
