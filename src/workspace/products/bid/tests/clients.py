"""A client who uses the page of a proposal, for tests."""

from __future__ import annotations

from typing import Any

from workspace.products.bid.domain import decisions
from workspace.products.bid.domain.decisions import Approval, Signer
from workspace.products.bid.models import Decision, Proposal
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.rules.totals import compute_totals, default_selection
from workspace.public_site.guest_page import guest_transaction

ADA = Signer("Ada Berger", "ada@example.com", ip="203.0.113.7", user_agent="Phone", language="en")


def get_opened(id: str) -> Proposal:
    """Return the proposal as it was when the client opened its page."""
    return Proposal.objects.select_related("account", "publication").get(pk=id)


def approval(proposal: Proposal, selection: Selection | None = None, **other: Any) -> Approval:
    chosen = selection or default_selection(proposal.offer)
    total = compute_totals(proposal.offer, chosen).total
    return Approval(
        **{
            "hash": proposal.revision_hash,
            "selection": chosen,
            "total": total,
            "consent": "I approve this.",
            "signer": ADA,
            **other,
        }
    )


def approve(proposal: Proposal, selection: Selection | None = None, **other: Any) -> Decision:
    prepared = decisions.prepare_approval(proposal, approval(proposal, selection, **other))
    with guest_transaction(proposal.publication_id):
        return decisions.save_decision(prepared)
