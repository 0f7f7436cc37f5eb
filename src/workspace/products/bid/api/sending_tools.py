"""Tools that send proposals and decide them for a client. Their effects reach people or are recorded."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.products.bid import messages
from workspace.products.bid.api.arguments import ApprovedSelection, BidId, MessageText, Note
from workspace.products.bid.api.detail_serializers import BidDetail
from workspace.products.bid.api.serializers import BidSummary, bid_summary
from workspace.products.bid.api.text import format_bid
from workspace.products.bid.api.tools import bid_answer, box
from workspace.products.bid.domain import client_questions, emails, owner_decisions, reminders, revisions
from workspace.products.bid.domain.queries import get_bid
from workspace.products.bid.domain.revision_diff import describe_unsent_changes
from workspace.products.bid.domain.revisions import lock_for_edit
from workspace.products.bid.models import BidEvent, DecisionOutcome, EventKind, Proposal
from workspace.products.bid.models.decision import OWNER_ACTOR
from workspace.products.bid.rules.selection import build_selection
from workspace.products.bid.rules.totals import default_selection
from workspace.storage import journal
from workspace.tools.answer import Answer

SENDING_IS_FINAL = "A sent email can't be recalled"


class SentBid(BidSummary):
    """A sent email. `to` is its recipient, and `mail` its state."""

    to: str
    kind: str
    mail: str


@box.tool(
    "svc_bid_send",
    title="Email a proposal",
    about="Email a proposal (quote), a reminder or a reply to the client, with the link and your message. A draft is "
    "marked as sent. Automatic reminders follow if it is unopened after 3 days, and 3 days before it expires. "
    "Replies go to your email address.",
    short="Email a proposal, a reminder or a reply to the client.",
    synonyms="send quote, nudge, follow up, chase, remind client, answer the client's question, angebot senden, "
    "nachfassen, erinnern, enviar presupuesto, recordar, recordatorio, responder al cliente",
    final=SENDING_IS_FINAL,
    sends=True,
)
def send(
    account: Account,
    id: BidId,
    kind: Annotated[
        Literal["proposal", "reminder", "reply"],
        Field(
            description=(
                "Email to send: proposal, reminder, or reply to a question. After a new revision, proposal "
                "announces it. Defaults to proposal."
            )
        ),
    ] = "proposal",
    message: MessageText = "",
) -> Answer[SentBid]:
    proposal = lock_for_edit(account, id)
    to = _SENDERS[kind](proposal, message)
    journal.mark_irreversible(SENDING_IS_FINAL)
    sent_bid: SentBid = {**bid_summary(get_bid(account, id)), "to": to, "kind": kind, "mail": "waiting"}
    head = f"The {kind} to {escape_markdown(to)} is waiting to be sent."
    return Answer(sent_bid, f"{head}\n\n- {format_bid(sent_bid)}")


def _send_proposal(proposal: Proposal, message: str) -> str:
    to = _client_email(proposal)
    if proposal.status in ("approved", "declined"):
        raise OperationNotAllowedError(messages.SEND_DECIDED)
    if proposal.is_expired:
        raise OperationNotAllowedError(messages.SEND_EXPIRED)
    if not proposal.line_items and not proposal.packages:
        raise OperationNotAllowedError(messages.SEND_EMPTY)
    revisions.mark_sent(proposal)
    emails.email_proposal(proposal, message, describe_unsent_changes(proposal))
    proposal.change(mailed_at=clock.now())
    journal.record_new_rows(BidEvent.record_event(proposal, EventKind.MAILED, OWNER_ACTOR))
    reminders.schedule_reminders(proposal)
    return to


def _send_reminder(proposal: Proposal, message: str) -> str:
    to = _client_email(proposal)
    if not proposal.is_open or proposal.is_expired:
        raise OperationNotAllowedError(messages.NOTHING_TO_REMIND)
    if proposal.events.filter(kind=EventKind.REMINDED, created_at__gt=clock.now() - reminders.MIN_INTERVAL).exists():
        raise OperationNotAllowedError(messages.REMINDED_TODAY)
    emails.email_reminder(proposal, "hand", message=message)
    journal.record_new_rows(BidEvent.record_event(proposal, EventKind.REMINDED, OWNER_ACTOR, what="hand"))
    return to


def _send_reply(proposal: Proposal, message: str) -> str:
    if not message:
        raise InvalidInputError.at_path("message", messages.REPLY_NEEDED)
    to = client_questions.reply_address(proposal)
    if not to:
        raise OperationNotAllowedError(messages.NO_REPLY_ADDRESS)
    client_questions.save_answer(proposal, message)
    emails.email_answer(proposal, message, to, proposal.language)
    return to


_SENDERS = {"proposal": _send_proposal, "reminder": _send_reminder, "reply": _send_reply}


def _client_email(proposal: Proposal) -> str:
    if not proposal.client_email:
        raise OperationNotAllowedError(messages.NO_CLIENT_EMAIL)
    return proposal.client_email


@box.tool(
    "svc_bid_decide",
    title="Record a decision on a proposal",
    about="Record that the client accepted or declined offline (by phone or with a signed printout), even after "
    "expiry. Can also withdraw an offer (status declined), or reopen a decision made by mistake within 30 "
    "days. The history records this as your action, never as the client's signature.",
    short="Record that a client accepted or declined, withdraw, or reopen.",
    synonyms="accepted by phone, client said yes, client said no, won, lost, mark as approved, withdraw quote, "
    "pull offer, reopen, zugesagt, telefonisch angenommen, abgelehnt, angebot zurückziehen, aceptado por teléfono, "
    "rechazado, retirar oferta, reabrir",
)
def decide(
    account: Account,
    id: BidId,
    decision: Annotated[
        Literal["approved", "declined", "withdrawn", "reopened"],
        Field(description="Decision to record: the client's, or withdraw or reopen."),
    ],
    selection: ApprovedSelection | None = None,
    note: Note = "",
    deposit_paid: Annotated[
        bool, Field(description="Whether the deposit was paid. To record a deposit later, pass approved again.")
    ]
    | None = None,
) -> Answer[BidDetail]:
    proposal = lock_for_edit(account, id)
    if selection is not None and decision != "approved":
        raise InvalidInputError.at_path("selection", messages.SELECTION_NOT_ALLOWED)
    if deposit_paid is not None and decision != "approved":
        raise InvalidInputError.at_path("deposit_paid", messages.DEPOSIT_NOT_ALLOWED)
    if decision == "reopened":
        owner_decisions.reopen_proposal(proposal, note)
        return bid_answer(account, id, f"Proposal {proposal.number} reopened. The client can decide again")
    stands = owner_decisions.current_decision(proposal)
    just = ""
    is_news = not (deposit_paid is not None and stands is not None and stands.outcome == DecisionOutcome.APPROVED)
    if is_news:
        chosen = None
        if decision == "approved":
            offer = proposal.offer
            chosen = default_selection(offer)
            if selection:
                chosen = build_selection(offer, selection.get("package"), selection.get("options", []))
        just = owner_decisions.decide_as_owner(proposal, DecisionOutcome(decision), chosen, note).pk
    if deposit_paid is not None:
        owner_decisions.mark_deposit_paid(proposal, deposit_paid)
    head = f"Proposal {proposal.number} recorded as {decision}" if is_news else "Deposit status saved"
    return bid_answer(account, id, head, pending_decision_id=just)
