"""Event credits, given and spent. All is called within a write, and holds the account's row until that ends: parallel
spenders of one credit follow one another, and all but one are refused.

    spend(account, "program:evt_1", "Published Harbour Days")
    give(account, 5, "payment:pay_1", "Bought")
"""

from __future__ import annotations

from django.db.models import F

from workspace.accounts.models import Account, CreditEntry
from workspace.lib.errors import ToolError
from workspace.lib.text import counted

MOST = 10_000  # credits that are given at once


def spend(account: Account, source: str, reason: str) -> bool:
    """Take one credit for `source`, whether it was there to be taken now; False where it was paid for before. Raises
    ToolError where there is none left."""
    if _is_known(account, source):
        return False
    left = Account.objects.filter(pk=account.pk, event_credits__gt=0).update(event_credits=F("event_credits") - 1)
    if not left:
        raise ToolError(NONE_LEFT)
    _keep(account, -1, source, reason)
    return True


NONE_LEFT = "This takes an unused event credit, and none is left"


def give(account: Account, count: int, source: str, reason: str) -> bool:
    """So many credits more; False where `source` has given them before."""
    if not 0 < count <= MOST:
        raise ValueError(f"{count}: give 1 to {MOST:,} credits")
    if _is_known(account, source):
        return False
    Account.objects.filter(pk=account.pk).update(event_credits=F("event_credits") + count)
    _keep(account, count, source, reason)
    return True


def take_back(account: Account, source: str, reason: str) -> int:
    """Take back what `source` gave, as far as it is unused, such as after a refund: how many went. Once for all."""
    back = f"back:{source}"
    given = CreditEntry.objects.filter(account=account, source=source, count__gt=0).first()
    if given is None or _is_known(account, back):
        return 0
    count: int = min(given.count, Account.objects.values_list("event_credits", flat=True).get(pk=account.pk))
    if count:
        Account.objects.filter(pk=account.pk).update(event_credits=F("event_credits") - count)
        _keep(account, -count, back, reason)
    return count


def told(account: Account) -> str:
    """`2 unused event credits`"""
    return f"{counted(account.event_credits, 'unused event credit')}"


def _is_known(account: Account, source: str) -> bool:
    account.lock()
    return CreditEntry.objects.filter(account=account, source=source).exists()


def _keep(account: Account, count: int, source: str, reason: str) -> None:
    CreditEntry.objects.create(account=account, count=count, source=source, reason=reason[:200])
    account.event_credits += count
