"""Signing as one operation: signatures, their record in the audit trail, the signed PDF, and the webhook.

Callers (the guest page, the kiosk) first parse the form with `signing_input.parse_post`.

    with guest_transaction(address.publication_id):
        sign_waiver(waiver, post, SigningContext(ip=…, language=…))

A plan's limit never rejects a guest at check-in. The owner is notified instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.audit_trail.canonical_json import hash_text as hashed
from workspace.audit_trail.writer import PendingRecord, append_record, prepare_record
from workspace.brand.models import Brand
from workspace.delivery import outbox, webhooks
from workspace.delivery.webhooks import Event
from workspace.documents import glyph_coverage
from workspace.lib import clock, name_key
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.text import search_key
from workspace.products.waiver import messages
from workspace.products.waiver.domain import daily_digest, invitations, renewals
from workspace.products.waiver.domain.pdf import DELIVERY_KIND
from workspace.products.waiver.models import KIND, NameWord, Signature, Signing, Waiver, WaiverVersion
from workspace.products.waiver.rules import person_query
from workspace.products.waiver.rules.signing_input import Participant, SigningPost, SigningTerms, parse_post
from workspace.products.waiver.rules.validity import compute_expiry, compute_majority
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.compiled_write import update_by_key

CONSENT_VERSION = "2027-01"
CONSENT = _(
    "I have read and understood this waiver, and I agree to it. I agree to sign it electronically. My typed or drawn "
    "name is my signature. If I have named minors, I also sign for them and have the authority to do so."
)
SIGNED_EVENT = Event("waiver.signed", "Waivers signed", "Someone signed a waiver", product=KIND)
VOIDED_EVENT = Event("waiver.voided", "Waivers voided", "A signature of a waiver was voided", product=KIND)


@dataclass(frozen=True, slots=True)
class SigningContext:
    """The known circumstances of a signing.

    `seconds` is the time spent on the page. `kiosk` means that it was signed on the owner's tablet.
    """

    ip: str = ""
    user_agent: str = ""
    language: str = ""
    time_zone: str = ""
    seconds: int = 0
    kiosk: bool = False
    consent: str = ""  # the text of the consent


def load_terms(waiver: Waiver) -> SigningTerms:
    return waiver.build_terms(Brand.for_account(waiver.account).country)


def parse_submission(waiver: Waiver, value: Any) -> SigningPost:
    """Parse a submission for the current version of the waiver. Raise InvalidInputError with all errors."""
    post = parse_post(value, load_terms(waiver), clock.today(waiver.account.time_zone))
    check_printable_names(post)
    return post


def check_printable_names(post: SigningPost) -> None:
    """Check that the signed PDF can display the names. Raise InvalidInputError if a character has no glyph."""
    names = [("signer.name", post.name), ("signature.text", post.typed)]
    others = [participant for participant in post.participants if not participant.is_signer]
    names += [(f"participants.{n}.name", participant.name) for n, participant in enumerate(others)]
    results = [(path, glyph_coverage.find_unprintable(name)) for path, name in names]
    if wrong := [
        Issue(path, messages.UNPRINTABLE_NAME(letters=" ".join(missing[:5]))) for path, missing in results if missing
    ]:
        raise InvalidInputError(wrong)


@dataclass(frozen=True, slots=True)
class NewSigning:
    """A signing before it is stored, with its signatures and its record of evidence."""

    waiver: Waiver
    signing: Signing
    signatures: Sequence[Signature]
    words: Sequence[NameWord]
    record: PendingRecord


def sign_waiver(waiver: Waiver, post: SigningPost, session: SigningContext) -> Signing:
    """Store a signing within the guest's transaction. See `save_signing`."""
    return save_signing(prepare_signing(waiver, post, session))


def prepare_signing(waiver: Waiver, post: SigningPost, session: SigningContext) -> NewSigning:
    """Build a signing and its record before the transaction.

    Raise GuestActionDeclinedError if the version that the signer read no longer exists.
    """
    version = _current_versions.fetch(waiver)
    if not version or version[0][0] != waiver.version:
        raise GuestActionDeclinedError(messages.TEXT_CHANGED, status=409)
    [(_, version_hash)] = version
    account = waiver.account
    signing = Signing(
        account=account,
        waiver=waiver,
        version=waiver.version,
        token=post.token,
        name=post.name,
        email=post.email,
        phone=post.phone,
        birth_date=post.birth_date,
        answers=dict(post.answers),
        initials=dict(post.initials),
        signature_kind=post.kind,
        typed_name=post.typed,
        strokes=list(post.strokes),
        consent=session.consent or gettext(CONSENT),
        marketing=post.marketing and bool(waiver.marketing_opt_in),
        language=session.language,
        time_zone=account.time_zone,
        signed_at=clock.now(),
    )
    signatures = [_build_signature(signing, waiver, participant, post) for participant in post.participants]
    words = [word for signature in signatures for word in NameWord.build_words(signature, post.name)]
    record = _prepare_record(signing, signatures, version_hash, post, session)
    signing.record = record.id
    return NewSigning(waiver, signing, signatures, words, record)


def save_signing(new: NewSigning) -> Signing:
    """Store a signing within the guest's transaction. A repeated submission has no effect.

    Raise GuestActionDeclinedError if the waiver no longer accepts signatures or its text has changed.
    """
    waiver, signing, account = new.waiver, new.signing, new.waiver.account
    Waiver.lock_many([waiver])  # the second of two simultaneous clicks finds the signing of the first
    if earlier := _signings_of_token.fetch(waiver, signing.token):
        return earlier[0]
    _count_signatures(waiver, len(new.signatures))
    create_rows([signing])
    create_rows(new.signatures)
    create_rows(new.words)
    append_record(new.record)
    outbox.put(DELIVERY_KIND, {"signing": signing.pk}, account=account, dedupe=f"waiver-seal:{signing.pk}")
    webhooks.emit_event(account, SIGNED_EVENT.name, webhook_payload(signing, new.signatures), item_id=waiver.pk)
    invitations.mark_signed(signing)
    daily_digest.schedule_digest(signing)
    renewals.update_after_signing(signing, new.signatures)
    return signing


def _count_signatures(waiver: Waiver, count: int) -> None:
    """Count new signatures of a locked waiver.

    The current version must be the one that was read: of a simultaneous edit and signing, the first one wins.
    """
    rows = _waivers_by_id.fetch(waiver)
    if not rows or not rows[0].accepting or rows[0].archived_at:
        raise GuestActionDeclinedError(messages.NOT_OPEN, status=409)
    [found] = rows
    if found.version != waiver.version:
        raise GuestActionDeclinedError(messages.TEXT_CHANGED, status=409)
    update_by_key(Waiver, [waiver.pk], signed_count=found.signed_count + count)


@compile_once
def _waivers_by_id(waiver: Waiver) -> QuerySet[Waiver]:
    return Waiver.objects.filter(pk=waiver.pk)


@compile_once
def _current_versions(waiver: Waiver) -> QuerySet[WaiverVersion, tuple[int, str]]:
    """Return the number and the hash of the waiver's current version."""
    current = WaiverVersion.objects.filter(waiver=waiver, number=F("waiver__version"))
    return current.order_by().values_list("number", "hash")


@compile_once
def _signings_of_token(waiver: Waiver, token: str) -> QuerySet[Signing]:
    return Signing.objects.filter(waiver=waiver, token=token).order_by()


def _build_signature(signing: Signing, waiver: Waiver, participant: Participant, post: SigningPost) -> Signature:
    zone = waiver.account.zone
    by_guardian = participant.is_minor and not participant.is_signer and participant.birth_date is not None
    whole = next((number for number in post.numbers if number.startswith("+")), "")
    at_home = sorted((number for number in post.numbers if not number.startswith("+")), key=len)
    return Signature(
        account_id=signing.account_id,
        waiver=waiver,
        signing=signing,
        version=signing.version,
        name=participant.name,
        person=name_key.build_key(participant.name)[:160],
        birth_date=participant.birth_date,
        relationship=participant.relationship,
        is_signer=participant.is_signer,
        email=person_query.normalize_email(post.email),
        phone=whole or (at_home[0] if at_home else ""),
        phone_national=at_home[0] if at_home else "",
        created_at=signing.signed_at,
        expires_at=compute_expiry(waiver.valid_for, signing.signed_at, zone),
        of_age_at=compute_majority(participant.birth_date, waiver.age_of_majority, zone)
        if by_guardian and participant.birth_date
        else None,
        search=search_key(" ".join(filter(None, (participant.name, post.name, post.email, post.phone)))),
    )


def _prepare_record(
    signing: Signing,
    signatures: Sequence[Signature],
    version_hash: str,
    post: SigningPost,
    session: SigningContext,
) -> PendingRecord:
    """Record what was signed, permanently. Personal data is recorded as digests that can be erased."""
    data = {
        "waiver": signing.waiver_id,
        "signing": signing.pk,
        "version": signing.version,
        "version_hash": version_hash,
        "signatures": [signature.pk for signature in signatures],
        "initialled": sorted(post.initials),
        "answered": sorted(post.answers),
        "signature": post.kind,
        "consent": hashed(signing.consent),
        "consent_version": CONSENT_VERSION,
        "expires_at": clock.to_iso(signatures[0].expires_at) if signatures else None,
        "time_zone": signing.time_zone,
        "language": session.language,
        "kiosk": session.kiosk,
        "seconds_on_page": min(max(session.seconds, 0), 10**6),
    }
    signer: dict[str, Any] = {
        "name": post.name,
        "email": post.email,
        "phone": post.phone,
        "birth_date": post.birth_date.isoformat() if post.birth_date else "",
        "initials": dict(post.initials),
        "answers": dict(post.answers),
        "typed": post.typed,
        "drawn": list(post.strokes),
        "consent": signing.consent,
        "ip": session.ip,
        "user_agent": session.user_agent[:300],
        "device_zone": session.time_zone[:64],
    }
    others = {
        f"participant.{n}": _person_data(participant)
        for n, participant in enumerate(post.participants)
        if not participant.is_signer
    }
    return prepare_record(
        signing.account, "waiver.signed", item_id=signing.waiver_id, data=data, people={"signer": signer, **others}
    )


def _person_data(participant: Participant) -> Mapping[str, Any]:
    return {
        "name": participant.name,
        "birth_date": participant.birth_date.isoformat() if participant.birth_date else "",
        "relationship": participant.relationship,
    }


def webhook_payload(signing: Signing, signatures: Sequence[Signature]) -> dict[str, Any]:
    """Build the webhook payload of a signing."""
    waiver = signing.waiver
    return {
        "waiver_id": waiver.pk,
        "waiver_title": waiver.title,
        "signing_id": signing.pk,
        "version": signing.version,
        "signed_at": clock.to_iso(signing.signed_at),
        "signer": {
            "name": signing.name,
            "email": signing.email,
            "phone": signing.phone,
            "birth_date": signing.birth_date.isoformat() if signing.birth_date else None,
        },
        "participants": [
            {
                "name": signature.name,
                "birth_date": signature.birth_date.isoformat() if signature.birth_date else None,
                "relationship": signature.relationship,
                "is_signer": signature.is_signer,
            }
            for signature in signatures
        ],
        "signatures": [
            {"id": signature.pk, "name": signature.name, "expires_at": clock.to_iso(signature.expires_at)}
            for signature in signatures
        ],
        "answers": signing.answers,
        "marketing_opt_in": signing.marketing,
    }
