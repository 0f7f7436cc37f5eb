"""Event credits of an account.

All functions run inside a transaction and lock the account's row. If two transactions spend the same credit, the second
one fails.

    spend_credit(account, "program:evt_1", "Published Harbour Days")
    grant_credits(account, 5, "payment:pay_1", "Bought")
"""

from __future__ import annotations

from django.db.models import F

from workspace.accounts import messages
from workspace.accounts.models import Account, CreditEntry
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import format_count

MAX_CREDITS = 10_000  # maximum number of credits in one grant


def spend_credit(account: Account, source: str, reason: str) -> bool:
    """Spend one credit for `source`. Return False if a credit was already spent for it.

    Raise OperationNotAllowedError if no credit is left.
    """
    if _has_entry(account, source):
        return False
    left = Account.objects.filter(pk=account.pk, event_credits__gt=0).update(event_credits=F("event_credits") - 1)
    if not left:
        raise OperationNotAllowedError(messages.NO_CREDIT_LEFT)
    _save_entry(account, -1, source, reason)
    return True


def grant_credits(account: Account, count: int, source: str, reason: str) -> bool:
    """Add credits. Return False if `source` has already granted them."""
    if not 0 < count <= MAX_CREDITS:
        raise ValueError(f"{count}: use 1 to {MAX_CREDITS:,} credits")
    if _has_entry(account, source):
        return False
    Account.objects.filter(pk=account.pk).update(event_credits=F("event_credits") + count)
    _save_entry(account, count, source, reason)
    return True


def revoke_credits(account: Account, source: str, reason: str) -> int:
    """Remove the unused credits that `source` granted, for example after a refund.

    Return how many were removed. A second call has no effect.
    """
    back = f"back:{source}"
    given = CreditEntry.objects.filter(account=account, source=source, count__gt=0).first()
    if given is None or _has_entry(account, back):
        return 0
    count: int = min(given.count, Account.objects.values_list("event_credits", flat=True).get(pk=account.pk))
    if count:
        Account.objects.filter(pk=account.pk).update(event_credits=F("event_credits") - count)
        _save_entry(account, -count, back, reason)
    return count


def format_balance(account: Account) -> str:
    """Return a phrase such as `2 unused event credits`."""
    return f"{format_count(account.event_credits, 'unused event credit')}"


def _has_entry(account: Account, source: str) -> bool:
    account.lock()
    return CreditEntry.objects.filter(account=account, source=source).exists()


def _save_entry(account: Account, count: int, source: str, reason: str) -> None:
    CreditEntry.objects.create(account=account, count=count, source=source, reason=reason[:200])
    account.event_credits += count
