"""One proposal with all that belongs to it: what it says, its sums, its history, its thread and its proof."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.audit_trail import verification
from workspace.lib import clock
from workspace.products.bid.api.serializers import (
    BidRow,
    LineRow,
    MessageRow,
    PackageRow,
    ShareRow,
    TotalsRow,
    bid_row,
    line_row,
    message_row,
    package_row,
    share_row,
    totals_row,
)
from workspace.products.bid.domain import deposits
from workspace.products.bid.domain.pdf_url import pdf_address
from workspace.products.bid.models import BidEvent, Decision, Proposal, Revision, Status
from workspace.products.bid.rules.totals import money, totals
from workspace.publishing.serializers import Addresses, addresses_of

MOST_HISTORY = 100  # of the newest


class NumberRow(TypedDict):
    label: str
    value: str


class HistoryRow(TypedDict):
    """`status` is what it was from then on; `device` and `seconds` (by part of the page) of a look at it."""

    at: str | None
    what: str
    by: str
    status: str
    revision: int
    device: str
    seconds: dict[str, int]


class RevisionRow(TypedDict):
    number: int
    made_at: str | None
    hash: str
    total: float
    is_whole: bool


class ChosenRow(TypedDict):
    package: str | None
    options: list[str]


class AgreedRow(TypedDict):
    subtotal: float
    discount: float
    tax: float
    total: float
    deposit: float
    balance: float


class DecisionRow(TypedDict):
    """`record` proves it: its id in your chain of records. `proof` says whether that is as it was written."""

    id: str
    outcome: str
    by: str
    stands: bool
    at: str | None
    revision: int
    name: str
    email: str
    email_verified: bool
    signature: str
    selection: ChosenRow | None
    totals: AgreedRow | None
    reason: str
    words: str
    record: str
    proof: str
    pdf_sha256: str
    sealed_at: str | None
    deposit_paid_at: str | None
    deposit_state: Annotated[
        str,
        Field(description="none, due, checking, processing, failed, paid, partly_refunded, refunded, disputed or lost"),
    ]
    deposit_payment: Annotated[str | None, Field(description="What was paid of it online: an id of svc_payments_list")]


class BidWhole(BidRow, Addresses):
    """`decisions`: the newest first; one stands at most. `version_of` is the proposal that this one follows."""

    intro: str
    line_items: list[LineRow]
    packages: list[PackageRow]
    discount: ShareRow | None
    tax_rate: float
    tax_label: str
    tax_inclusive: bool
    deposit: ShareRow | None
    notes: str
    video_url: str
    numbers: list[NumberRow]
    language: str
    totals: TotalsRow
    status_history: list[HistoryRow]
    revisions: list[RevisionRow]
    decisions: list[DecisionRow]
    messages: list[MessageRow]
    version_of: str | None
    archived: bool
    pdf_url: str


def whole(proposal: Proposal, account: Account, *, just: str = "") -> BidWhole:
    """A few queries, however long its history is. `just`: a decision that is being made."""
    offer, currency = proposal.offer, proposal.currency
    events = list(proposal.events.order_by("-at", "-id")[:MOST_HISTORY])[::-1]
    return {
        **bid_row(proposal),
        **addresses_of(proposal),
        "intro": proposal.intro,
        "line_items": [line_row(line, currency) for line in offer.lines],
        "packages": [package_row(package, currency) for package in offer.packages],
        "discount": share_row(offer.discount),
        "tax_rate": float(offer.tax_rate),
        "tax_label": proposal.tax_label,
        "tax_inclusive": offer.tax_inclusive,
        "deposit": share_row(offer.deposit),
        "notes": proposal.notes,
        "video_url": proposal.video_url,
        "numbers": [{"label": one["label"], "value": one["value"]} for one in proposal.numbers],
        "language": proposal.language,
        "totals": totals_row(totals(offer)),
        "status_history": [_made(proposal), *(_history_row(event) for event in events)],
        "revisions": [_revision_row(revision, currency) for revision in proposal.revisions.all()],
        "decisions": [
            decision_row(decision, "" if decision.pk == just else proof(decision, account))
            for decision in proposal.decisions.select_related("revision").order_by("-at", "-id")
        ],
        "messages": [message_row(message) for message in proposal.messages.all()],
        "version_of": proposal.version_of_id,
        "archived": proposal.archived_at is not None,
        "pdf_url": pdf_address(proposal),
    }


def decision_row(decision: Decision, proven: str) -> DecisionRow:
    sums, deposit = decision.totals, deposits.standing(decision.proposal, decision)
    return {
        "id": decision.pk,
        "outcome": decision.outcome,
        "by": decision.by,
        "stands": decision.stands,
        "at": clock.iso(decision.at),
        "revision": decision.revision.number,
        "name": decision.name,
        "email": decision.email,
        "email_verified": decision.verified,
        "signature": _signature(decision),
        "selection": _chosen(decision.selection),
        "totals": _agreed(sums) if sums else None,
        "reason": decision.reason,
        "words": decision.words,
        "record": decision.record,
        "proof": proven,
        "pdf_sha256": decision.pdf_sha256,
        "sealed_at": clock.iso(decision.sealed_at),
        "deposit_paid_at": clock.iso(decision.deposit_paid_at),
        "deposit_state": deposit.state,
        "deposit_payment": deposit.payment.pk if deposit.payment is not None else None,
    }


def proof(decision: Decision, account: Account) -> str:
    """Whether the record of a decision, and what it tells of the revision, are as they were written: holds, or what is
    not as it was."""
    if not decision.record:
        return ""
    problems = [problem.text for problem in verification.verify_one(account, decision.record)]
    if not decision.revision.is_whole:
        why = "lost words that named a person, who was erased" if decision.revision.erased_at else "was changed"
        problems.append(f"Revision {decision.revision.number} {why}")
    told = verification.told_by(account, decision.record)
    if told is not None and told.get("data", {}).get("revision_hash") != decision.revision.hash:
        problems.append("The record tells of another revision")
    if told is not None and told.get("data", {}).get("totals") != (decision.totals or None):
        problems.append("The record tells other sums")
    return "; ".join(problems) or "holds"


def _signature(decision: Decision) -> str:
    if decision.by != "client" or decision.outcome != "approved":
        return ""
    return "drawn" if decision.drawn else "typed"


def _chosen(selection: dict[str, Any]) -> ChosenRow | None:
    return {"package": selection["package"], "options": list(selection["options"])} if selection else None


def _agreed(sums: dict[str, Any]) -> AgreedRow:
    currency = sums["currency"]
    return {
        "subtotal": money(sums["subtotal"], currency),
        "discount": money(sums["discount"], currency),
        "tax": money(sums["tax"], currency),
        "total": money(sums["total"], currency),
        "deposit": money(sums["deposit"], currency),
        "balance": money(sums["balance"], currency),
    }


def _made(proposal: Proposal) -> HistoryRow:
    """How every history begins."""
    return {
        "at": clock.iso(proposal.created_at),
        "what": "made",
        "by": "owner",
        "status": Status.DRAFT.value,
        "revision": 1,
        "device": "",
        "seconds": {},
    }


def _history_row(event: BidEvent) -> HistoryRow:
    return {
        "at": clock.iso(event.at),
        "what": event.kind,
        "by": event.by,
        "status": event.status,
        "revision": event.revision,
        "device": event.told.get("device", ""),
        "seconds": event.told.get("seconds", {}),
    }


def _revision_row(revision: Revision, currency: str) -> RevisionRow:
    return {
        "number": revision.number,
        "made_at": clock.iso(revision.made_at),
        "hash": revision.hash,
        "total": money(revision.total, revision.told["currency"] if revision.is_whole else currency),
        "is_whole": revision.is_whole,
    }
