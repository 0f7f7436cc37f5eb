"""Queries for an account's proposals."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.bid import messages
from workspace.products.bid.models import Proposal
from workspace.publishing.serializers import get_or_404, with_public_state


def bids_for(account: Account) -> QuerySet[Proposal]:
    """Return all proposals that are not in the bin, including archived ones."""
    return with_public_state(account.proposals.all()).select_related("publication", "account")


def get_bid(account: Account, id: str) -> Proposal:
    """Return the proposal with this id. Raise NotFoundError if it does not exist."""
    proposal = get_or_404(bids_for(account), id, messages.BID_NOT_FOUND)
    proposal.account = account
    return proposal
