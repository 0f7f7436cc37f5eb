"""Approving and declining. Of two at once one is told yes, and of an edit and an approval the first: the row is taken
by its status and by the hash of what the client saw, in one statement.

    with acting(address.publication_id):
        approve(proposal, Approval(...))

The record goes into the account's chain last in that transaction; the paper is sealed after it, by the worker.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.audit_trail.canonical_json import digest
from workspace.audit_trail.writer import note
from workspace.documents import glyph_coverage
from workspace.lib import clock
from workspace.products.bid.domain import emails, reminders
from workspace.products.bid.domain.pdf import seal_later
from workspace.products.bid.models import OPEN, BidEvent, Decision, Event, Outcome, Proposal, Revision, Status
from workspace.products.bid.models.decision import CLIENT
from workspace.products.bid.rules.offer import Selection
from workspace.products.bid.rules.selection import data_of, is_complete, sums_of
from workspace.products.bid.rules.totals import totals
from workspace.public_site.guest_form import Declined

CONSENT_VERSION = "2026-11"
CONSENT = _(
    "I have read this proposal and its terms, and I approve it with what I have chosen. Typing or drawing my name is "
    "my signature."
)
MOST_STROKES, MOST_POINTS, WIDEST = 200, 4000, 4000
Strokes = list[list[list[int]]]


class Stale(Declined):
    """What the client decided about is not any more as they saw it. `why` is revised, decided, expired or sum; the page
    is to be shown as it is now."""

    def __init__(self, why: str, message: str) -> None:
        super().__init__(message, status=409)
        self.why = why


@dataclass(frozen=True, slots=True)
class Signer:
    """Who decides, and from where, as far as it is known. `seconds`: on the page; `verified`: the address by a code."""

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
    """`hash` is that of the revision that was shown, `total` the sum on the button in minor units, `consent` the words
    that were agreed to. `drawn`: strokes of [x, y] in pixels, none where the name was typed."""

    hash: str
    selection: Selection
    total: int
    consent: str
    signer: Signer
    drawn: Strokes = field(default_factory=list)


def clean_strokes(given: Any) -> Strokes:
    """A drawn signature as a browser sends it. Raises ValueError for anything else."""
    if not isinstance(given, list) or len(given) > MOST_STROKES:
        raise ValueError(gettext("This signature cannot be read: draw it again, or type your name"))
    found: Strokes = []
    for stroke in given:
        if not isinstance(stroke, list) or not all(_is_point(point) for point in stroke):
            raise ValueError(gettext("This signature cannot be read: draw it again, or type your name"))
        found.append([[int(x), int(y)] for x, y in stroke])
    if sum(map(len, found)) > MOST_POINTS:
        raise ValueError(gettext("This signature cannot be read: draw it again, or type your name"))
    return [stroke for stroke in found if stroke]


def _is_point(point: Any) -> bool:
    return (
        isinstance(point, list)
        and len(point) == 2
        and all(
            isinstance(one, (int, float)) and not isinstance(one, bool) and -WIDEST <= one <= WIDEST for one in point
        )
    )


def approve(proposal: Proposal, said: Approval) -> Decision:
    """The client's yes, within `acting`. Raises Stale where it is not any more what they saw."""
    offer = proposal.offer
    if not is_complete(offer, said.selection):
        raise Declined(gettext("Please choose one of the packages"))
    if missing := glyph_coverage.missing(said.signer.name):  # the sealed copy has to show it
        letters = {"letters": " ".join(missing[:5])}
        raise Declined(
            gettext("These letters of your name cannot be printed: %(letters)s. Please write it in others") % letters
        )
    sums = totals(offer, said.selection)
    revision = _take(proposal, said.hash, Status.APPROVED)
    if sums.total != said.total:
        raise Stale("sum", gettext("The sum has changed. Please look at it once more"))
    decision = _decided(
        proposal,
        revision,
        Outcome.APPROVED,
        said.signer,
        consent=said.consent,
        consent_version=CONSENT_VERSION,
        drawn=said.drawn,
        selection=data_of(said.selection, offer),
        totals=sums_of(sums),
    )
    signer: dict[str, Any] = {**_person(said.signer), "consent": said.consent, "drawn": said.drawn}
    record(
        decision,
        "bid.approved",
        {**_session(said.signer), "signature": "drawn" if said.drawn else "typed", "consent": digest(said.consent)},
        {"signer": signer, "client": client_of(proposal)},
    )
    _settle(proposal, decision, Event.APPROVED)
    seal_later(decision)
    return decision


def decline(proposal: Proposal, hash: str, reason: str, words: str, signer: Signer) -> Decision:
    """The client's no, within `acting`; `reason` is a key of REASONS. Raises Stale as `approve`; an expired one may be
    declined."""
    revision = _take(proposal, hash, Status.DECLINED, may_be_over=True)
    decision = _decided(proposal, revision, Outcome.DECLINED, signer, reason=reason, words=words)
    record(
        decision,
        "bid.declined",
        {**_session(signer), "reason": reason},
        {"signer": {**_person(signer), "words": words}, "client": client_of(proposal)},
    )
    _settle(proposal, decision, Event.DECLINED)
    return decision


def _take(proposal: Proposal, hash: str, status: Status, *, may_be_over: bool = False) -> Revision:
    """The row, by what was seen of it; of two at once the second finds none."""
    now = clock.now()
    if proposal.is_open and hash != proposal.revision_hash:
        raise Stale("revised", _revised())
    if not may_be_over and now >= proposal.ends_at:
        raise Stale("expired", gettext("This proposal has expired. Please ask for a new one"))
    row = Proposal.objects.filter(pk=proposal.pk, status__in=OPEN, revision_hash=hash)
    if not row.update(status=status, decided_at=now, viewed_at=Coalesce(F("viewed_at"), now)):
        current = Proposal.objects.filter(pk=proposal.pk).values_list("status", flat=True).first()
        if current in OPEN:
            raise Stale("revised", _revised())
        raise Stale("decided", gettext("This proposal was decided already"))
    proposal.status, proposal.decided_at = status, now
    return Revision.objects.get(proposal=proposal, hash=hash, number=proposal.revision)


def _revised() -> str:
    return gettext("This proposal was changed meanwhile. Please look at it once more")


def _decided(proposal: Proposal, revision: Revision, outcome: Outcome, signer: Signer, **more: Any) -> Decision:
    return Decision.objects.create(
        proposal=proposal,
        revision=revision,
        outcome=outcome,
        by=CLIENT,
        name=signer.name,
        email=signer.email,
        verified=signer.verified,
        language=signer.language or proposal.language,
        **more,
    )


def record(decision: Decision, kind: str, more: Mapping[str, Any], people: Mapping[str, Mapping[str, Any]]) -> str:
    """Put it on the account's record: what was decided about which revision, with the sums."""
    proposal = decision.proposal
    data = {
        "proposal": proposal.number,
        "revision": decision.revision.number,
        "revision_hash": decision.revision.hash,
        "by": decision.by,
        "selection": decision.selection or None,
        "totals": decision.totals or None,
        "consent_version": decision.consent_version,
        **more,
    }
    decision.record = note(proposal.account, kind, thing=proposal.pk, data=data, people=people)
    decision.save(update_fields=["record"])
    return decision.record


def _settle(proposal: Proposal, decision: Decision, event: Event) -> None:
    BidEvent.note(proposal, event, CLIENT, record=decision.record)
    proposal.touched()
    reminders.withdraw(proposal)
    emails.tell_decided(proposal, decision)


def _person(signer: Signer) -> dict[str, Any]:
    return {"name": signer.name, "email": signer.email, "ip": signer.ip, "user_agent": signer.user_agent[:300]}


def _session(signer: Signer) -> dict[str, Any]:
    return {
        "email_verified": signer.verified,
        "language": signer.language,
        "time_zone": signer.time_zone[:64],
        "seconds_on_page": min(max(signer.seconds, 0), 10**6),
    }


def client_of(proposal: Proposal) -> dict[str, str]:
    return {
        "name": proposal.client_name,
        "email": proposal.client_email,
        "company": proposal.client_company,
    }
