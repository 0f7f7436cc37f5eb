"""Approval and rejection of proposals by clients.

If two requests conflict, the first succeeds. A single statement claims the row by its status and by the hash of the
revision that the client saw.

    prepared = prepare_approval(proposal, Approval(...))
    with guest_transaction(address.publication_id):
        save_decision(prepared)

The email to the owner and the record are prepared before the transaction. The record is appended to the account's
audit trail last in it. The worker signs the PDF after the commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.audit_trail.canonical_json import hash_text
from workspace.audit_trail.writer import PendingRecord, append_record, prepare_record
from workspace.delivery.notifications import OwnerEmail
from workspace.documents import glyph_coverage
from workspace.lib import clock
from workspace.products.bid.domain import emails, reminders
from workspace.products.bid.domain.pdf import enqueue_sealing
from workspace.products.bid.models import (
    OPEN_STATUSES,
    BidEvent,
    Decision,
    DecisionOutcome,
    EventKind,
    Proposal,
    Revision,
    Status,
)
from workspace.products.bid.models.decision import CLIENT_ACTOR
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.rules.selection import dump_selection, dump_totals, is_complete
from workspace.products.bid.rules.totals import compute_totals
from workspace.public_site.guest_page import GuestActionDeclinedError

CONSENT_VERSION = "2026-11-23"
CONSENT = _(
    "I have read and accept this proposal and its terms, including the options I selected. My typed or "
    "drawn name is my electronic signature."
)
MAX_STROKES, MAX_POINTS, MAX_COORDINATE = 200, 4000, 4000
Strokes = list[list[list[int]]]


class ProposalChangedError(GuestActionDeclinedError):
    """The proposal differs from the revision that the client saw.

    `cause` is revised, decided, expired or sum. Show the page again in its current state.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, status=409)
        self.cause = reason


@dataclass(frozen=True, slots=True)
class Signer:
    """The person who decides, and the known details of their session.

    `seconds` is the time on the page. `verified` means that a code confirmed the email address.
    """

    name: str = ""
    email: str = ""
    verified: bool = False
    ip: str = ""
    user_agent: str = ""
    language: str = ""
    time_zone: str = ""
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Approval:
    """An approval.

    `hash` identifies the revision shown, `total` is the sum on the button in minor units, and `consent` is the text
    agreed to. `strokes` are strokes of [x, y] in pixels, or empty if the name was typed.
    """

    hash: str
    selection: Selection
    total: int
    consent: str
    signer: Signer
    strokes: Strokes = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PreparedDecision:
    """A client's decision, ready to be saved. `hash` identifies the revision shown."""

    decision: Decision
    hash: str
    record: PendingRecord
    owner_email: OwnerEmail


def clean_signature_strokes(value: Any) -> Strokes:
    """Check and normalize a drawn signature from a browser. Raise ValueError if it is invalid."""
    if not isinstance(value, list) or len(value) > MAX_STROKES:
        raise ValueError(gettext("We couldn’t read your signature. Draw it again or type your name."))
    results: Strokes = []
    for stroke in value:
        if not isinstance(stroke, list) or not all(_is_point(point) for point in stroke):
            raise ValueError(gettext("We couldn’t read your signature. Draw it again or type your name."))
        results.append([[int(x), int(y)] for x, y in stroke])
    if sum(map(len, results)) > MAX_POINTS:
        raise ValueError(gettext("We couldn’t read your signature. Draw it again or type your name."))
    return [stroke for stroke in results if stroke]


def _is_point(point: Any) -> bool:
    return (
        isinstance(point, list)
        and len(point) == 2
        and all(
            isinstance(item, (int, float)) and not isinstance(item, bool) and -MAX_COORDINATE <= item <= MAX_COORDINATE
            for item in point
        )
    )


def prepare_approval(proposal: Proposal, approval: Approval) -> PreparedDecision:
    """Build the client's approval for `save_decision`, before the transaction.

    Raise GuestActionDeclinedError if it is incomplete or cannot be printed, and ProposalChangedError if the proposal
    differs from the revision that the client saw.
    """
    offer = proposal.offer
    if not is_complete(offer, approval.selection):
        raise GuestActionDeclinedError(gettext("Choose a package"))
    if missing := glyph_coverage.find_unprintable(approval.signer.name):  # the signed copy must contain the name
        letters = {"letters": " ".join(missing[:5])}
        raise GuestActionDeclinedError(
            gettext("These characters can’t be printed: %(letters)s. Write your name without them.") % letters
        )
    sums = compute_totals(offer, approval.selection)
    revision = _get_shown_revision(proposal, approval.hash)
    if sums.total != approval.total:
        raise ProposalChangedError("sum", gettext("The total has changed. Review it and approve again."))
    decision = _build_decision(
        proposal,
        revision,
        DecisionOutcome.APPROVED,
        approval.signer,
        consent=approval.consent,
        consent_version=CONSENT_VERSION,
        signature_strokes=approval.strokes,
        selection=dump_selection(approval.selection, offer),
        totals=dump_totals(sums),
    )
    signer: dict[str, Any] = {
        **_signer_details(approval.signer),
        "consent": approval.consent,
        "drawn": approval.strokes,
    }
    record = _prepare_record(
        decision,
        "bid.approved",
        {
            **_session_details(approval.signer),
            "signature": "drawn" if approval.strokes else "typed",
            "consent": hash_text(approval.consent),
        },
        {"signer": signer, "client": client_details(proposal)},
    )
    return PreparedDecision(decision, approval.hash, record, emails.prepare_decision_email(proposal, decision))


def prepare_decline(proposal: Proposal, hash: str, reason: str, message: str, signer: Signer) -> PreparedDecision:
    """Build the client's rejection for `save_decision`, before the transaction.

    An expired proposal may be declined. `reason` is a key of DECLINE_REASONS. Raise ProposalChangedError if the
    proposal differs from the revision that the client saw.
    """
    revision = _get_shown_revision(proposal, hash, allow_expired=True)
    decision = _build_decision(proposal, revision, DecisionOutcome.DECLINED, signer, reason=reason, comment=message)
    record = _prepare_record(
        decision,
        "bid.declined",
        {**_session_details(signer), "reason": reason},
        {"signer": {**_signer_details(signer), "words": message}, "client": client_details(proposal)},
    )
    return PreparedDecision(decision, hash, record, emails.prepare_decision_email(proposal, decision))


def save_decision(prepared: PreparedDecision) -> Decision:
    """Save a client's decision. Call it within `guest_transaction`.

    Raise ProposalChangedError if the proposal differs from the revision that the client saw.
    """
    decision = prepared.decision
    proposal, is_approved = decision.proposal, decision.outcome == DecisionOutcome.APPROVED
    _claim_open_proposal(proposal, prepared.hash, Status.APPROVED if is_approved else Status.DECLINED)
    decision.record = append_record(prepared.record)
    decision.save(force_insert=True)
    event = EventKind.APPROVED if is_approved else EventKind.DECLINED
    BidEvent.record_event(proposal, event, CLIENT_ACTOR, record=decision.record)
    proposal.mark_changed()
    reminders.cancel_reminders(proposal)
    prepared.owner_email.queue()
    if is_approved:
        enqueue_sealing(decision)
    return decision


def _get_shown_revision(proposal: Proposal, hash: str, *, allow_expired: bool = False) -> Revision:
    """Return the revision that the client saw. Raise ProposalChangedError if it cannot be decided any more."""
    if proposal.is_open and hash != proposal.revision_hash:
        raise ProposalChangedError("revised", _revised_message())
    if not allow_expired and clock.now() >= proposal.ends_at:
        raise ProposalChangedError("expired", gettext("This proposal has expired. Ask for a new one."))
    if not proposal.is_open:
        raise ProposalChangedError("decided", _build_decided_message())
    return Revision.objects.get(proposal=proposal, hash=hash, number=proposal.revision)


def _claim_open_proposal(proposal: Proposal, hash: str, status: Status) -> None:
    """Claim the proposal's row in the state that the client saw.

    If two requests conflict, the second finds no row.
    """
    now = clock.now()
    row = Proposal.objects.filter(pk=proposal.pk, status__in=OPEN_STATUSES, revision_hash=hash)
    if not row.update(status=status, decided_at=now, viewed_at=Coalesce(F("viewed_at"), now)):
        current = Proposal.objects.filter(pk=proposal.pk).values_list("status", flat=True).first()
        if current in OPEN_STATUSES:
            raise ProposalChangedError("revised", _revised_message())
        raise ProposalChangedError("decided", _build_decided_message())
    proposal.status, proposal.decided_at = status, now


def _revised_message() -> str:
    return gettext("This proposal has changed since you opened it. Review the changes.")


def _build_decided_message() -> str:
    return gettext("This proposal has already been approved or declined.")


def _build_decision(
    proposal: Proposal, revision: Revision, outcome: DecisionOutcome, signer: Signer, **more: Any
) -> Decision:
    return Decision(
        proposal=proposal,
        revision=revision,
        outcome=outcome,
        decided_by=CLIENT_ACTOR,
        name=signer.name,
        email=signer.email,
        verified=signer.verified,
        language=signer.language or proposal.language,
        **more,
    )


def record_decision(
    decision: Decision, kind: str, extra_fields: Mapping[str, Any], people: Mapping[str, Mapping[str, Any]]
) -> str:
    """Record a decision in the account's audit trail, with the revision and the totals."""
    decision.record = append_record(_prepare_record(decision, kind, extra_fields, people))
    decision.save(update_fields=["record"])
    return decision.record


def _prepare_record(
    decision: Decision, kind: str, extra_fields: Mapping[str, Any], people: Mapping[str, Mapping[str, Any]]
) -> PendingRecord:
    proposal = decision.proposal
    data = {
        "proposal": proposal.number,
        "revision": decision.revision.number,
        "revision_hash": decision.revision.hash,
        "by": decision.decided_by,
        "selection": decision.selection or None,
        "totals": decision.totals or None,
        "consent_version": decision.consent_version,
        **extra_fields,
    }
    return prepare_record(proposal.account, kind, item_id=proposal.pk, data=data, people=people)


def _signer_details(signer: Signer) -> dict[str, Any]:
    return {"name": signer.name, "email": signer.email, "ip": signer.ip, "user_agent": signer.user_agent[:300]}


def _session_details(signer: Signer) -> dict[str, Any]:
    return {
        "email_verified": signer.verified,
        "language": signer.language,
        "time_zone": signer.time_zone[:64],
        "seconds_on_page": min(max(signer.seconds, 0), 10**6),
    }


def client_details(proposal: Proposal) -> dict[str, str]:
    return {
        "name": proposal.client_name,
        "email": proposal.client_email,
        "company": proposal.client_company,
    }
