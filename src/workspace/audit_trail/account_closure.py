"""Deletion of the records of a closed account.

The end of its chain is retained without personal data, so that exports can still be verified.
"""

from __future__ import annotations

from workspace.accounts.account_deletion import register_deletion_hook
from workspace.accounts.models import Account
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.lib import clock


@register_deletion_hook
def close_chain(account: Account) -> None:
    # deletes records without cascading from the chain, which remains
    """Delete the records of a closed account, and detach the end of its chain."""
    PersonalValue.objects.filter(record__chain__account=account).delete()
    Record.objects.filter(chain__account=account).delete()
    Chain.objects.filter(account=account).update(closed_at=clock.now(), account=None)
