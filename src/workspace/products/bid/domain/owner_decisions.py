"""The owner's decisions: for a client who decided by phone or on paper, withdrawal, reopening, and paid deposits.

The audit trail records them as acts of the owner, never as the client's signature.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet

from workspace.audit_trail.writer import record_event
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.products.bid import messages
from workspace.products.bid.domain import deposits, reminders
from workspace.products.bid.domain.decisions import client_details, record_decision
from workspace.products.bid.domain.pdf import enqueue_sealing
from workspace.products.bid.domain.revisions import mark_sent
from workspace.products.bid.models import (
    CLOSED_STATUSES,
    BidEvent,
    Decision,
    DecisionOutcome,
    EventKind,
    Proposal,
    Revision,
    Status,
)
from workspace.products.bid.models.decision import OWNER_ACTOR
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.rules.selection import dump_selection, dump_totals, is_complete
from workspace.products.bid.rules.totals import compute_totals
from workspace.storage import journal
from workspace.storage.database.compiled_function import compile_once

REOPEN_PERIOD = timedelta(days=30)
_STATUS_BY_OUTCOME = {
    DecisionOutcome.APPROVED: Status.APPROVED,
    DecisionOutcome.DECLINED: Status.DECLINED,
    DecisionOutcome.WITHDRAWN: Status.DECLINED,
}
_EVENT_BY_OUTCOME = {
    DecisionOutcome.APPROVED: EventKind.APPROVED,
    DecisionOutcome.DECLINED: EventKind.DECLINED,
    DecisionOutcome.WITHDRAWN: EventKind.WITHDRAWN,
}


def current_decision(proposal: Proposal) -> Decision | None:
    """Return the valid decision of a proposal, or None."""
    found = _current_decisions.fetch(proposal)
    return found[0] if found else None


@compile_once
def _current_decisions(proposal: Proposal) -> QuerySet[Decision]:
    return proposal.decisions.filter(is_current=True).select_related("revision")


def decide_as_owner(proposal: Proposal, outcome: DecisionOutcome, selection: Selection | None, note: str) -> Decision:
    """Record a decision by the owner, even after the last day. A draft is marked as sent.

    Raise OperationNotAllowedError if the proposal has been decided.
    """
    if proposal.status in CLOSED_STATUSES:
        raise OperationNotAllowedError(messages.ALREADY_DECIDED)
    if proposal.status == Status.DRAFT and outcome != DecisionOutcome.APPROVED:
        raise OperationNotAllowedError(messages.DRAFT_WITHOUT_CLIENT)
    mark_sent(proposal)
    offer, now = proposal.offer, clock.now()
    decision = Decision(
        proposal=proposal,
        revision=Revision.objects.get(proposal=proposal, number=proposal.revision),
        outcome=outcome,
        decided_by=OWNER_ACTOR,
        name=proposal.client_name,
        email=proposal.client_email,
        comment=note,
        language=proposal.language,
    )
    if outcome == DecisionOutcome.APPROVED:
        assert selection is not None
        if not is_complete(offer, selection):
            raise InvalidInputError.at_path("selection.package", messages.PACKAGE_NEEDED)
        decision.selection = dump_selection(selection, offer)
        decision.totals = dump_totals(compute_totals(offer, selection))
    decision.save(force_insert=True)
    proposal.change(status=_STATUS_BY_OUTCOME[outcome], decided_at=now)
    people = {"client": client_details(proposal), **({"owner": {"note": note}} if note else {})}
    record_decision(decision, f"bid.{outcome}", {}, people)
    journal.record_new_rows(
        decision, BidEvent.record_event(proposal, _EVENT_BY_OUTCOME[outcome], OWNER_ACTOR, record=decision.record)
    )
    reminders.cancel_reminders(proposal)
    if outcome == DecisionOutcome.APPROVED:
        enqueue_sealing(decision)
    return decision


def reopen_proposal(proposal: Proposal, note: str) -> None:
    """Reopen a proposal. The decision stays in the history and is no longer valid.

    Raise OperationNotAllowedError if there is no decision or it is too old."""
    decision = current_decision(proposal)
    if decision is None:
        raise OperationNotAllowedError(messages.NOT_DECIDED)
    if decision.created_at < clock.now() - REOPEN_PERIOD:
        raise OperationNotAllowedError(messages.REOPEN_TOO_LATE)
    deposits.cancel_open_payment(proposal, decision)
    journal.update_row(decision, is_current=False)
    proposal.change(status=Status.VIEWED if proposal.viewed_at else Status.SENT, decided_at=None)
    data = {"proposal": proposal.number, "decision": decision.record, "outcome": decision.outcome}
    id = record_event(
        proposal.account,
        "bid.reopened",
        item_id=proposal.pk,
        data=data,
        people={"owner": {"note": note}} if note else None,
    )
    journal.record_new_rows(BidEvent.record_event(proposal, EventKind.REOPENED, OWNER_ACTOR, record=id))
    reminders.schedule_reminders(proposal)


def mark_deposit_paid(proposal: Proposal, paid: bool) -> None:
    """Mark the deposit as paid or unpaid. Raise OperationNotAllowedError if no deposit was agreed."""
    decision = current_decision(proposal)
    if decision is None or not decision.totals.get("deposit"):
        raise OperationNotAllowedError(messages.NO_DEPOSIT)
    if paid == (decision.deposit_paid_at is not None):
        return
    if not paid and deposits.get_deposit_state(proposal, decision).payment is not None:
        raise OperationNotAllowedError(messages.DEPOSIT_PAID_ONLINE)
    deposits.cancel_open_payment(proposal, decision)
    journal.update_row(decision, deposit_paid_at=clock.now() if paid else None)
    proposal.mark_changed()
    if paid:
        journal.record_new_rows(BidEvent.record_event(proposal, EventKind.DEPOSIT_PAID, OWNER_ACTOR))
