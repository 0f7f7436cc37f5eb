"""The signed copy of an approved proposal.

It contains its record, its totals equal those of the page, the emails and the answers, and a changed byte is detected.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from io import BytesIO
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import HealthCheck, given, settings
from pypdf import PdfReader

from workspace.audit_trail.models import Record
from workspace.audit_trail.verification import verify_chain
from workspace.delivery.mail import parse_message
from workspace.delivery.models import Delivery
from workspace.documents.pdf_inspection import PdfVerdict, inspect_pdf
from workspace.documents.typesetter import DocumentTooComplexError, typeset_leniently
from workspace.products.bid.api.detail_serializers import bid_detail
from workspace.products.bid.api.serializers import totals_data
from workspace.products.bid.domain import emails
from workspace.products.bid.domain import pdf as bid_pdf
from workspace.products.bid.domain.pdf import PdfSigningChannel
from workspace.products.bid.models import Decision, Proposal
from workspace.products.bid.models.proposal import OFFER_FIELDS
from workspace.products.bid.public.context import build_context
from workspace.products.bid.rules.offer import Offer, dump_line, dump_package, dump_share, format_number
from workspace.products.bid.rules.totals import compute_totals
from workspace.products.bid.tests.clients import approve, get_opened
from workspace.products.bid.tests.test_totals import offers
from workspace.publishing import file_verification
from workspace.publishing.language import format_amount
from workspace.testing.api import Api
from workspace.testing.samples.bid import make_sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("patience")]  # rendering may take longer than usual


def words_of(pdf: bytes) -> str:
    text = "\n".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)
    return " ".join(text.replace("\u00a0", " ").replace("\u2212", "-").split())


def test_the_signed_copy_proves_what_was_agreed(api: Api, client: Any) -> None:
    bid = get_opened(make_sent(api, title="Gartenfest für Ada – حفلة")["id"])
    decision = approve(bid, strokes=[[[0, 0], [40, 20]], [[5, 5]]])
    task = Delivery.objects.get(kind="bid.seal")
    PdfSigningChannel().send(task)
    PdfSigningChannel().send(task)  # a retry after a crash does nothing
    decision = Decision.objects.select_related("proposal__account", "revision").get(pk=decision.pk)
    pdf = bid_pdf.load_signed_pdf(decision)
    stored = {decision.pdf_sha256}
    assert inspect_pdf(pdf, stored.__contains__).verdict is PdfVerdict.THIS_FILE
    genuine = inspect_pdf(pdf)
    assert genuine.verdict is PdfVerdict.GENUINE
    inside = json.loads(genuine.attachments["record.json"])
    assert inside["hash"] == Record.objects.get(pk=decision.record).hash
    assert genuine.attachments["revision.json"].decode() == decision.revision.body
    at = pdf.index(b"stream") + 40
    assert (
        inspect_pdf(pdf[:at] + bytes([pdf[at] ^ 1]) + pdf[at + 1 :], stored.__contains__).verdict is PdfVerdict.CHANGED
    )
    assert file_verification.verify_file(pdf).document == bid_pdf.find_by_record(decision.record)
    results = [
        file_verification.verify_file(item)
        for item in (pdf, pdf + b" ", pdf[:at] + b"~" + pdf[at + 1 :], b"%PDF-1.7", b"Hi")
    ]
    assert [(result.verdict.value, result.why, result.record_matches) for result in results] == [
        ("this_file", "", None),
        ("genuine", "appended", True),
        ("changed", "", None),
        ("unknown", "unsealed", None),
        ("unknown", "no_pdf", None),
    ]
    sent = api.run("svc_upload_file", content=b64encode(pdf).decode(), name="copy.pdf")["upload_id"]
    result = api.run("svc_verify", upload_id=sent, thing=bid.pk)
    assert (result["paper"]["verdict"], result["paper"]["what"]) == ("this_file", "Proposal No. 1")
    assert (result["chain"]["records"], result["chain"]["problems"]) == (2, [])
    assert verify_chain(api.account) == []
    assert Record.objects.filter(kind="bid.sealed").count() == 1
    results = api.run("svc_bid_get", id=bid.pk)["decisions"][0]
    shown = format_amount(round(results["totals"]["total"] * 100), "USD", "en")
    text = words_of(pdf)
    assert shown in text and "Ada Berger" in text and decision.revision.hash[:20] in text.replace(" ", "")
    mails = [parse_message(delivery) for delivery in Delivery.objects.filter(kind="email")]
    copy = next(mail for mail in mails if list(mail.iter_attachments()))
    assert str(copy["To"]) == "ada@example.com" and str(copy["Reply-To"]) == api.account.owner.email
    assert next(copy.iter_attachments()).get_content() == pdf
    assert shown in copy.get_body(("plain",)).get_content()
    exported = api.client.get(f"/files/bid/export?kind=pdf&id={bid.pk}")
    assert exported.content == pdf


def test_what_was_agreed_is_always_printed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that neither a new name of the business nor long descriptions prevent the copy."""
    bid = get_opened(make_sent(api)["id"])
    approve(bid)
    api.account.name = "Caf\ua000"
    api.account.save()
    tries = [DocumentTooComplexError()]

    def once_too_much(*value: Any, **more: Any) -> bytes:
        if tries:
            raise tries.pop()
        return typeset_leniently(*value, **more)

    monkeypatch.setattr(bid_pdf, "typeset_leniently", once_too_much)
    PdfSigningChannel().send(Delivery.objects.get(kind="bid.seal"))
    decision = Decision.objects.select_related("revision").get()
    genuine = inspect_pdf(bid_pdf.load_signed_pdf(decision))
    assert genuine.verdict is PdfVerdict.GENUINE
    assert genuine.attachments["revision.json"].decode() == decision.revision.body
    text = words_of(bid_pdf.load_signed_pdf(decision))
    assert "CafU+A000" in text
    assert "Three people" not in text and "attached to this PDF" in text


@given(offers.filter(lambda offer: len(offer.lines) > 1))
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_page_pdf_and_answer_show_the_same_totals(account: Any, offer: Offer) -> None:
    bid = Proposal.create_draft(account, title="Any", **columns(offer))
    totals = compute_totals(offer)
    row = totals_data(totals)
    page_and_paper = {line.kind: line.value for line in bid_pdf.offer_text.build_total_rows(offer, totals, "en")}
    text = words_of(bid_pdf.render_pdf(bid))
    page = render_to_string("bid/page.html", build_context(bid))
    api_row = bid_detail(bid, account)["totals"]
    mailed = emails.build_context(bid, "en")
    assert (api_row, mailed["total"]) == (row, page_and_paper["total"])
    assert f'name="total" value="{totals.total}"' in page and f">{page_and_paper['total']}</output>" in page
    for kind in ("total", *(kind for kind in ("subtotal", "tax", "deposit") if kind in page_and_paper)):
        minor = getattr(totals, kind)
        assert page_and_paper[kind] == format_amount(minor, offer.currency, "en")
        assert row[kind] == pytest.approx(minor / 10 ** {"JPY": 0, "USD": 2, "KWD": 3}[offer.currency])  # type: ignore[literal-required]
        assert page_and_paper[kind].replace("\u00a0", " ") in text
        assert re.search(f'data-figure="{kind}"><dt>.*?</dt><dd>{re.escape(page_and_paper[kind])}</dd>', page), kind
    assert bid.total == totals.total


def columns(offer: Offer) -> dict[str, Any]:
    result: dict[str, Any] = {
        "line_items": [dump_line(line) for line in offer.lines],
        "packages": [dump_package(package) for package in offer.packages],
        "discount": dump_share(offer.discount),
        "deposit": dump_share(offer.deposit),
        "tax_rate": format_number(offer.tax_rate),
        "tax_inclusive": offer.tax_inclusive,
        "currency": offer.currency,
    }
    assert result.keys() < set(OFFER_FIELDS)
    return result
