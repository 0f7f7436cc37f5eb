"""Tools that send proposals and decide them for a client. Their effects reach people or are recorded."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import escape_markdown
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

SENDING_IS_FINAL = "A mail cannot be called back"


class SentBid(BidSummary):
    """`to`: whom the mail goes to; `kind` as it was asked for; `mail`: waiting to leave."""

    to: str
    kind: str
    mail: str


@box.tool("svc_bid_send", title="Send a proposal, a reminder or an answer", final=SENDING_IS_FINAL, sends=True)
def send(
    account: Account,
    id: BidId,
    kind: Annotated[
        Literal["proposal", "reminder", "reply"],
        Field(description="The proposal or what changed of it; a reminder; your answer to a question"),
    ] = "proposal",
    message: MessageText = "",
) -> Answer[SentBid]:
    """Write to the client by mail, with the link and your words; answers go to your address. A draft is sent by it.
    Whoever was sent a proposal is reminded by itself, at most twice: when it was not opened within 3 days, and 3 days
    before its last."""
    proposal = lock_for_edit(account, id)
    to = _SENDERS[kind](proposal, message)
    journal.mark_irreversible(SENDING_IS_FINAL)
    sent_bid: SentBid = {**bid_summary(get_bid(account, id)), "to": to, "kind": kind, "mail": "waiting"}
    head = f"The {kind} goes to {escape_markdown(to)}; the mail is waiting to leave."
    return Answer(sent_bid, f"{head}\n\n- {format_bid(sent_bid)}")


def _send_proposal(proposal: Proposal, message: str) -> str:
    to = _client_email(proposal)
    if proposal.status in ("approved", "declined"):
        raise OperationNotAllowedError(
            f"This one is {proposal.status}: svc_bid_copy with kind=version makes a new one to send"
        )
    if proposal.is_expired:
        raise OperationNotAllowedError("Its last day is over: give it another valid_until with svc_bid_edit first")
    if not proposal.line_items and not proposal.packages:
        raise OperationNotAllowedError(
            "There is nothing on offer yet: add line_items or packages with svc_bid_edit first"
        )
    revisions.mark_sent(proposal)
    emails.email_proposal(proposal, message, describe_unsent_changes(proposal))
    proposal.change(mailed_at=clock.now())
    journal.record_new_rows(BidEvent.record_event(proposal, EventKind.MAILED, OWNER_ACTOR))
    reminders.schedule_reminders(proposal)
    return to


def _send_reminder(proposal: Proposal, message: str) -> str:
    to = _client_email(proposal)
    if not proposal.is_open or proposal.is_expired:
        raise OperationNotAllowedError(
            "There is nothing to remind of: only a proposal that was sent, and is not expired or decided"
        )
    if proposal.events.filter(kind=EventKind.REMINDED, created_at__gt=clock.now() - reminders.MIN_INTERVAL).exists():
        raise OperationNotAllowedError("They were reminded within the last day: wait a little, or call them")
    emails.email_reminder(proposal, "hand", message=message)
    journal.record_new_rows(BidEvent.record_event(proposal, EventKind.REMINDED, OWNER_ACTOR, what="hand"))
    return to


def _send_reply(proposal: Proposal, message: str) -> str:
    if not message:
        raise InvalidInputError.at_path("message", "Write your answer")
    to = client_questions.reply_address(proposal)
    if not to:
        raise OperationNotAllowedError("Nobody has asked, and no client_email is known: svc_bid_edit sets it")
    client_questions.save_answer(proposal, message)
    emails.email_answer(proposal, message, to, proposal.language)
    return to


_SENDERS = {"proposal": _send_proposal, "reminder": _send_reminder, "reply": _send_reply}


def _client_email(proposal: Proposal) -> str:
    if not proposal.client_email:
        raise OperationNotAllowedError(
            "No client_email is known: svc_bid_edit sets it, or hand svc_bid_share_link's link on yourself"
        )
    return proposal.client_email


@box.tool("svc_bid_decide", title="Decide a proposal for its client, withdraw or reopen it")
def decide(
    account: Account,
    id: BidId,
    decision: Annotated[
        Literal["approved", "declined", "withdrawn", "reopened"],
        Field(description="What the client said elsewhere; withdrawn: you offer it no more; reopened: takes it back"),
    ],
    selection: ApprovedSelection | None = None,
    note: Note = "",
    deposit_paid: Annotated[bool, Field(description="Whether the deposit has come: also later, with approved")]
    | None = None,
) -> Answer[BidDetail]:
    """Record what was decided by telephone or on paper: also behind its last day. It is your act and never the client's
    signature, and goes on record with what they take and the sums. withdrawn counts as declined. reopened takes a
    mistaken decision back within 30 days; the history keeps both."""
    proposal = lock_for_edit(account, id)
    if selection is not None and decision != "approved":
        raise InvalidInputError.at_path("selection", "Only what is approved has one: leave it out")
    if deposit_paid is not None and decision != "approved":
        raise InvalidInputError.at_path("deposit_paid", "Only what is approved has a deposit: leave it out")
    if decision == "reopened":
        owner_decisions.reopen_proposal(proposal, note)
        return bid_answer(account, id, f"Proposal {proposal.number} is open again. It waits for the client's decision")
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
    head = f"Recorded: proposal {proposal.number} is {decision}" if is_news else "The deposit is noted"
    return bid_answer(account, id, head, pending_decision_id=just)
