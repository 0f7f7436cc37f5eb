"""Closing an account with time to think it over: its public pages are dark at once, nothing in it changes, and for
fourteen days its owner may take it back. Then it is erased (`accounts.closing`)."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F, QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import ConflictError
from workspace.publishing.account_lifecycle import suspension
from workspace.storage.database.transactions import write_transaction

GRACE_PERIOD = timedelta(days=14)
WARNING_LEAD_TIME = timedelta(days=2)
# before why they are dark, so that pages which were banned for themselves stay so
CLOSING_PREFIX = "closing: "


def start_closure(account: Account) -> Account:
    """The account as it is now. One that is closing already keeps its day."""
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
    """How many pages are there again. Raises ConflictError once its time is over: some of it may be deleted already."""
    with write_transaction():
        locked = account.lock()
        was_closing = locked.closes_at is not None
        if locked.closes_at is not None and locked.closes_at <= clock.now():
            raise ConflictError("The 14 days are over, and this account is being deleted. It cannot be restored")
        locked.closes_at, locked.closing_notified = None, False
        locked.save(update_fields=["closes_at", "closing_notified"])
        if was_closing:
            suspension.notify_return(locked)
        pages = locked.publications.filter(ban_reason__startswith=CLOSING_PREFIX)
        return pages.update(banned_at=None, ban_reason="", version=F("version") + 1)


def list_due_accounts() -> QuerySet[Account]:
    """Those whose time is over."""
    return Account.objects.filter(closes_at__lte=clock.now()).order_by("closes_at")


def list_accounts_to_warn() -> QuerySet[Account]:
    """Those whose end is near and whose owners were not told yet."""
    found = Account.objects.filter(
        closes_at__lte=clock.now() + WARNING_LEAD_TIME, closing_notified=False, banned_at=None
    )
    return found.exclude(closes_at__lte=clock.now())
