"""The serializer of a proposal with its content, totals, history, messages and proof."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.audit_trail import verification
from workspace.lib import clock
from workspace.products.bid import messages
from workspace.products.bid.api.serializers import (
    BidSummary,
    LineData,
    MessageData,
    PackageData,
    ShareData,
    TotalsData,
    bid_summary,
    line_data,
    message_data,
    package_data,
    share_data,
    totals_data,
)
from workspace.products.bid.domain import deposits
from workspace.products.bid.domain.pdf_url import pdf_url
from workspace.products.bid.models import BidEvent, Decision, Proposal, Revision, Status
from workspace.products.bid.rules.totals import compute_totals, to_major_units
from workspace.publishing.serializers import ItemUrls, item_urls

MAX_HISTORY = 100  # events, newest first


class BusinessNumberData(TypedDict):
    label: str
    value: str


class HistoryEntry(TypedDict):
    """An event. `status` is the status after it.

    Views have the `device`, and the `seconds` for each section of the page.
    """

    at: str | None
    what: str
    by: str
    status: str
    revision: int
    device: str
    seconds: dict[str, int]


class RevisionData(TypedDict):
    number: int
    made_at: str | None
    hash: str
    total: float
    is_whole: bool


class SelectionData(TypedDict):
    package: str | None
    options: list[str]


class AgreedTotals(TypedDict):
    subtotal: float
    discount: float
    tax: float
    total: float
    deposit: float
    balance: float


class DecisionData(TypedDict):
    """A decision. `record` is its id in the audit trail, and `proof` says whether that record is intact."""

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
    selection: SelectionData | None
    totals: AgreedTotals | None
    reason: str
    words: str
    record: str
    proof: str
    pdf_sha256: str
    sealed_at: str | None
    deposit_paid_at: str | None
    deposit_state: Annotated[
        str,
        Field(
            description="none, due, checking, processing, failed, paid, partly_refunded, refunded, disputed or lost."
        ),
    ]
    deposit_payment: Annotated[str | None, Field(description="ID of its online payment in svc_payments_list.")]


class BidDetail(BidSummary, ItemUrls):
    """A proposal in full. `decisions` are listed newest first, and at most one is valid.

    `version_of` is the previous version.
    """

    intro: str
    line_items: list[LineData]
    packages: list[PackageData]
    discount: ShareData | None
    tax_rate: float
    tax_label: str
    tax_inclusive: bool
    deposit: ShareData | None
    notes: str
    video_url: str
    numbers: list[BusinessNumberData]
    language: str
    totals: TotalsData
    status_history: list[HistoryEntry]
    revisions: list[RevisionData]
    decisions: list[DecisionData]
    messages: list[MessageData]
    version_of: str | None
    archived: bool
    pdf_url: str


def bid_detail(proposal: Proposal, account: Account, *, pending_decision_id: str = "") -> BidDetail:
    """Return a proposal in full. The number of queries is small and does not depend on the length of its history.

    `pending_decision_id` is the id of a decision that is being made.
    """
    offer, currency = proposal.offer, proposal.currency
    events = list(proposal.events.order_by("-created_at", "-id")[:MAX_HISTORY])[::-1]
    return {
        **bid_summary(proposal),
        **item_urls(proposal),
        "intro": proposal.intro,
        "line_items": [line_data(line, currency) for line in offer.lines],
        "packages": [package_data(package, currency) for package in offer.packages],
        "discount": share_data(offer.discount),
        "tax_rate": float(offer.tax_rate),
        "tax_label": proposal.tax_label,
        "tax_inclusive": offer.tax_inclusive,
        "deposit": share_data(offer.deposit),
        "notes": proposal.notes,
        "video_url": proposal.video_url,
        "numbers": [{"label": number["label"], "value": number["value"]} for number in proposal.numbers],
        "language": proposal.language,
        "totals": totals_data(compute_totals(offer)),
        "status_history": [_creation_entry(proposal), *(_history_entry(event) for event in events)],
        "revisions": [_revision_data(revision, currency) for revision in proposal.revisions.all()],
        "decisions": [
            decision_data(decision, "" if decision.pk == pending_decision_id else describe_proof(decision, account))
            for decision in proposal.decisions.select_related("revision").order_by("-created_at", "-id")
        ],
        "messages": [message_data(message) for message in proposal.messages.all()],
        "version_of": proposal.version_of_id,
        "archived": proposal.archived_at is not None,
        "pdf_url": pdf_url(proposal),
    }


def decision_data(decision: Decision, proven: str) -> DecisionData:
    sums, deposit = decision.totals, deposits.get_deposit_state(decision.proposal, decision)
    return {
        "id": decision.pk,
        "outcome": decision.outcome,
        "by": decision.decided_by,
        "stands": decision.is_current,
        "at": clock.to_iso(decision.created_at),
        "revision": decision.revision.number,
        "name": decision.name,
        "email": decision.email,
        "email_verified": decision.verified,
        "signature": _signature_kind(decision),
        "selection": _selection_data(decision.selection),
        "totals": _agreed_totals(sums) if sums else None,
        "reason": decision.reason,
        "words": decision.comment,
        "record": decision.record,
        "proof": proven,
        "pdf_sha256": decision.pdf_sha256,
        "sealed_at": clock.to_iso(decision.sealed_at),
        "deposit_paid_at": clock.to_iso(decision.deposit_paid_at),
        "deposit_state": deposit.state,
        "deposit_payment": deposit.payment.pk if deposit.payment is not None else None,
    }


def describe_proof(decision: Decision, account: Account) -> str:
    """Describe whether the record of a decision and its revision are unchanged.

    Return `holds` or a description of the problems, or an empty string if there is no record.
    """
    if not decision.record:
        return ""
    problems = [problem.text for problem in verification.verify_record(account, decision.record)]
    if not decision.revision.is_intact:
        reason = messages.REVISION_ERASED if decision.revision.erased_at else messages.REVISION_CHANGED
        problems.append(str(reason(number=decision.revision.number)))
    data = verification.find_record_content(account, decision.record)
    if data is not None and data.get("data", {}).get("revision_hash") != decision.revision.hash:
        problems.append(str(messages.RECORD_OF_OTHER_REVISION))
    if data is not None and data.get("data", {}).get("totals") != (decision.totals or None):
        problems.append(str(messages.RECORD_OF_OTHER_AMOUNTS))
    return "; ".join(problems) or "holds"


def _signature_kind(decision: Decision) -> str:
    if decision.decided_by != "client" or decision.outcome != "approved":
        return ""
    return "drawn" if decision.signature_strokes else "typed"


def _selection_data(selection: dict[str, Any]) -> SelectionData | None:
    return {"package": selection["package"], "options": list(selection["options"])} if selection else None


def _agreed_totals(sums: dict[str, Any]) -> AgreedTotals:
    currency = sums["currency"]
    return {
        "subtotal": to_major_units(sums["subtotal"], currency),
        "discount": to_major_units(sums["discount"], currency),
        "tax": to_major_units(sums["tax"], currency),
        "total": to_major_units(sums["total"], currency),
        "deposit": to_major_units(sums["deposit"], currency),
        "balance": to_major_units(sums["balance"], currency),
    }


def _creation_entry(proposal: Proposal) -> HistoryEntry:
    """Return the first entry of each history, which is the creation."""
    return {
        "at": clock.to_iso(proposal.created_at),
        "what": "made",
        "by": "owner",
        "status": Status.DRAFT.value,
        "revision": 1,
        "device": "",
        "seconds": {},
    }


def _history_entry(event: BidEvent) -> HistoryEntry:
    return {
        "at": clock.to_iso(event.created_at),
        "what": event.kind,
        "by": event.actor,
        "status": event.status,
        "revision": event.revision,
        "device": event.details.get("device", ""),
        "seconds": event.details.get("seconds", {}),
    }


def _revision_data(revision: Revision, currency: str) -> RevisionData:
    return {
        "number": revision.number,
        "made_at": clock.to_iso(revision.created_at),
        "hash": revision.hash,
        "total": to_major_units(revision.total, revision.content["currency"] if revision.is_intact else currency),
        "is_whole": revision.is_intact,
    }
