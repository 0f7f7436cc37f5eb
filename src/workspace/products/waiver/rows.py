"""Waivers and signatures as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.products.waiver.flags import Flagged, flagged
from workspace.products.waiver.models import Signature, Signing, Waiver, WaiverVersion
from workspace.products.waiver.shapes import told_span
from workspace.publishing.framing import RefusedWebsite, Snippets, refused_lately, snippets
from workspace.publishing.rows import Addresses, PublishedRow, addresses_of, one, published_row, shown
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound

FRAME_HEIGHT = 900  # of one that cannot tell its website how high it is: it scrolls
MISSING = "There is no such waiver or signature: svc_waivers_list and svc_waiver_search show yours"


class WaiverRow(PublishedRow):
    """`public_url` is the signing link."""

    title: str
    accepting: bool
    signed_count: int
    version: int
    required_version: int


class ClauseRow(TypedDict):
    key: str
    title: str
    text: str
    initials: bool
    required: bool


class QuestionRow(TypedDict):
    key: str
    label: str
    type: str
    required: bool
    help: str
    options: list[str]
    flag: bool | list[str]


class VersionRow(TypedDict):
    number: int
    hash: str
    material: bool
    made_at: str
    signed: int


class WaiverWhole(WaiverRow, Addresses, Snippets):
    """`script` and `iframe` are HTML for the websites among `hosts`; `refused` are those that tried in the last 30 days
    and may not."""

    text: str
    clauses: list[ClauseRow]
    questions: list[QuestionRow]
    valid_for: dict[str, Any]
    counts: str
    age_of_majority: int
    minors: str
    guardian_participates: str
    max_minors: int
    signature: str
    email_required: bool
    phone_required: bool
    marketing_opt_in: str
    language: str
    remind: bool
    kiosk: dict[str, Any]
    redirect_url: str
    webhook_url: str
    hosts: list[str]
    refused: list[RefusedWebsite]
    archived: bool
    versions: list[VersionRow]


class SignatureRow(TypedDict):
    """`valid` and, where it is not, why: voided, expired, outdated or of_age. `flagged`: answers of which the owner
    wants to be told."""

    id: str
    waiver_id: str
    signing_id: str
    signer: str
    participant: str
    relationship: str
    signed_at: str
    valid: bool
    reason: str
    expires_at: str | None
    version: int
    flagged: list[Flagged]


def waivers_of(account: Account) -> QuerySet[Waiver]:
    return shown(account.waivers.filter(archived_at=None)).select_related("account")


def waiver_of(account: Account, id: str) -> Waiver:
    """Archived ones too. Raises NotFound."""
    return one(shown(account.waivers.all()).select_related("account"), id, MISSING)


def held(account: Account, id: str) -> Waiver:
    """One to write to, held until the write is over. Raises NotFound."""
    Waiver.hold_many([waiver_of(account, id)])
    return waiver_of(account, id)


def signatures_of(account: Account) -> QuerySet[Signature]:
    return account.signatures.select_related("waiver", "signing")


def signature_of(account: Account, id: str) -> Signature:
    """Of a signature's id. Raises NotFound."""
    return one(signatures_of(account).select_related("account"), id, MISSING)


def waiver_row(waiver: Waiver) -> WaiverRow:
    return {
        **published_row(waiver),
        "title": waiver.title,
        "accepting": waiver.accepting,
        "signed_count": waiver.signed_count,
        "version": waiver.version,
        "required_version": waiver.required_version,
    }


def whole(waiver: Waiver) -> WaiverWhole:
    return {
        **waiver_row(waiver),
        **addresses_of(waiver),
        **snippets(waiver, waiver.title, FRAME_HEIGHT),
        "text": waiver.text,
        "clauses": [_clause(clause) for clause in waiver.clauses],
        "questions": [_question(question) for question in waiver.questions],
        "valid_for": waiver.valid_for,
        "counts": told_span(waiver.valid_for),
        "age_of_majority": waiver.age_of_majority,
        "minors": waiver.minors,
        "guardian_participates": waiver.guardian_participates,
        "max_minors": waiver.max_minors,
        "signature": waiver.signature,
        "email_required": waiver.email_required,
        "phone_required": waiver.phone_required,
        "marketing_opt_in": waiver.marketing_opt_in,
        "language": waiver.language,
        "remind": waiver.remind,
        "kiosk": waiver.kiosk,
        "redirect_url": waiver.redirect_url,
        "webhook_url": webhooks.url_of(waiver.account, waiver.pk),
        "hosts": waiver.hosts,
        "refused": refused_lately(waiver),
        "archived": waiver.archived_at is not None,
        "versions": versions_of(waiver),
    }


def _clause(one: dict[str, Any]) -> ClauseRow:
    return {
        "key": one["key"],
        "title": one["title"],
        "text": one["text"],
        "initials": one["initials"],
        "required": one["required"],
    }


def _question(one: dict[str, Any]) -> QuestionRow:
    return {
        "key": one["key"],
        "label": one["label"],
        "type": one["type"],
        "required": one["required"],
        "help": one["help"],
        "options": one["options"],
        "flag": one.get("flag", False),
    }


def versions_of(waiver: Waiver) -> list[VersionRow]:
    """Newest first, with how many people each covers."""
    from django.db.models import Count

    counts = dict(waiver.signatures.order_by().values_list("version").annotate(Count("pk")))
    return [
        {
            "number": version.number,
            "hash": version.hash,
            "material": version.material,
            "made_at": clock.iso(version.made_at) or "",
            "signed": counts.get(version.number, 0),
        }
        for version in waiver.versions.order_by("-number")
    ]


def version_of(waiver: Waiver, number: int) -> WaiverVersion:
    """Raises NotFound."""
    found = waiver.versions.filter(number=number).first()
    if found is None:
        raise NotFound(f"This waiver has no version {number}: its versions stand in svc_waiver_get")
    return found


def signature_row(one: Signature) -> SignatureRow:
    why = one.reason(one.waiver.required_version)
    return {
        "id": one.pk,
        "waiver_id": one.waiver_id,
        "signing_id": one.signing_id,
        "signer": one.signing.name,
        "participant": one.name,
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
    """`holds`: whether its record stands in the chain as it was written."""

    waiver: str
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


def signature_whole(one: Signature) -> SignatureWhole:
    from workspace.records import checking

    signing: Signing = one.signing
    siblings = signing.signatures.exclude(pk=one.pk).select_related("waiver", "signing").order_by("id")
    return {
        **signature_row(one),
        "waiver": one.waiver.title,
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
        "holds": not checking.verify_one(one.account, signing.record),
        "pdf_sha256": signing.pdf_sha256,
        "visits": [{"at": clock.iso(visit.at) or "", "was": visit.checked} for visit in one.visits.all()[:50]],
        "others": [signature_row(sibling) for sibling in siblings],
    }


def rows_of(account: Account, ids: Sequence[str]) -> list[WaiverRow]:
    """Waivers by their ids, in whatever order."""
    return wholes_of(waivers_of(account).filter(pk__in=ids))


def wholes_of(waivers: Iterable[Waiver]) -> list[WaiverRow]:
    return [waiver_row(one) for one in waivers]
