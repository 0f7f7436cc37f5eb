"""Closure of an account after a grace period of 14 days.

Its public pages go offline immediately, and nothing in the account can be changed. The owner can cancel the closure
during the grace period. After that, `accounts.account_deletion` erases the account.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F, QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import ConflictError
from workspace.publishing import messages
from workspace.publishing.account_lifecycle import suspension
from workspace.storage.database.transactions import write_transaction

GRACE_PERIOD = timedelta(days=14)
WARNING_LEAD_TIME = timedelta(days=2)
# Prefix of the reason in publications. Pages that were banned individually do not have it, and stay banned.
CLOSING_PREFIX = "closing: "


def start_closure(account: Account) -> Account:
    """Start the closure. Return the updated account. A closure that has already started keeps its date."""
    now = clock.now()
    with write_transaction():
        locked = account.lock()
        if locked.closes_at is None:
            suspension.notify_suspension(locked)
            locked.closes_at, locked.closing_notified = now + GRACE_PERIOD, False
            locked.save(update_fields=["closes_at", "closing_notified"])
        pages = locked.publications.filter(banned_at=None, deleted_at=None)
        pages.update(banned_at=now, ban_reason=f"{CLOSING_PREFIX}its owner asked for it", version=F("version") + 1)
    return locked


def cancel_closure(account: Account) -> int:
    """Cancel the closure. Return the number of pages that are online again.

    Raise ConflictError after the grace period, because some data may already be deleted.
    """
    with write_transaction():
        locked = account.lock()
        was_closing = locked.closes_at is not None
        if locked.closes_at is not None and locked.closes_at <= clock.now():
            raise ConflictError(messages.CLOSURE_IS_FINAL)
        locked.closes_at, locked.closing_notified = None, False
        locked.save(update_fields=["closes_at", "closing_notified"])
        if was_closing:
            suspension.notify_return(locked)
        pages = locked.publications.filter(ban_reason__startswith=CLOSING_PREFIX)
        return pages.update(banned_at=None, ban_reason="", version=F("version") + 1)


def list_due_accounts() -> QuerySet[Account]:
    """Return the accounts whose grace period has ended."""
    return Account.objects.filter(closes_at__lte=clock.now()).order_by("closes_at")


def list_accounts_to_warn() -> QuerySet[Account]:
    """Return the accounts that will be erased soon and whose owners have not been warned."""
    found = Account.objects.filter(
        closes_at__lte=clock.now() + WARNING_LEAD_TIME, closing_notified=False, banned_at=None
    )
    return found.exclude(closes_at__lte=clock.now())
