"""A deposit paid online: begun on the client's page, settled by the payments' room, and put on record like what was
agreed. What an owner notes by hand is in `settling`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from workspace.audit_trail.writer import note
from workspace.lib import clock
from workspace.payments import checkout
from workspace.payments.models import Payment
from workspace.payments.provider import PAID, PROCESSING
from workspace.payments.purposes import EXPIRED, FAILED, REFUNDED, Purpose
from workspace.products.bid.domain import emails
from workspace.products.bid.models import BidEvent, Decision, Event, Outcome, Proposal
from workspace.products.bid.models.decision import CLIENT
from workspace.public_site import guest_checkout
from workspace.public_site.guest_form import Declined

NAME = "bid.deposit"
SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Standing:
    """How a deposit stands. `state`: none, due, checking (come back, not confirmed yet), processing, failed, paid,
    partly_refunded, refunded, disputed or lost; `payment` tells of what was paid online; `is_payable` whether the
    client can pay it online now."""

    state: str
    payment: Payment | None = None
    is_payable: bool = False


def standing(proposal: Proposal, decision: Decision) -> Standing:
    asked = decision.totals.get("deposit")
    if not asked or decision.outcome != Outcome.APPROVED:
        return Standing("none")
    payment = checkout.standing(proposal.account, NAME, decision.pk)
    if payment is not None and payment.state == PAID:
        return Standing(payment.shown_state, payment)
    if decision.deposit_paid_at is not None:
        return Standing("paid")
    if payment is not None and payment.state == PROCESSING:
        return Standing(PROCESSING, payment)
    if payment is not None and guest_checkout.is_checking(payment):
        return Standing("checking", payment)
    can = decision.stands and checkout.takes(proposal.account, asked, decision.totals["currency"])
    return Standing(FAILED if payment is not None and payment.state == FAILED else "due", payment, can)


def begin(proposal: Proposal, language: str, back: str) -> Payment:
    """What the client is to pay, within `acting`. Raises Declined where there is nothing that can be paid."""
    decision = proposal.decisions.filter(stands=True, outcome=Outcome.APPROVED).first()
    if decision is None or not decision.totals.get("deposit") or decision.deposit_paid_at is not None:
        raise Declined(gettext("There is no deposit to pay any more"), status=409)
    title = gettext("Deposit: %(title)s") % {"title": proposal.title}
    return guest_checkout.begin(
        proposal.account,
        NAME,
        decision.pk,
        decision.totals["deposit"],
        decision.totals["currency"],
        title=title,
        back=back,
        email=decision.email or proposal.client_email,
        language=language,
    )


def end(proposal: Proposal, decision: Decision) -> None:
    """Nobody shall pay it online any more."""
    checkout.end(proposal.account, NAME, decision.pk)


def _decision(payment: Payment) -> Decision | None:
    """Held together with its publication, as guests and owners hold it; None where it was deleted for good."""
    found = Decision.objects.filter(pk=payment.subject, proposal__account=payment.account_id)
    decision = found.select_related("proposal__account", "proposal__publication", "revision").first()
    if decision is None:
        return None
    Proposal.hold_many([decision.proposal])
    decision.refresh_from_db(fields=["stands", "deposit_paid_at"])
    return decision


def _paid(payment: Payment) -> None:
    decision = _decision(payment)
    if decision is None:
        return
    proposal = decision.proposal
    earlier = Payment.objects.filter(account=payment.account_id, purpose=NAME, subject=decision.pk, state=PAID)
    if earlier.exclude(pk=payment.pk).exists():
        # an earlier page of the provider's was paid in the moment in which another one was opened
        checkout.refund(payment, reason="The deposit was paid twice")
        return
    was_noted = decision.deposit_paid_at is not None
    if not was_noted:
        decision.deposit_paid_at = clock.now()
        decision.save(update_fields=["deposit_paid_at"])
    record = _on_record(payment, decision, "bid.deposit_paid", {"amount": payment.amount})
    BidEvent.note(proposal, Event.DEPOSIT_PAID, CLIENT, payment=payment.pk, record=record)
    proposal.touched()
    emails.deposit(proposal, decision, payment, "paid")
    emails.tell_deposit(proposal, decision, payment, "twice" if was_noted or not decision.stands else "paid")


def _changed(payment: Payment, what: str) -> None:
    decision = _decision(payment)
    if decision is None:
        return
    proposal = decision.proposal
    if what == PROCESSING:
        BidEvent.note(proposal, Event.DEPOSIT_COMING, CLIENT, payment=payment.pk)
    elif what == FAILED:
        BidEvent.note(proposal, Event.DEPOSIT_FAILED, SERVICE, payment=payment.pk)
        emails.deposit(proposal, decision, payment, FAILED)
        emails.tell_deposit(proposal, decision, payment, FAILED)
    elif what == REFUNDED and payment.refunded:
        record = _on_record(payment, decision, "bid.deposit_refunded", {"refunded": payment.refunded})
        BidEvent.note(proposal, Event.DEPOSIT_BACK, SERVICE, payment=payment.pk, record=record)
        emails.deposit(proposal, decision, payment, "back")
    if what != EXPIRED or payment.is_current:
        proposal.touched()


def _on_record(payment: Payment, decision: Decision, kind: str, more: dict[str, int]) -> str:
    """In the account's chain, beside what was agreed."""
    data = {
        "proposal": decision.proposal.number,
        "decision": decision.record,
        "revision_hash": decision.revision.hash,
        "payment": payment.pk,
        "provider": payment.provider,
        "reference": payment.intent,
        "currency": payment.currency,
        "test": not payment.live,
        **more,
    }
    people = {"payer": {"email": payment.email}} if payment.email else None
    return note(payment.account, kind, thing=decision.proposal_id, data=data, people=people)


def _pages(payments: Sequence[Payment]) -> dict[str, str]:
    """By their keys alone, whose index is the only one that stays short: whose they are is compared here."""
    mine = {(one.subject, one.account_id) for one in payments}
    decisions = Decision.objects.filter(pk__in=[subject for subject, _ in mine]).order_by()
    found = decisions.values_list("pk", "proposal__account_id", "proposal_id")
    return {
        subject: f"/app/bid/{proposal}/timeline" for subject, account, proposal in found if (subject, account) in mine
    }


DEPOSITS = Purpose(NAME, "Deposits", paid=_paid, changed=_changed, pages=_pages)
