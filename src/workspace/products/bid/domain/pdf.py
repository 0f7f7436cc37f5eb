"""The PDF of a proposal: its current state, and after approval a signed copy that contains the record.

The copy and its record can be verified without this service. Signing is slow, so the worker does it after the approval
is committed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from workspace.accounts.models import Upload
from workspace.audit_trail import export
from workspace.audit_trail.writer import record_event
from workspace.brand.color_contrast import BLACK, mix_colors, readable_color
from workspace.brand.fonts import FONT_PAIRS
from workspace.brand.models import Brand
from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.documents import document_blocks
from workspace.documents.document_blocks import (
    Block,
    DocumentBrand,
    FactTable,
    Heading,
    Paragraphs,
    PriceTable,
    SignatureGrid,
    SignatureSlot,
)
from workspace.documents.pdf_signature import SignedPdf, sign_document
from workspace.documents.typesetter import Attachment, DocumentTooComplexError, typeset_document, typeset_leniently
from workspace.products.bid.domain import offer_text
from workspace.products.bid.models import BidEvent, Decision, EventKind, Proposal
from workspace.products.bid.models.decision import CLIENT_ACTOR
from workspace.products.bid.models.proposal import OFFER_FIELDS
from workspace.products.bid.rules.offer import Offer, Package, Selection, load_offer
from workspace.products.bid.rules.selection import load_selection as read_selection
from workspace.products.bid.rules.totals import compute_totals, default_selection
from workspace.publishing import signed_copies
from workspace.publishing.file_verification import SignedDocument
from workspace.publishing.language import format_day, format_moment
from workspace.qr_symbols.print_sheets import PrintLogo
from workspace.storage.files import store

DELIVERY_KIND = "bid.seal"  # the kind of the outbox's deliveries
FILE_KEY_PREFIX = "bidpdf"
_LOGO_WIDTH, _PICTURE_WIDTH = 384, 1536  # pixels


def file_name(proposal: Proposal) -> str:
    return f"proposal-{proposal.number}.pdf"


def render_pdf(proposal: Proposal, decision: Decision | None = None, language: str = "") -> bytes:
    """Render the PDF, unsigned.

    With a decision, render the agreed offer and attach the record. This must succeed for any content, even if the
    descriptions of lines have to be left out. Raise the same errors as `typeset_document`.
    """
    language = language or (decision.language if decision else "") or proposal.language
    with translation.override(language):
        if decision is None:
            return typeset_document(document_blocks.LAYOUT, **_document_arguments(proposal, None, language))
        inside = _build_attachments(proposal, decision)
        try:
            return typeset_leniently(
                document_blocks.LAYOUT, **_document_arguments(proposal, decision, language), attachments=inside
            )
        except DocumentTooComplexError:
            brief = _document_arguments(proposal, decision, language, is_brief=True)
            return typeset_leniently(document_blocks.LAYOUT, **brief, attachments=inside)


def _document_arguments(
    proposal: Proposal, decision: Decision | None, language: str, *, is_brief: bool = False
) -> dict[str, Any]:
    values = decision.revision.content if decision else _current_content(proposal)
    if is_brief:
        values = {**values, "line_items": [{**line, "description": ""} for line in values["line_items"]]}
    blocks = _build_blocks(proposal, values, decision, language)
    if is_brief:
        words = gettext("The line descriptions are in the file revision.json, which is attached to this PDF.")
        blocks.insert(2, Paragraphs(words, small=True))
    data = document_blocks.build_document_data(
        blocks,
        paper="us-letter" if values["currency"] == "USD" else "a4",
        footer=f"{proposal.account.name} · {gettext('Proposal')} {proposal.name} · {proposal.public_url}",
        brand=_document_brand(proposal, values.get("image_id") or ""),
        label=f"{gettext('Proposal')} {proposal.name}",
    )
    title = f"{gettext('Proposal')} {proposal.name}: {values['title']}"
    return {"data": data, "title": title, "language": language}


def _current_content(proposal: Proposal) -> dict[str, Any]:
    return {
        **{name: getattr(proposal, name) for name in OFFER_FIELDS},
        "valid_until": proposal.valid_until.isoformat(),
        "image_id": proposal.image_id,
    }


def _document_brand(proposal: Proposal, image_id: str) -> DocumentBrand:
    """Return how the PDF shows the brand, with the picture of the proposal."""
    brand = Brand.for_account(proposal.account)
    color = readable_color(brand.style.color, ("#ffffff",), BLACK)
    return DocumentBrand(
        name=proposal.account.name,
        color=color,
        tint=mix_colors("#ffffff", color, 0.08),
        typeface=FONT_PAIRS[brand.fonts].heading_typeface,
        logo=_image_svg(brand.logo, _LOGO_WIDTH),
        picture=_image_svg(Upload.objects.filter(pk=image_id).first() if image_id else None, _PICTURE_WIDTH),
    )


def _image_svg(upload: Upload | None, width: int) -> str:
    """Return an SVG that contains the image, or "" if there is none. A missing file must not prevent the PDF."""
    if upload is None:
        return ""
    try:
        return PrintLogo(upload.content_at(width), upload.media_type, upload.width, upload.height).svg
    except FileNotFoundError:
        return ""


def _build_attachments(proposal: Proposal, decision: Decision) -> Sequence[Attachment]:
    record = export.export_record(proposal.account, decision.record)
    return (
        Attachment("record.json", json.dumps(record, ensure_ascii=False), "The record of the approval"),
        Attachment("revision.json", decision.revision.body, "The approved content that its hash is computed from"),
    )


def _build_blocks(proposal: Proposal, data: dict[str, Any], decision: Decision | None, language: str) -> list[Block]:
    offer = load_offer(data)
    selection = read_selection(decision.selection, offer) if decision else default_selection(offer)
    blocks: list[Block] = [Heading(data["title"]), FactTable(_header_facts(proposal, data, language))]
    if data["intro"]:
        blocks.append(Paragraphs(data["intro"]))
    blocks += _price_blocks(offer, selection, language, data["tax_label"], is_agreed=decision is not None)
    if data["notes"]:
        blocks += [Heading(gettext("Terms"), 2), Paragraphs(data["notes"])]
    if data["numbers"]:
        blocks.append(FactTable([(number["label"], number["value"]) for number in data["numbers"]]))
    blocks += _signature_blocks(proposal, decision, language)
    return blocks


def _header_facts(proposal: Proposal, data: dict[str, Any], language: str) -> list[tuple[str, str]]:
    client = [proposal.client_name, proposal.client_company, proposal.client_email]
    facts = [
        (gettext("From"), proposal.account.name),
        (gettext("For"), ", ".join(filter(None, client))),
        (gettext("Valid until"), format_day(date.fromisoformat(data["valid_until"]), language)),
    ]
    return [(name, value) for name, value in facts if value]


def _price_blocks(offer: Offer, selection: Selection, language: str, tax_label: str, *, is_agreed: bool) -> list[Block]:
    """Build the table of what counts, with the chosen package first, and of what else can be chosen."""
    rows = offer_text.build_line_rows(offer, selection, language)
    head = [gettext("Item"), gettext("Quantity"), gettext("Price"), gettext("Amount")]
    package = offer.find_package(selection.package)
    counted = [_package_row(package, offer, language)] if package is not None else []
    counted += [_line_row(row) for row in rows if row.is_counted]
    totals = offer_text.build_total_rows(offer, compute_totals(offer, selection), language, tax_label)
    results: list[Block] = [
        PriceTable(head, counted, [(row.full_label, row.value, row.kind == "total") for row in totals])
    ]
    if is_agreed:
        return results
    if package is not None:
        note = gettext("Totals include the package “%(name)s”.") % {"name": package.name}
        results.append(Paragraphs(note, small=True))
    if others := [_package_row(other, offer, language) for other in offer.packages if other is not package]:
        results += [Heading(gettext("Other packages"), 3), PriceTable(head, others)]
    if more := [_line_row(row) for row in rows if not row.is_counted]:
        results += [Heading(gettext("Options"), 3), PriceTable(head, more)]
    return results


def _line_row(row: offer_text.OfferRow) -> tuple[list[str], str, bool]:
    name = f"{row.name}\n{row.description}" if row.description else row.name
    return [name, row.quantity, row.price, row.total], row.section, False


def _package_row(package: Package, offer: Offer, language: str) -> tuple[list[str], str, bool]:
    lines = [offer_text.build_line_row(line, offer, language) for line in package.lines]
    inside = [f"{line.name}{f', {line.quantity}' if line.quantity else ''}" for line in lines]
    about = [part for part in (package.description, *(f"· {text}" for text in (*package.features, *inside))) if part]
    name = f"{gettext('Package')}: {package.name}"
    return ["\n".join([name, *about]), "", "", offer_text.format_package_price(package, offer, language)], "", True


def _signature_blocks(proposal: Proposal, decision: Decision | None, language: str) -> list[Block]:
    """Build the signatures of both parties, or the lines to sign on, and the proof of an approval."""
    heading, business = Heading(gettext("Approval"), 2), proposal.account.name
    if decision is None:
        empty = [(gettext("Name"), ""), (gettext("Date"), "")]
        slots = [SignatureSlot(label, facts=empty) for label in (proposal.client or gettext("Client"), business)]
        return [heading, SignatureGrid(slots)]
    zone = proposal.account.time_zone
    at = f"{format_moment(decision.created_at, proposal.account.zone, language)} ({zone})"
    if decision.decided_by != CLIENT_ACTOR:
        facts = [(gettext("Approved"), at), (gettext("Recorded by"), business)]
        return [heading, FactTable(facts)]
    verified = gettext("verified with a code") if decision.verified else gettext("not verified")
    signed = SignatureSlot(
        gettext("Signed by"),
        typed=decision.name,
        svg=signature_svg(decision.signature_strokes) if decision.signature_strokes else "",
        facts=[
            (gettext("Name"), decision.name),
            (gettext("Email"), f"{decision.email} ({verified})"),
            (gettext("Date and time"), at),
        ],
    )
    sent = proposal.sent_at or decision.revision.created_at
    issued = SignatureSlot(
        gettext("Issued by"),
        typed=business,
        facts=[(gettext("Date and time"), f"{format_moment(sent, proposal.account.zone, language)} ({zone})")],
    )
    return [
        heading,
        SignatureGrid([signed, issued], decision.consent),
        FactTable([(gettext("Fingerprint of the approved version"), decision.revision.hash)]),
    ]


def signature_svg(strokes: Sequence[Sequence[Sequence[int]]]) -> str:
    """Return a drawn signature as SVG. The coordinates are integers that were checked when they were submitted."""
    xs = [x for stroke in strokes for x, _ in stroke]
    ys = [y for stroke in strokes for _, y in stroke]
    left, top = min(xs) - 4, min(ys) - 4
    size = f"{left} {top} {max(xs) - left + 4} {max(ys) - top + 4}"
    paths = "".join(
        f'<path d="M{" L".join(f"{x} {y}" for x, y in (stroke if len(stroke) > 1 else [*stroke, *stroke]))}"/>'
        for stroke in strokes
    )
    pen = 'fill="none" stroke="#111" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}"><g {pen}>{paths}</g></svg>'


def enqueue_sealing(decision: Decision) -> None:
    """Enqueue the signing. Call it in the transaction of the decision."""
    outbox.put(
        DELIVERY_KIND, {"decision": decision.pk}, account=decision.proposal.account, dedupe=f"bid-seal:{decision.pk}"
    )


def load_signed_pdf(decision: Decision) -> bytes:
    """Return the stored copy. Raise FileNotFoundError if it does not exist yet or was erased."""
    if not decision.pdf_key:
        raise FileNotFoundError(decision.pk)
    return store.get(decision.pdf_key)


def find_by_hash(sha256: str) -> SignedDocument | None:
    return _find_signed_document(pdf_sha256=sha256)


def find_by_record(id: str) -> SignedDocument | None:
    return _find_signed_document(record=id)


def _find_signed_document(**which: str) -> SignedDocument | None:
    rows = Decision.objects.select_related("proposal__account").exclude(pdf_sha256="")
    decision = rows.filter(**which).first()
    if decision is None:
        return None
    what = f"{gettext('Proposal')} {decision.proposal.name}"
    return SignedDocument(what, decision.proposal.account.name, decision.sealed_at, decision.pdf_sha256)


class PdfSigningChannel:
    """The outbox channel that signs PDFs. After a crash, a retry finds the stored copy or creates it."""

    delays: Sequence[float] = (10.0, 60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        from workspace.products.bid.domain import emails

        rows = Decision.objects.select_related("proposal__account", "proposal__publication", "revision")
        decision = rows.filter(pk=(delivery.payload or {}).get("decision")).first()
        if decision is None or decision.pdf_sha256:
            return DeliveryState.SENT
        proposal = decision.proposal

        def then(signed_pdf: SignedPdf) -> None:
            data = {"proposal": proposal.number, "decision": decision.record, "sha256": signed_pdf.sha256}
            id = record_event(proposal.account, "bid.sealed", item_id=proposal.pk, data=data)
            BidEvent.record_event(proposal, EventKind.SEALED, "service", record=id)
            if decision.decided_by == CLIENT_ACTOR:
                emails.email_signed_copy(proposal, decision, signed_pdf.content, file_name(proposal))

        signed_copies.save_copy(decision, sign_document(render_pdf(proposal, decision)), FILE_KEY_PREFIX, then)
        return DeliveryState.SENT

    def close(self) -> None:
        pass
