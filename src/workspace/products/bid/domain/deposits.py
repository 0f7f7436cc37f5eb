"""Deposits paid online: started on the client's page, updated by payment events, and recorded in the audit trail.

Payments that an owner marks manually are in `owner_decisions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from workspace.audit_trail.writer import record_event
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.payments import checkout
from workspace.payments.models import Payment
from workspace.payments.provider import PAID, PROCESSING
from workspace.payments.purposes import EXPIRED, FAILED, REFUNDED, Purpose
from workspace.products.bid.domain import emails
from workspace.products.bid.models import BidEvent, Decision, DecisionOutcome, EventKind, Proposal
from workspace.products.bid.models.decision import CLIENT_ACTOR
from workspace.public_site import guest_checkout
from workspace.public_site.guest_page import GuestActionDeclinedError

PURPOSE_NAME = "bid.deposit"
SERVICE_ACTOR = "service"


@dataclass(frozen=True, slots=True)
class DepositState:
    """The state of a deposit.

    `state` is none, due, checking (the client has returned, but the payment is not confirmed yet), processing, failed,
    paid, partly_refunded, refunded, disputed or lost. `payment` is the online payment. `is_payable` says whether the
    client can pay online now.
    """

    state: str
    payment: Payment | None = None
    is_payable: bool = False


def get_deposit_state(proposal: Proposal, decision: Decision) -> DepositState:
    due = decision.totals.get("deposit")
    if not due or decision.outcome != DecisionOutcome.APPROVED:
        return DepositState("none")
    payment = checkout.current_payment(proposal.account, PURPOSE_NAME, decision.pk)
    if payment is not None and payment.state == PAID:
        return DepositState(payment.display_state, payment)
    if decision.deposit_paid_at is not None:
        return DepositState("paid")
    if payment is not None and payment.state == PROCESSING:
        return DepositState(PROCESSING, payment)
    if payment is not None and guest_checkout.is_checking(payment):
        return DepositState("checking", payment)
    can = decision.is_current and checkout.can_charge(proposal.account, due, decision.totals["currency"])
    return DepositState(FAILED if payment is not None and payment.state == FAILED else "due", payment, can)


def start_payment(proposal: Proposal, language: str, return_url: str) -> Payment:
    """Start the payment of a deposit. Call it within `guest_transaction`.

    Raise GuestActionDeclinedError if no deposit can be paid.
    """
    decision = proposal.decisions.filter(is_current=True, outcome=DecisionOutcome.APPROVED).first()
    if decision is None or not decision.totals.get("deposit") or decision.deposit_paid_at is not None:
        raise GuestActionDeclinedError(gettext("There’s no deposit to pay."), status=409)
    title = gettext("Deposit: %(title)s") % {"title": proposal.title}
    return guest_checkout.start_payment(
        proposal.account,
        PURPOSE_NAME,
        decision.pk,
        decision.totals["deposit"],
        decision.totals["currency"],
        title=title,
        return_url=return_url,
        email=decision.email or proposal.client_email,
        language=language,
    )


def cancel_open_payment(proposal: Proposal, decision: Decision) -> None:
    """Cancel the open payment, so that it can no longer be completed online."""
    checkout.cancel_open_payments(proposal.account, PURPOSE_NAME, decision.pk)


def _get_locked_decision(payment: Payment) -> Decision | None:
    """Lock the publication, then return a payment's decision, or None if it was deleted permanently.

    Guests' and owners' writes take the same lock.
    """
    decisions = Decision.objects.filter(pk=payment.subject, proposal__account=payment.account_id)
    decision = decisions.select_related("proposal__account", "proposal__publication", "revision").first()
    if decision is None:
        return None
    Proposal.lock_many([decision.proposal])
    decision.refresh_from_db(fields=["is_current", "deposit_paid_at"])
    return decision


def _handle_deposit_paid(payment: Payment) -> None:
    decision = _get_locked_decision(payment)
    if decision is None:
        return
    proposal = decision.proposal
    earlier = Payment.objects.filter(account=payment.account_id, purpose=PURPOSE_NAME, subject=decision.pk, state=PAID)
    if earlier.exclude(pk=payment.pk).exists():
        # two payment pages were open and both were paid
        checkout.start_refund(payment, reason=owner_gettext("The deposit was paid twice"))
        return
    was_noted = decision.deposit_paid_at is not None
    if not was_noted:
        decision.deposit_paid_at = clock.now()
        decision.save(update_fields=["deposit_paid_at"])
    record = _record_payment(payment, decision, "bid.deposit_paid", {"amount": payment.amount})
    BidEvent.record_event(proposal, EventKind.DEPOSIT_PAID, CLIENT_ACTOR, payment=payment.pk, record=record)
    proposal.mark_changed()
    emails.email_deposit_update(proposal, decision, payment, "paid")
    emails.notify_deposit(proposal, decision, payment, "twice" if was_noted or not decision.is_current else "paid")


def _handle_deposit_changed(payment: Payment, change: str) -> None:
    decision = _get_locked_decision(payment)
    if decision is None:
        return
    proposal = decision.proposal
    if change == PROCESSING:
        BidEvent.record_event(proposal, EventKind.DEPOSIT_COMING, CLIENT_ACTOR, payment=payment.pk)
    elif change == FAILED:
        BidEvent.record_event(proposal, EventKind.DEPOSIT_FAILED, SERVICE_ACTOR, payment=payment.pk)
        emails.email_deposit_update(proposal, decision, payment, FAILED)
        emails.notify_deposit(proposal, decision, payment, FAILED)
    elif change == REFUNDED and payment.refunded:
        record = _record_payment(payment, decision, "bid.deposit_refunded", {"refunded": payment.refunded})
        BidEvent.record_event(proposal, EventKind.DEPOSIT_BACK, SERVICE_ACTOR, payment=payment.pk, record=record)
        emails.email_deposit_update(proposal, decision, payment, "back")
    if change != EXPIRED or payment.is_current:
        proposal.mark_changed()


def _record_payment(payment: Payment, decision: Decision, kind: str, extra_fields: dict[str, int]) -> str:
    """Record a payment in the account's audit trail, in addition to the decision."""
    data = {
        "proposal": decision.proposal.number,
        "decision": decision.record,
        "revision_hash": decision.revision.hash,
        "payment": payment.pk,
        "provider": payment.provider,
        "reference": payment.payment_intent,
        "currency": payment.currency,
        "test": not payment.live,
        **extra_fields,
    }
    people = {"payer": {"email": payment.email}} if payment.email else None
    return record_event(payment.account, kind, item_id=decision.proposal_id, data=data, people=people)


def _page_urls(payments: Sequence[Payment]) -> dict[str, str]:
    """Return the pages of payments by their subjects.

    The query uses only the key, for which the index is smallest. The account is compared here.
    """
    mine = {(payment.subject, payment.account_id) for payment in payments}
    decisions = Decision.objects.filter(pk__in=[subject for subject, _ in mine]).order_by()
    result = decisions.values_list("pk", "proposal__account_id", "proposal_id")
    return {
        subject: f"/app/bid/{proposal}/timeline" for subject, account, proposal in result if (subject, account) in mine
    }


DEPOSIT_PURPOSE = Purpose(
    PURPOSE_NAME,
    owner_gettext_lazy("Deposits"),
    on_paid=_handle_deposit_paid,
    on_changed=_handle_deposit_changed,
    pages=_page_urls,
)
