"""Event credits, given and spent. All is called within a write, and holds the account's row until that ends: parallel
spenders of one credit follow one another, and all but one are refused.

    spend(account, "program:evt_1", "Published Harbour Days")
    give(account, 5, "payment:pay_1", "Bought")
"""

from __future__ import annotations

from django.db.models import F

from workspace.accounts.models import Account, CreditEntry
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.text import format_count

MAX_CREDITS = 10_000  # credits that are given at once


def spend_credit(account: Account, source: str, reason: str) -> bool:
    """Take one credit for `source`, whether it was there to be taken now; False where it was paid for before. Raises
    ToolError where there is none left."""
    if _has_entry(account, source):
        return False
    left = Account.objects.filter(pk=account.pk, event_credits__gt=0).update(event_credits=F("event_credits") - 1)
    if not left:
        raise OperationNotAllowedError(NO_CREDIT_LEFT)
    _save_entry(account, -1, source, reason)
    return True


NO_CREDIT_LEFT = "This takes an unused event credit, and none is left"


def grant_credits(account: Account, count: int, source: str, reason: str) -> bool:
    """So many credits more; False where `source` has given them before."""
    if not 0 < count <= MAX_CREDITS:
        raise ValueError(f"{count}: give 1 to {MAX_CREDITS:,} credits")
    if _has_entry(account, source):
        return False
    Account.objects.filter(pk=account.pk).update(event_credits=F("event_credits") + count)
    _save_entry(account, count, source, reason)
    return True


def revoke_credits(account: Account, source: str, reason: str) -> int:
    """Take back what `source` gave, as far as it is unused, such as after a refund: how many went. Once for all."""
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
    """`2 unused event credits`"""
    return f"{format_count(account.event_credits, 'unused event credit')}"


def _has_entry(account: Account, source: str) -> bool:
    account.lock()
    return CreditEntry.objects.filter(account=account, source=source).exists()


def _save_entry(account: Account, count: int, source: str, reason: str) -> None:
    CreditEntry.objects.create(account=account, count=count, source=source, reason=reason[:200])
    account.event_credits += count
