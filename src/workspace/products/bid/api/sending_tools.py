"""Sending proposals and deciding them for a client, as tools. What these do reaches people or goes on record."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import escape_markdown
from workspace.products.bid.api.arguments import BidId, Note, Taken, Wanted
from workspace.products.bid.api.detail_serializers import BidWhole
from workspace.products.bid.api.serializers import BidRow, bid_row
from workspace.products.bid.api.text import bid_line
from workspace.products.bid.api.tools import box, told
from workspace.products.bid.domain import client_questions, emails, owner_decisions, reminders, revisions
from workspace.products.bid.domain.queries import bid_of
from workspace.products.bid.domain.revision_diff import changes_for
from workspace.products.bid.domain.revisions import held
from workspace.products.bid.models import BidEvent, Event, Outcome, Proposal
from workspace.products.bid.models.decision import OWNER
from workspace.products.bid.rules.offer import first_shown
from workspace.products.bid.rules.selection import selection_of
from workspace.storage import journal
from workspace.tools.answer import Answer

SENT_FOR_GOOD = "A mail cannot be called back"


class SentRow(BidRow):
    """`to`: whom the mail goes to; `kind` as it was asked for; `mail`: waiting to leave."""

    to: str
    kind: str
    mail: str


@box.tool("svc_bid_send", title="Send a proposal, a reminder or an answer", final=SENT_FOR_GOOD, sends=True)
def send(
    account: Account,
    id: BidId,
    kind: Annotated[
        Literal["proposal", "reminder", "reply"],
        Field(description="The proposal or what changed of it; a reminder; your answer to a question"),
    ] = "proposal",
    message: Wanted = "",
) -> Answer[SentRow]:
    """Write to the client by mail, with the link and your words; answers go to your address. A draft is sent by it.
    Whoever was sent a proposal is reminded by itself, at most twice: when it was not opened within 3 days, and 3 days
    before its last."""
    proposal = held(account, id)
    to = _SENDERS[kind](proposal, message)
    journal.for_good(SENT_FOR_GOOD)
    found: SentRow = {**bid_row(bid_of(account, id)), "to": to, "kind": kind, "mail": "waiting"}
    head = f"The {kind} goes to {escape_markdown(to)}; the mail is waiting to leave."
    return Answer(found, f"{head}\n\n- {bid_line(found)}")


def _proposal(proposal: Proposal, message: str) -> str:
    to = _client_of(proposal)
    if proposal.status in ("approved", "declined"):
        raise ToolError(f"This one is {proposal.status}: svc_bid_copy with kind=version makes a new one to send")
    if proposal.is_expired:
        raise ToolError("Its last day is over: give it another valid_until with svc_bid_edit first")
    if not proposal.line_items and not proposal.packages:
        raise ToolError("There is nothing on offer yet: add line_items or packages with svc_bid_edit first")
    revisions.mark_sent(proposal)
    emails.offer(proposal, message, changes_for(proposal))
    proposal.change(mailed_at=clock.now())
    journal.add(BidEvent.note(proposal, Event.MAILED, OWNER))
    reminders.plan(proposal)
    return to


def _reminder(proposal: Proposal, message: str) -> str:
    to = _client_of(proposal)
    if not proposal.is_open or proposal.is_expired:
        raise ToolError("There is nothing to remind of: only a proposal that was sent, and is not expired or decided")
    if proposal.events.filter(kind=Event.REMINDED, at__gt=clock.now() - reminders.BETWEEN).exists():
        raise ToolError("They were reminded within the last day: wait a little, or call them")
    emails.remind(proposal, "hand", words=message)
    journal.add(BidEvent.note(proposal, Event.REMINDED, OWNER, what="hand"))
    return to


def _reply(proposal: Proposal, message: str) -> str:
    if not message:
        raise InvalidInput.at("message", "Write your answer")
    to = client_questions.asked_by(proposal)
    if not to:
        raise ToolError("Nobody has asked, and no client_email is known: svc_bid_edit sets it")
    client_questions.answer(proposal, message)
    emails.answer(proposal, message, to, proposal.language)
    return to


_SENDERS = {"proposal": _proposal, "reminder": _reminder, "reply": _reply}


def _client_of(proposal: Proposal) -> str:
    if not proposal.client_email:
        raise ToolError("No client_email is known: svc_bid_edit sets it, or hand svc_bid_share_link's link on yourself")
    return proposal.client_email


@box.tool("svc_bid_decide", title="Decide a proposal for its client, withdraw or reopen it")
def decide(
    account: Account,
    id: BidId,
    decision: Annotated[
        Literal["approved", "declined", "withdrawn", "reopened"],
        Field(description="What the client said elsewhere; withdrawn: you offer it no more; reopened: takes it back"),
    ],
    selection: Taken | None = None,
    note: Note = "",
    deposit_paid: Annotated[bool, Field(description="Whether the deposit has come: also later, with approved")]
    | None = None,
) -> Answer[BidWhole]:
    """Record what was decided by telephone or on paper: also behind its last day. It is your act and never the client's
    signature, and goes on record with what they take and the sums. withdrawn counts as declined. reopened takes a
    mistaken decision back within 30 days; the history keeps both."""
    proposal = held(account, id)
    if selection is not None and decision != "approved":
        raise InvalidInput.at("selection", "Only what is approved has one: leave it out")
    if deposit_paid is not None and decision != "approved":
        raise InvalidInput.at("deposit_paid", "Only what is approved has a deposit: leave it out")
    if decision == "reopened":
        owner_decisions.reopen(proposal, note)
        return told(account, id, f"Proposal {proposal.number} is open again. It waits for the client's decision")
    stands = owner_decisions.standing(proposal)
    just = ""
    is_news = not (deposit_paid is not None and stands is not None and stands.outcome == Outcome.APPROVED)
    if is_news:
        chosen = None
        if decision == "approved":
            offer = proposal.offer
            chosen = first_shown(offer)
            if selection:
                chosen = selection_of(offer, selection.get("package"), selection.get("options", []))
        just = owner_decisions.decide(proposal, Outcome(decision), chosen, note).pk
    if deposit_paid is not None:
        owner_decisions.deposit_paid(proposal, deposit_paid)
    head = f"Recorded: proposal {proposal.number} is {decision}" if is_news else "The deposit is noted"
    return told(account, id, head, just=just)
