"""The signed PDF: the text of the signed version, clauses with initials, answers, the signature and the evidence.

It contains its record, so that both can be verified without this service. A worker creates it after the signing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from workspace.audit_trail import export
from workspace.audit_trail.writer import record_event
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.documents import document_blocks
from workspace.documents.document_blocks import (
    Block,
    DocumentTable,
    Drawing,
    FactTable,
    Heading,
    HorizontalRule,
    PageBreak,
    Paragraphs,
    RichParagraph,
    TextRun,
)
from workspace.documents.pdf_signature import SignedPdf, sign_document
from workspace.documents.typesetter import Attachment, typeset_document
from workspace.products.waiver.models import Signature, Signing, WaiverVersion
from workspace.products.waiver.rules import drawn_signature
from workspace.publishing import file_verification, signed_copies
from workspace.publishing.file_verification import SignedDocument
from workspace.publishing.language import DEFAULT_LANGUAGE, format_day, format_moment
from workspace.publishing.markdown import parse_blocks
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.svg import render_svg
from workspace.storage.files import store

DELIVERY_KIND = "waiver.seal"  # kind of the delivery in the outbox
FILE_KEY_PREFIX = "waiverpdf"


def file_name(signing: Signing) -> str:
    return f"waiver-{signing.pk[-8:]}.pdf"


def render_pdf(signing: Signing) -> bytes:
    """Render the PDF without its digital signature, in the language of the signing."""
    language = signing.language or DEFAULT_LANGUAGE
    version = WaiverVersion.objects.get(waiver=signing.waiver_id, number=signing.version)
    with translation.override(language):
        data = document_blocks.build_document_data(
            _build_blocks(signing, version, language), footer=f"{signing.account.name} · {version.content['title']}"
        )
        title = f"{version.content['title']}: {signing.name}"
    record = export.export_record(signing.account, signing.record)
    inside = (
        Attachment("record.json", json.dumps(record, ensure_ascii=False), "Signing record"),
        Attachment("version.json", version.body, "Signed text, as hashed"),
    )
    return typeset_document(document_blocks.LAYOUT, data, title=title, language=language, attachments=inside)


def _build_blocks(signing: Signing, version: WaiverVersion, language: str) -> list[Block]:
    data = version.content
    blocks: list[Block] = [Heading(data["title"]), *parse_blocks(data["text"])]
    for clause in data["clauses"]:
        blocks += [Heading(clause["title"], 2)] if clause["title"] else []
        blocks += parse_blocks(clause["text"])
        if initials := signing.initials.get(clause["key"]):
            blocks.append(FactTable([(gettext("Initials"), initials)]))
    if answers := [
        (question["label"], _format_answer(signing.answers[question["key"]]))
        for question in data["questions"]
        if question["key"] in signing.answers
    ]:
        blocks += [Heading(gettext("Answers"), 2), FactTable(answers)]
    signatures = list(signing.signatures.order_by("id"))
    head = [gettext("Participant"), gettext("Date of birth"), gettext("Valid until")]
    rows = [
        [
            _format_participant(signature),
            _format_day(signature.birth_date, language),
            _format_until(signature, signing, language),
        ]
        for signature in signatures
    ]
    blocks += [HorizontalRule(), DocumentTable(head, rows, ["start", "start", "start"], [1, 0, 0])]
    if signing.strokes:
        blocks.append(Drawing(drawn_signature.render_svg(signing.strokes), 60, signing.name))
    elif signing.typed_name:
        blocks.append(RichParagraph([TextRun(signing.typed_name, slanted=True)]))
    at = format_moment(signing.signed_at, signing.account.zone, language)
    blocks += [
        FactTable([(gettext("Signed by"), f"{signing.name}, {at}")]),
        Paragraphs(signing.consent),
        PageBreak(),
        *_evidence_blocks(signing, version, language),
    ]
    return blocks


def _evidence_blocks(signing: Signing, version: WaiverVersion, language: str) -> Sequence[Block]:
    at = format_moment(signing.signed_at, signing.account.zone, language)
    facts = [
        (gettext("Signed by"), signing.name),
        (gettext("Signature"), signing.typed_name or gettext("Drawn")),
        (gettext("Email"), signing.email),
        (gettext("Phone"), signing.phone),
        (gettext("Date of birth"), _format_day(signing.birth_date, language)),
        (gettext("Signed at"), f"{at} ({signing.time_zone})"),
        (gettext("Text version"), str(version.number)),
        (gettext("SHA-256 of the text"), version.hash),
        (gettext("Record ID"), signing.record),
        (gettext("Verify this document at"), file_verification.verify_page_url()),
    ]
    address = file_verification.verify_page_url()
    return [
        Heading(gettext("Audit trail"), 2),
        FactTable([(name, value) for name, value in facts if value]),
        Drawing(render_svg(address, Style(), title=address), 30, address),
    ]


def _format_participant(signature: Signature) -> str:
    return f"{signature.name} ({signature.relationship})" if signature.relationship else signature.name


def _format_day(value: date | None, language: str) -> str:
    return format_day(value, language) if value else ""


def _format_until(signature: Signature, signing: Signing, language: str) -> str:
    last = signature.last_valid_day()
    return format_day(last, language) if last else gettext("No expiry")


def _format_answer(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    return ", ".join(value) if isinstance(value, list) else str(value)


def load_signed_pdf(signing: Signing) -> bytes:
    """Return the stored PDF. Raise FileNotFoundError if it does not exist yet or was erased."""
    if not signing.pdf_key:
        raise FileNotFoundError(signing.pk)
    return store.get(signing.pdf_key)


def find_by_hash(sha256: str) -> SignedDocument | None:
    return _find_signed_document(pdf_sha256=sha256)


def find_by_record(id: str) -> SignedDocument | None:
    return _find_signed_document(record=id)


def _find_signed_document(**which: str) -> SignedDocument | None:
    signing = Signing.objects.select_related("account", "waiver").exclude(pdf_sha256="").filter(**which).first()
    if signing is None:
        return None
    return SignedDocument(signing.waiver.title, signing.account.name, signing.sealed_at, signing.pdf_sha256)


class PdfSigningChannel:
    """The outbox channel that signs PDFs.

    If its process is killed, the next attempt finds the PDF or creates it.
    """

    delays: Sequence[float] = (10.0, 60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        from workspace.products.waiver.domain import emails

        rows = Signing.objects.select_related("account", "waiver__publication")
        signing = rows.filter(pk=(delivery.payload or {}).get("signing")).first()
        if signing is None or signing.pdf_sha256:
            return DeliveryState.SENT

        def then(signed_pdf: SignedPdf) -> None:
            data = {"signing": signing.pk, "record": signing.record, "sha256": signed_pdf.sha256}
            record_event(signing.account, "waiver.sealed", item_id=signing.waiver_id, data=data)
            emails.email_copy(signing, signed_pdf.content, file_name(signing))

        signed_copies.save_copy(signing, sign_document(render_pdf(signing)), FILE_KEY_PREFIX, then)
        return DeliveryState.SENT

    def close(self) -> None:
        pass
