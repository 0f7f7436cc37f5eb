"""Serializers of signatures, which all answers use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from typing_extensions import TypedDict

from workspace.lib import clock
from workspace.products.waiver.domain.evidence_check import is_intact
from workspace.products.waiver.domain.queries import signatures_for
from workspace.products.waiver.models import Attendance, Signature, Signing
from workspace.products.waiver.rules.flagged_answers import FlaggedAnswer, find_flagged

MAX_HISTORY = 50  # other signatures of a person


class SignatureSummary(TypedDict):
    """A signature.

    `valid` says whether it is valid and, if not, why: voided, expired, outdated or of_age. `flagged` are answers that
    the owner wants to be notified about.
    """

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
    flagged: list[FlaggedAnswer]


def signature_summary(signature: Signature) -> SignatureSummary:
    reason = signature.find_reason(signature.waiver.required_version)
    return {
        "id": signature.pk,
        "waiver_id": signature.waiver_id,
        "waiver": signature.waiver.title,
        "signing_id": signature.signing_id,
        "signer": signature.signing.name,
        "participant": signature.name,
        "birth_year": signature.birth_date.year if signature.birth_date else None,
        "relationship": signature.relationship,
        "signed_at": clock.to_iso(signature.created_at) or "",
        "valid": reason == "valid",
        "reason": reason.value,
        "expires_at": clock.to_iso(signature.expires_at),
        "version": signature.version,
        "flagged": find_flagged(signature.waiver.questions, signature.signing.answers),
    }


class AttendanceData(TypedDict):
    at: str
    was: str


class SignatureDetail(SignatureSummary):
    """A signature with all details.

    `holds` means that its record is intact and matches what is shown here. `history` has the other signatures of the
    same person (the same name and birth date) on all waivers. `visits` are the person's check-ins with any of them.
    """

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
    visits: list[AttendanceData]
    others: list[SignatureSummary]
    history: list[SignatureSummary]


def signature_detail(signature: Signature) -> SignatureDetail:
    signing: Signing = signature.signing
    others = _other_signatures(signature)
    siblings = signing.signatures.exclude(pk=signature.pk).select_related("waiver", "signing").order_by("id")
    return {
        **signature_summary(signature),
        "signer_email": signing.email,
        "signer_phone": signing.phone,
        "signer_birth_date": signing.birth_date.isoformat() if signing.birth_date else "",
        "birth_date": signature.birth_date.isoformat() if signature.birth_date else "",
        "initials": signing.initials,
        "answers": signing.answers,
        "signed_by": signing.signature_kind,
        "typed": signing.typed_name,
        "marketing": signing.marketing,
        "void_reason": signature.void_reason,
        "record": signing.record,
        "holds": is_intact(signing),
        "pdf_sha256": signing.pdf_sha256,
        "visits": [
            {"at": clock.to_iso(visit.occurred_at) or "", "was": visit.validity}
            for visit in _list_attendances(signature, others)
        ],
        "others": [signature_summary(sibling) for sibling in siblings],
        "history": [signature_summary(copy) for copy in others],
    }


def _other_signatures(signature: Signature) -> list[Signature]:
    """Return the person's other signatures, newest first, or none if the person was erased."""
    if not signature.person:
        return []
    signatures = signatures_for(signature.account).filter(person=signature.person, birth_date=signature.birth_date)
    return list(signatures.exclude(pk=signature.pk).order_by("-id")[:MAX_HISTORY])


def _list_attendances(signature: Signature, others: Sequence[Signature]) -> QuerySet[Attendance]:
    return Attendance.objects.filter(signature__in=[signature.pk, *(copy.pk for copy in others)])[:MAX_HISTORY]
