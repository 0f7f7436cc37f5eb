"""Queries for an account's proposals."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.bid import messages
from workspace.products.bid.models import Proposal
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once


@compile_once
def bids_for(account: Account) -> QuerySet[Proposal]:
    """Return all proposals that are not in the bin, including archived ones."""
    return with_public_state(account.proposals.all())


def get_bid(account: Account, id: str) -> Proposal:
    """Return a proposal. Raise NotFoundError if it does not exist."""
    return bids_for.get(id, messages.BID_NOT_FOUND, account)
