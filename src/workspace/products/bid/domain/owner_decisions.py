"""What an owner decides: for a client who said it by telephone or on paper, withdrawing, taking a decision back, and
that the deposit came. On record it is the owner's act, and never the client's signature."""

from __future__ import annotations

from datetime import timedelta

from workspace.audit_trail.writer import note
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, ToolError
from workspace.products.bid.domain import deposits, reminders
from workspace.products.bid.domain.decisions import client_of, record
from workspace.products.bid.domain.pdf import seal_later
from workspace.products.bid.domain.revisions import mark_sent
from workspace.products.bid.models import CLOSED, BidEvent, Decision, Event, Outcome, Proposal, Revision, Status
from workspace.products.bid.models.decision import OWNER
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.rules.selection import data_of, is_complete, sums_of
from workspace.products.bid.rules.totals import totals
from workspace.storage import journal

REOPENED_WITHIN = timedelta(days=30)
_STATUS = {
    Outcome.APPROVED: Status.APPROVED,
    Outcome.DECLINED: Status.DECLINED,
    Outcome.WITHDRAWN: Status.DECLINED,
}
_EVENT = {
    Outcome.APPROVED: Event.APPROVED,
    Outcome.DECLINED: Event.DECLINED,
    Outcome.WITHDRAWN: Event.WITHDRAWN,
}


def standing(proposal: Proposal) -> Decision | None:
    return proposal.decisions.filter(stands=True).select_related("revision").first()


def decide(proposal: Proposal, outcome: Outcome, selection: Selection | None, words: str) -> Decision:
    """Also behind its last day; a draft counts as sent by it. Raises ToolError for one that is decided."""
    if proposal.status in CLOSED:
        raise ToolError(
            f"This one is {proposal.status} already: decision=reopened takes that back, within 30 days of it"
        )
    if proposal.status == Status.DRAFT and outcome != Outcome.APPROVED:
        raise ToolError("This is a draft, which no client has: svc_bid_edit changes it, svc_bid_delete deletes it")
    mark_sent(proposal)
    offer, now = proposal.offer, clock.now()
    decision = Decision(
        proposal=proposal,
        revision=Revision.objects.get(proposal=proposal, number=proposal.revision),
        outcome=outcome,
        by=OWNER,
        name=proposal.client_name,
        email=proposal.client_email,
        words=words,
        language=proposal.language,
    )
    if outcome == Outcome.APPROVED:
        assert selection is not None
        if not is_complete(offer, selection):
            raise InvalidInput.at("selection.package", "Say which package they take")
        decision.selection = data_of(selection, offer)
        decision.totals = sums_of(totals(offer, selection))
    decision.save(force_insert=True)
    proposal.change(status=_STATUS[outcome], decided_at=now)
    people = {"client": client_of(proposal), **({"owner": {"note": words}} if words else {})}
    record(decision, f"bid.{outcome}", {}, people)
    journal.add(decision, BidEvent.note(proposal, _EVENT[outcome], OWNER, record=decision.record))
    reminders.withdraw(proposal)
    if outcome == Outcome.APPROVED:
        seal_later(decision)
    return decision


def reopen(proposal: Proposal, words: str) -> None:
    """The decision stays in the history and stands no more. Raises ToolError."""
    decision = standing(proposal)
    if decision is None:
        raise ToolError("This one is not decided: there is nothing to take back")
    if decision.at < clock.now() - REOPENED_WITHIN:
        raise ToolError("This was decided more than 30 days ago: svc_bid_copy with kind=version makes a new one")
    deposits.end(proposal, decision)
    journal.change(decision, stands=False)
    proposal.change(status=Status.VIEWED if proposal.viewed_at else Status.SENT, decided_at=None)
    data = {"proposal": proposal.number, "decision": decision.record, "outcome": decision.outcome}
    id = note(
        proposal.account,
        "bid.reopened",
        thing=proposal.pk,
        data=data,
        people={"owner": {"note": words}} if words else None,
    )
    journal.add(BidEvent.note(proposal, Event.REOPENED, OWNER, record=id))
    reminders.plan(proposal)


def deposit_paid(proposal: Proposal, paid: bool) -> None:
    """Raises ToolError where no deposit was agreed to."""
    decision = standing(proposal)
    if decision is None or not decision.totals.get("deposit"):
        raise ToolError("No deposit was agreed to with this one")
    if paid == (decision.deposit_paid_at is not None):
        return
    if not paid and deposits.standing(proposal, decision).payment is not None:
        raise ToolError("It was paid online: svc_payments_refund gives it back")
    deposits.end(proposal, decision)
    journal.change(decision, deposit_paid_at=clock.now() if paid else None)
    proposal.touched()
    if paid:
        journal.add(BidEvent.note(proposal, Event.DEPOSIT_PAID, OWNER))
