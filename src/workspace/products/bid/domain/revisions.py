"""Revisions of proposals. A sent proposal is a revision, and each later edit creates another one.

A write to a proposal that its client may decide about locks its row (`lock_for_edit`). A client's approval therefore
comes either before the whole edit, which is then rejected, or after it, when the revision is another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.db import connection

from workspace.accounts.models import Account
from workspace.lib import clock, money
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.products.bid import messages
from workspace.products.bid.domain import reminders
from workspace.products.bid.domain.queries import bids_for
from workspace.products.bid.models import CLOSED_STATUSES, BidEvent, EventKind, Proposal, Revision, Status
from workspace.products.bid.models.decision import OWNER_ACTOR
from workspace.products.bid.models.proposal import MEDIA_FIELDS, OFFER_FIELDS
from workspace.products.bid.rules.offer import AMOUNT
from workspace.products.bid.rules.totals import compute_totals
from workspace.publishing.serializers import get_or_404
from workspace.publishing.shared_item_arguments import PUBLISHING_ARGUMENTS
from workspace.storage import journal

REVISED_FIELDS = (*OFFER_FIELDS, *MEDIA_FIELDS, "valid_until")  # the contents of a revision


def lock_for_edit(account: Account, id: str) -> Proposal:
    """Lock a proposal for writing until the transaction ends. Raise NotFoundError if it does not exist.

    The publication is locked first, in the same order as in writes by guests."""
    rows = bids_for(account)
    Proposal.lock_many(rows.filter(pk=id) if id.isprintable() else rows.none())
    if connection.features.has_select_for_no_key_update:
        rows = rows.select_for_update(no_key=True, of=("self",))
    proposal: Proposal = get_or_404(rows, id, messages.BID_NOT_FOUND)
    proposal.account = account
    return proposal


def edit_proposal(proposal: Proposal, **fields: Any) -> None:
    """Edit a proposal.

    A draft is changed in place. If the edit visibly changes a sent proposal, a new revision is created and sent. Raise
    OperationNotAllowedError if it has been decided.
    """
    published = {name: fields.pop(name) for name in PUBLISHING_ARGUMENTS if name in fields}
    if fields and proposal.status in CLOSED_STATUSES:
        raise OperationNotAllowedError(messages.DECIDED_BIDS_ARE_FINAL)
    before = {name: getattr(proposal, name) for name in REVISED_FIELDS}
    if fields:
        proposal.change(**fields)
        check_discount(proposal, fields)
    if proposal.is_open and before != {name: getattr(proposal, name) for name in REVISED_FIELDS}:
        _create_next_revision(proposal)
    if before["valid_until"] != proposal.valid_until:
        reminders.schedule_reminders(proposal)
    proposal.publish(**published)


def check_discount(proposal: Proposal, value: Iterable[str]) -> None:
    """Raise InvalidInputError if one of the given fields makes the discount larger than the prices.

    A proposal without prices may have a discount, because owners may enter the discount first.
    """
    changed = [name for name in ("discount", "line_items", "packages", "currency") if name in value]
    offer = proposal.offer
    if not changed or offer.discount is None or offer.discount.kind != AMOUNT:
        return
    prices, currency = compute_totals(offer).subtotal, offer.currency
    most = money.to_wire_number(prices, currency) or 0
    if prices and offer.discount.value > Decimal(repr(most)):
        discount = money.format_exact_amount(offer.discount.value, currency)
        shown = money.format_amount(prices, currency)
        raise InvalidInputError.at_path(changed[0], messages.DISCOUNT_TOO_HIGH(discount=discount, most=shown))


def mark_sent(proposal: Proposal) -> bool:
    """Change a draft to sent. Return whether it was a draft."""
    if proposal.status != Status.DRAFT:
        return False
    _save_revision(proposal, proposal.revision, EventKind.SENT, sent_at=clock.now())
    return True


def _create_next_revision(proposal: Proposal) -> None:
    if proposal.status == Status.SENT:
        # it remains sent; with this entry, an undo can detect whether the client has opened it since
        journal.record_field_changes(proposal, {"status": (proposal.status, proposal.status)})
    _save_revision(proposal, proposal.revision + 1, EventKind.REVISED)


def _save_revision(proposal: Proposal, number: int, kind: EventKind, **more: Any) -> None:
    revision = Revision.from_proposal(proposal, number)
    revision.save(force_insert=True)
    proposal.change(status=Status.SENT, revision=number, revision_hash=revision.hash, **more)
    event = BidEvent.record_event(proposal, kind, OWNER_ACTOR)
    journal.record_new_rows(revision, event)
