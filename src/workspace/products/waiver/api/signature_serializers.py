"""Signatures as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.waiver.api.serializers import MISSING
from workspace.products.waiver.domain.evidence_check import holds
from workspace.products.waiver.models import Signature, Signing, Visit
from workspace.products.waiver.rules.flags import Flagged, flagged
from workspace.publishing.serializers import one

SHOWN = 50  # of a person


class SignatureRow(TypedDict):
    """`valid` and, where it is not, why: voided, expired, outdated or of_age. `flagged`: answers of which the owner
    wants to be told."""

    id: str
    waiver_id: str
    waiver: str
    signing_id: str
    signer: str
    participant: str
    birth_year: int | None
    relationship: str
    signed_at: str
    valid: bool
    reason: str
    expires_at: str | None
    version: int
    flagged: list[Flagged]


def signatures_of(account: Account) -> QuerySet[Signature]:
    return account.signatures.select_related("waiver", "signing")


def signature_of(account: Account, id: str) -> Signature:
    """Of a signature's id. Raises NotFound."""
    return one(signatures_of(account).select_related("account"), id, MISSING)


def signature_row(one: Signature) -> SignatureRow:
    why = one.reason(one.waiver.required_version)
    return {
        "id": one.pk,
        "waiver_id": one.waiver_id,
        "waiver": one.waiver.title,
        "signing_id": one.signing_id,
        "signer": one.signing.name,
        "participant": one.name,
        "birth_year": one.birth_date.year if one.birth_date else None,
        "relationship": one.relationship,
        "signed_at": clock.iso(one.created_at) or "",
        "valid": why == "valid",
        "reason": why.value,
        "expires_at": clock.iso(one.expires_at),
        "version": one.version,
        "flagged": flagged(one.waiver.questions, one.signing.answers),
    }


class VisitRow(TypedDict):
    at: str
    was: str


class SignatureWhole(SignatureRow):
    """`holds`: whether its record stands as it was written, and says what is shown here. `history`: what else the same
    person (one name and birth date) has signed, of all waivers; `visits` are theirs, whichever of these let them in."""

    signer_email: str
    signer_phone: str
    signer_birth_date: str
    birth_date: str
    initials: dict[str, str]
    answers: dict[str, Any]
    signed_by: str
    typed: str
    marketing: bool
    void_reason: str
    record: str
    holds: bool
    pdf_sha256: str
    visits: list[VisitRow]
    others: list[SignatureRow]
    history: list[SignatureRow]


def signature_whole(one: Signature) -> SignatureWhole:
    signing: Signing = one.signing
    theirs = _of_person(one)
    siblings = signing.signatures.exclude(pk=one.pk).select_related("waiver", "signing").order_by("id")
    return {
        **signature_row(one),
        "signer_email": signing.email,
        "signer_phone": signing.phone,
        "signer_birth_date": signing.birth_date.isoformat() if signing.birth_date else "",
        "birth_date": one.birth_date.isoformat() if one.birth_date else "",
        "initials": signing.initials,
        "answers": signing.answers,
        "signed_by": signing.how,
        "typed": signing.typed,
        "marketing": signing.marketing,
        "void_reason": one.void_reason,
        "record": signing.record,
        "holds": holds(signing),
        "pdf_sha256": signing.pdf_sha256,
        "visits": [{"at": clock.iso(visit.at) or "", "was": visit.checked} for visit in _visits(one, theirs)],
        "others": [signature_row(sibling) for sibling in siblings],
        "history": [signature_row(copy) for copy in theirs],
    }


def _of_person(one: Signature) -> list[Signature]:
    """Their other signatures, newest first; of who was erased none."""
    if not one.person:
        return []
    theirs = signatures_of(one.account).filter(person=one.person, birth_date=one.birth_date)
    return list(theirs.exclude(pk=one.pk).order_by("-id")[:SHOWN])


def _visits(one: Signature, others: Sequence[Signature]) -> QuerySet[Visit]:
    return Visit.objects.filter(signature__in=[one.pk, *(copy.pk for copy in others)])[:SHOWN]
