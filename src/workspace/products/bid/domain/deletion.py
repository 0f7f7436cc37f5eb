"""Deleting proposals, messages and library items by their ids. Evidence is archived instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.bid import messages
from workspace.products.bid.domain.queries import bids_for
from workspace.products.bid.models import CLOSED_STATUSES, LibraryItem, Message, Proposal, Template
from workspace.publishing.serializers import get_many_or_404
from workspace.storage import journal


def find_items(account: Account, ids: Sequence[str]) -> list[Any]:
    """Return the items with these ids. Raise NotFoundError if any of them does not exist."""
    questions = Message.objects.filter(account=account, proposal__binned_at=None).select_related("proposal")
    mine = (bids_for(account), account.bid_items.all(), account.bid_templates.all(), questions)
    return get_many_or_404(ids, messages.ITEM_NOT_FOUND, *mine)


def remove_items(results: Sequence[Any]) -> list[Proposal]:
    """Delete items, but archive proposals that have been decided. Return the archived ones."""
    bids = [item for item in results if isinstance(item, Proposal)]
    Proposal.lock_many(bids)
    now_are = dict(Proposal.objects.filter(pk__in=[bid.pk for bid in bids]).values_list("pk", "status"))
    for bid in bids:  # a client may have decided in the meantime
        bid.status = now_are.get(bid.pk, bid.status)
    proposals = [bid for bid in bids if bid.status in CLOSED_STATUSES]
    now = clock.now()
    Proposal.remove_many([bid for bid in bids if bid.status not in CLOSED_STATUSES])
    journal.update_rows((proposal, {"archived_at": now}) for proposal in proposals)
    if proposals:
        Proposal.mark_many_changed(proposals)
    questions = [item for item in results if isinstance(item, Message)]
    journal.update_rows((message, {"binned_at": now}) for message in questions)
    for model in (LibraryItem, Template):
        if rows := [item for item in results if isinstance(item, model)]:
            journal.delete_rows(*rows)
    for proposal in {message.proposal_id: message.proposal for message in questions}.values():
        proposal.mark_changed()
    return proposals
