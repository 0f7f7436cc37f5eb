"""Find an account's proposals."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.bid.models import Proposal
from workspace.publishing.serializers import one, shown

MISSING = "There is no such proposal: svc_bid_list shows yours with their ids"


def bids_of(account: Account) -> QuerySet[Proposal]:
    """All that are not in the bin, archived ones too."""
    return shown(account.proposals.all()).select_related("publication", "account")


def bid_of(account: Account, id: str) -> Proposal:
    """Raises NotFound."""
    found = one(bids_of(account), id, MISSING)
    found.account = account
    return found
