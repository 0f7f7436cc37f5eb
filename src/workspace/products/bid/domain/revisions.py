"""From a draft to what the client has: what was sent stands as a revision, and each edit after it makes another.

Whoever writes to a proposal that its client may decide about holds its row (`held`): a client's approval then comes
before all of an edit, which is refused, or after it, and meets another revision.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.db import connection

from workspace.accounts.models import Account
from workspace.lib import clock, money
from workspace.lib.errors import InvalidInput, ToolError
from workspace.products.bid.domain import reminders
from workspace.products.bid.domain.queries import MISSING, bids_of
from workspace.products.bid.models import CLOSED, BidEvent, Event, Proposal, Revision, Status
from workspace.products.bid.models.decision import OWNER
from workspace.products.bid.models.proposal import OFFERED, SEEN
from workspace.products.bid.rules.offer import AMOUNT
from workspace.products.bid.rules.totals import totals
from workspace.publishing.arguments import PUBLISHING
from workspace.publishing.serializers import one
from workspace.storage import journal

REVISED = (*OFFERED, *SEEN, "valid_until")  # what is in a revision


def held(account: Account, id: str) -> Proposal:
    """One to write to, held until the write is over: its publication first, as by guests' acts. Raises NotFound."""
    rows = bids_of(account)
    Proposal.hold_many(rows.filter(pk=id) if id.isprintable() else rows.none())
    if connection.features.has_select_for_no_key_update:
        rows = rows.select_for_update(no_key=True, of=("self",))
    found = one(rows, id, MISSING)
    found.account = account
    return found


def edit(proposal: Proposal, **given: Any) -> None:
    """What an owner gave. A draft changes as it is; one that was sent gets another revision where the client sees
    something else, and waits for them again. Raises ToolError for one that is decided."""
    published = {name: given.pop(name) for name in PUBLISHING if name in given}
    if given and proposal.status in CLOSED:
        raise ToolError(
            f"This one is {proposal.status}, and what was agreed stays as it was. svc_bid_copy with kind=version makes "
            "a new version to edit; svc_bid_decide with decision=reopened takes a mistaken decision back"
        )
    before = {name: getattr(proposal, name) for name in REVISED}
    if given:
        proposal.change(**given)
        check_discount(proposal, given)
    if proposal.is_open and before != {name: getattr(proposal, name) for name in REVISED}:
        _revise(proposal)
    if before["valid_until"] != proposal.valid_until:
        reminders.plan(proposal)
    proposal.publish(**published)


def check_discount(proposal: Proposal, given: Iterable[str]) -> None:
    """Raise InvalidInput if one of the given fields makes the discount larger than the prices that it is taken off. A
    proposal without prices may have its discount first."""
    changed = [name for name in ("discount", "line_items", "packages", "currency") if name in given]
    offer = proposal.offer
    if not changed or offer.discount is None or offer.discount.kind != AMOUNT:
        return
    prices, currency = totals(offer).subtotal, offer.currency
    most = money.number_of(prices, currency) or 0
    if prices and offer.discount.value > Decimal(repr(most)):
        discount = money.show_number(offer.discount.value, currency)
        shown = money.shown(prices, currency)
        raise InvalidInput.at(
            changed[0], f"The discount of {discount} is larger than the prices: enter at most {shown}"
        )


def mark_sent(proposal: Proposal) -> bool:
    """A draft is the client's from now on; whether it was one."""
    if proposal.status != Status.DRAFT:
        return False
    _keep(proposal, proposal.revision, Event.SENT, sent_at=clock.now())
    return True


def _revise(proposal: Proposal) -> None:
    if proposal.status == Status.SENT:
        # it stays sent; undoing finds out by this whether the client has opened it since
        journal.note_set(proposal, {"status": (proposal.status, proposal.status)})
    _keep(proposal, proposal.revision + 1, Event.REVISED)


def _keep(proposal: Proposal, number: int, kind: Event, **more: Any) -> None:
    revision = Revision.of(proposal, number)
    revision.save(force_insert=True)
    proposal.change(status=Status.SENT, revision=number, revision_hash=revision.hash, **more)
    event = BidEvent.note(proposal, kind, OWNER)
    journal.add(revision, event)
