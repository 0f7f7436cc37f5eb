"""The PDF of a certificate: rendered in a subprocess, signed, stored with its hash, recorded and emailed.

A job does this in chunks after the certificates are saved.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from workspace.accounts.models import Account, Upload
from workspace.audit_trail.writer import record_event
from workspace.brand.fonts import SYSTEM
from workspace.brand.models import LOGO_WIDTH, Brand
from workspace.delivery.jobs import Item
from workspace.documents.pdf_signature import sign_document
from workspace.documents.typesetter import DocumentSheet, typeset_documents
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError, ToolError
from workspace.products.certs import messages
from workspace.products.certs.domain import print_data
from workspace.products.certs.domain.badges import credential
from workspace.products.certs.domain.badges.issuers import SigningIdentity, get_or_create_issuer, get_signing_identity
from workspace.products.certs.domain.print_data import CertificateDesign, CertificateTexts, Signer
from workspace.products.certs.models import SIGNATURE_FIELDS, Certificate, State, Template
from workspace.products.certs.rules.date_format import format_long_date
from workspace.products.certs.rules.layout_elements import mirror_elements
from workspace.publishing.file_verification import BadgeCheck, SignedDocument
from workspace.publishing.language import DEFAULT_LANGUAGE, match_supported, text_direction
from workspace.qr_symbols.print_sheets import PrintLogo
from workspace.storage.files import store
from workspace.storage.files.image_limits import WIDTHS

FILE_KEY_PREFIX = "certpdf"
CHUNK_SIZE = 25
MAX_UNBROKEN_DAY_LENGTH = 24  # characters
_SIGNATURE_WIDTH = min(width for width in WIDTHS if width >= LOGO_WIDTH)
IMAGE_FIELDS = ("logo", "background_image", *SIGNATURE_FIELDS)


def certificate_language(language: str) -> translation.override:
    """Use the certificate's language for the built-in wording, if that language is supported."""
    return translation.override(match_supported(language) or DEFAULT_LANGUAGE)


def build_design(template: Template, language: str) -> CertificateDesign:
    brand = Brand.for_account(template.account)
    fonts = template.fonts or (brand.fonts if brand.fonts != SYSTEM else "")
    images = [_image_svg(getattr(template, name)) for name in SIGNATURE_FIELDS]
    with certificate_language(language):
        check = gettext("Verify at %(address)s") % {"address": f"{settings.BASE_URL.partition('://')[2]}/v"}
    return CertificateDesign(
        title=template.title,
        organization=template.organization,
        intro=template.intro,
        body=template.body,
        description=template.description,
        signers=[
            Signer(signer["name"], signer.get("role", ""), image)
            for signer, image in zip(template.signers, images, strict=False)
        ],
        design=template.design,
        paper=template.paper,
        landscape=template.landscape,
        colors=template.colors or brand.colors or [brand.style.color],
        fonts=fonts,
        seal=template.seal,
        logo=_image_svg(template.logo or brand.logo),
        background=_image_svg(template.background_image, 1536),
        elements=_position_elements(template, language),
        check=check,
    )


def _position_elements(template: Template, language: str) -> Sequence[dict[str, Any]]:
    """Return the elements, mirrored if the certificate's writing direction differs from the template's."""
    is_turned = text_direction(language or DEFAULT_LANGUAGE) != text_direction(template.language or DEFAULT_LANGUAGE)
    return mirror_elements(template.elements) if is_turned else template.elements


def _image_svg(upload: Upload | None, width: int = _SIGNATURE_WIDTH) -> str:
    if upload is None:
        return ""
    at = max(value for value in WIDTHS if value <= width)
    return PrintLogo(upload.content_at(at), upload.media_type, upload.width, upload.height).svg


def build_texts(certificate: Certificate, template: Template) -> CertificateTexts:
    language = certificate.language or DEFAULT_LANGUAGE
    day = format_long_date(certificate.day, language) if certificate.day else certificate.date
    with certificate_language(language):
        facts = [
            (gettext("Date"), day if "{date}" not in template.body + template.intro else ""),
            (template.hours_label or gettext("Hours"), certificate.hours if "{hours}" not in template.body else ""),
            (template.custom_label, certificate.custom if "{custom}" not in template.body + template.intro else ""),
            (
                gettext("Valid until"),
                format_long_date(certificate.expires_on, language) if certificate.expires_on else "",
            ),
        ]
    stored = (
        day.replace(" ", "\u00a0") if len(day) <= MAX_UNBROKEN_DAY_LENGTH else day
    )  # non-breaking, so that a date is not split over two lines
    values = {"course": certificate.course, "date": stored, "hours": certificate.hours, "custom": certificate.custom}
    pairs = [(label, value) for label, value in facts if value]
    return CertificateTexts(certificate.name, certificate.verify_url, certificate.formatted_code, values, pairs)


def build_certificate_print_data(
    certificate: Certificate, design: CertificateDesign, template: Template
) -> DocumentSheet:
    title = f"{template.title}: {certificate.name}"
    return DocumentSheet(
        print_data.build_print_data(design, build_texts(certificate, template)),
        title=title,
        language=certificate.language or DEFAULT_LANGUAGE,
    )


def prepare_pdfs(account: Account, items: Sequence[Item]) -> list[Any]:
    """Render and sign PDFs, outside any transaction. For a PDF that cannot be rendered, return the exception."""
    rows = Certificate.objects.filter(account=account).select_related(
        "account", *(f"template__{name}" for name in IMAGE_FIELDS)
    )
    result = rows.in_bulk([item.body["id"] for item in items])
    looks: dict[tuple[str, str], CertificateDesign] = {}
    requested: list[tuple[Certificate, DocumentSheet] | Exception] = []
    for item in items:
        certificate = result.get(item.body["id"])
        if certificate is None or certificate.template is None:
            requested.append(OperationNotAllowedError(messages.TEMPLATE_WAS_DELETED))
            continue
        certificate.template.account = account
        key = (certificate.template.pk, certificate.language)
        if key not in looks:
            looks[key] = build_design(certificate.template, certificate.language)
        requested.append((certificate, build_certificate_print_data(certificate, looks[key], certificate.template)))
    by = get_signing_identity(get_or_create_issuer(account))
    contents = _render_all([item if isinstance(item, Exception) else item[1] for item in requested])
    return [
        content if isinstance(content, Exception) or isinstance(item, Exception) else _sign_pdf(item[0], content, by)
        for item, content in zip(requested, contents, strict=True)
    ]


def _render_all(requested: Sequence[DocumentSheet | Exception]) -> list[bytes | Exception]:
    """Render all PDFs at once. If that fails, render each one separately."""
    sheets = [item for item in requested if isinstance(item, DocumentSheet)]
    try:
        made: list[bytes | Exception] = [*typeset_documents(print_data.LAYOUT_PATH, sheets)] if sheets else []
    except OperationNotAllowedError:
        made = [_render_one(sheet) for sheet in sheets]
    rest = iter(made)
    return [next(rest) if isinstance(item, DocumentSheet) else item for item in requested]


def _render_one(document_sheet: DocumentSheet) -> bytes | Exception:
    try:
        return typeset_documents(print_data.LAYOUT_PATH, [document_sheet])[0]
    except ToolError as refusal:
        return refusal


def _sign_pdf(certificate: Certificate, pdf: bytes, identity: SigningIdentity) -> dict[str, Any]:
    assert certificate.template is not None
    signed_pdf = sign_document(pdf)
    key, badge = f"{FILE_KEY_PREFIX}_{secrets.token_hex(16)}", f"{credential.FILE_KEY_PREFIX}_{secrets.token_hex(16)}"
    store.put(key, signed_pdf.content)
    store.put(badge, credential.sign_badge(certificate, certificate.template, identity))
    return {"key": key, "sha256": signed_pdf.sha256, "content": signed_pdf.content, "badge": badge}


def finish_certificate(account: Account, item: Item) -> dict[str, str] | None:
    """Store the PDF, record it and email it, in the transaction of the job's item.

    If the certificate already has a PDF, change nothing.
    """
    from workspace.products.certs.domain import emails, expiry_notices

    rows = Certificate.objects.select_related("account", "template").filter(account=account, sealed_at=None)
    certificate = rows.select_for_update(of=("self",)).filter(pk=item.body["id"]).first()
    if certificate is None:
        return None
    certificate.account = account
    certificate.pdf_key, certificate.pdf_sha256, certificate.pdf_size = (
        item.ready["key"],
        item.ready["sha256"],
        len(item.ready["content"]),
    )
    certificate.badge_key, certificate.sealed_at = item.ready["badge"], clock.now()
    values = {
        "name": certificate.name,
        "email": certificate.email,
        "course": certificate.course,
        "date": certificate.date,
        "hours": certificate.hours,
    }
    data = {
        "certificate": certificate.pk,
        "code": certificate.formatted_code,
        "title": certificate.title,
        "sha256": certificate.pdf_sha256,
    }
    certificate.record = record_event(
        account,
        "certs.issued",
        item_id=certificate.pk,
        data=data,
        people={"recipient": {**values, "custom": certificate.custom}},
    )
    if certificate.is_emailed and certificate.email:
        replaces = Certificate.objects.filter(replaced_by=certificate).exists()
        certificate.email_delivery_id = emails.email_certificate(
            certificate, item.ready["content"], replaces=replaces
        ).pk
        expiry_notices.schedule_notice(certificate)
    certificate.save(
        update_fields=["pdf_key", "pdf_sha256", "pdf_size", "badge_key", "sealed_at", "record", "email_delivery_id"]
    )
    return {"id": certificate.pk}


def undo_issuing(account: Account, results: Sequence[Any]) -> None:
    """Do nothing. If issuance is undone, the certificates themselves are deleted or revoked."""


def load_signed_pdf(certificate: Certificate) -> bytes:
    """Return the stored PDF. Raise FileNotFoundError if it does not exist yet or was erased."""
    if not certificate.pdf_key:
        raise FileNotFoundError(certificate.pk)
    return store.get(certificate.pdf_key)


def find_by_hash(sha256: str) -> SignedDocument | None:
    return _find_signed_document(pdf_sha256=sha256)


def find_by_record(id: str) -> SignedDocument | None:
    return _find_signed_document(record=id)


def find_by_badge(badge: dict[str, Any]) -> BadgeCheck | None:
    """Check a badge that claims to be from this instance. Return None if it belongs to no certificate."""
    code = credential.certificate_code(badge)
    certificate = Certificate.objects.select_related("account").filter(code=code).first() if code else None
    return (
        BadgeCheck(_describe_signed_file(certificate, sha256=""), credential.describe_problem(certificate, badge))
        if certificate is not None
        else None
    )


def _find_signed_document(**which: str) -> SignedDocument | None:
    certificate = Certificate.objects.select_related("account").exclude(pdf_sha256="").filter(**which).first()
    return _describe_signed_file(certificate, sha256=certificate.pdf_sha256) if certificate is not None else None


def _describe_signed_file(certificate: Certificate, *, sha256: str) -> SignedDocument:
    state = {
        State.VALID: gettext("Valid"),
        State.REVOKED: gettext("Revoked on"),
        State.EXPIRED: gettext("Expired on"),
        State.REPLACED: gettext("Replaced on"),
    }[certificate.state]
    what = f"{certificate.title}: {certificate.name} ({certificate.formatted_code})"
    return SignedDocument(
        what,
        certificate.account.name,
        certificate.sealed_at,
        sha256,
        state=state,
        is_valid=certificate.state is State.VALID,
        url=f"/v/{certificate.formatted_code}",
    )
