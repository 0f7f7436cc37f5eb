"""Signing as one operation: signatures, evidence, signed PDF, email, webhook."""

from __future__ import annotations

import json
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from standardwebhooks import Webhook

from workspace.audit_trail import verification as audit_trail_verification
from workspace.audit_trail.models import PersonalValue, Record
from workspace.delivery import mail, webhooks
from workspace.delivery.models import Delivery
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.delivery.webhooks.worker import WebhookWorker
from workspace.documents.document_blocks import Drawing
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.products.waiver.domain import pdf as waiver_pdf
from workspace.products.waiver.domain import signings
from workspace.products.waiver.domain.signings import SigningContext
from workspace.products.waiver.models import Signature, Signing, WaiverVersion
from workspace.public_site.guest_page import GuestActionDeclinedError
from workspace.publishing import file_verification as publishing_verification
from workspace.qr_symbols.png import render_png
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import Api
from workspace.testing.code_readers import read_with_zxing, to_gray_pixels
from workspace.testing.samples import waiver as samples
from workspace.testing.webhook_receiver import receiving

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiver(api: Api) -> str:
    made = api.run(
        "svc_waiver_create", title="Kayak", text="Be careful", clauses=samples.CLAUSES, questions=samples.QUESTIONS
    )
    return str(made["id"])


def get_waiver(api: Api, id: str) -> Any:
    return api.account.waivers.select_related("account", "publication").get(pk=id)


def test_one_post_is_one_signing_with_a_signature_for_each_person(api: Api, waiver: str) -> None:
    children = [samples.child(), samples.child("Eve King", "2018-03-04")]
    signing = samples.sign(waiver, api.account, participants=children, signer_participates=True, token="once-only")
    again = samples.sign(waiver, api.account, token="once-only")
    assert again.pk == signing.pk and Signing.objects.count() == 1
    rows = api.run("svc_waiver_signatures", id=waiver)
    assert [(row["participant"], row["signer"], row["valid"]) for row in rows["items"]] == [
        ("Eve King", "Ada King", True), ("Tim King", "Ada King", True), ("Ada King", "Ada King", True)
    ]  # fmt: skip
    assert api.run("svc_waivers_list")["items"][0]["signed_count"] == 3


def test_the_evidence_is_recorded_in_the_chain(api: Api, waiver: str) -> None:
    signing = samples.sign(waiver, api.account, participants=[samples.child()])
    record = Record.objects.get(pk=signing.record)
    body = json.loads(record.body)
    assert body["data"]["version_hash"] == WaiverVersion.objects.get().hash
    assert set(body["people"]) == {"signer", "participant.0"}
    assert not [item for item in ("Ada King", "Tim King", "2016-01-02") if item in record.body]
    assert PersonalValue.objects.get(record=record, person="signer", name="ip").value == '"192.0.2.7"'
    assert audit_trail_verification.verify_chain(api.account) == []


def test_a_signed_pdf_is_emailed_and_verified_when_uploaded(api: Api, waiver: str, settings: Any) -> None:
    api.run("svc_waiver_edit", id=waiver, text="# Rules\n\n1. Wear **the vest**\n2. Swim\n\nTo the end.", material=True)
    drawn = {"kind": "drawn", "strokes": [[[n * 3, n % 9] for n in range(40)]]}
    signing = samples.sign(waiver, api.account, participants=[samples.child()], signature=drawn)
    OutboxWorker().drain_once()
    signing.refresh_from_db()
    [copy] = [
        delivery
        for delivery in Delivery.objects.filter(kind=mail.KIND)
        if (delivery.payload or {}).get("to") == "ada@example.com"
    ]
    [pdf] = [part.get_payload(decode=True) for part in mail.parse_message(copy).iter_attachments()]  # type: ignore[attr-defined]
    result = publishing_verification.verify_file(pdf)
    assert result.verdict == "this_file" and result.sha256 == signing.pdf_sha256
    [*_, code] = waiver_pdf._evidence_blocks(signing, signing.waiver.versions.get(number=2), "en")
    assert isinstance(code, Drawing) and read_with_zxing(to_gray_pixels(render_png(code.svg, 400))) == [
        f"{settings.BASE_URL}/verify"
    ]
    text = " ".join(PdfReader(BytesIO(pdf)).pages[0].extract_text().split())
    assert "1. Wear the vest 2. Swim To the end." in text
    found = api.run("svc_waiver_export", kind="pdf", id=signing.signatures.get().pk)
    assert found["size"] == len(pdf) and audit_trail_verification.verify_chain(api.account) == []


def test_a_webhook_is_sent_to_the_owners_system(api: Api, waiver: str, settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    with receiving() as receiver:
        api.run("svc_waiver_edit", id=waiver, webhook_url=receiver.url)
        signing = samples.sign(waiver, api.account, participants=[samples.child()])
        secret = api.account.endpoints.get(item_id=waiver).reveal_secret()
        WebhookWorker().run_once()
        pushed = Webhook(secret).verify(receiver.got[0][1], receiver.got[0][0])
        assert (pushed["type"], pushed["data"]["signing_id"]) == ("waiver.signed", signing.pk)
        assert pushed["data"]["participants"][0]["name"] == "Tim King"
        api.run("svc_waiver_void", signature_ids=[signing.signatures.get().pk], reason="Wrong")
        WebhookWorker().run_once()
        assert receiver.verified(secret)["type"] == "waiver.voided"


def test_webhooks_require_a_larger_plan(api: Api, waiver: str) -> None:
    api.account.chosen_plans = {"waiver": "free"}
    api.account.save()
    assert (
        "doesn’t include webhooks"
        in api.refuse("svc_waiver_edit", id=waiver, webhook_url="https://example.com/x")["message"]
    )
    assert webhooks.item_endpoint_url(api.account, waiver) == ""
    for _ in range(2):  # the plan's limit rejects no guest
        samples.sign(waiver, api.account)


def test_a_changed_or_closed_waiver_cannot_be_signed(api: Api, waiver: str) -> None:
    row = get_waiver(api, waiver)
    post = signings.parse_submission(row, samples.post(row))
    api.run("svc_waiver_edit", id=waiver, text="Other words", material=False)
    with pytest.raises(GuestActionDeclinedError, match="text has changed"), write_transaction():
        signings.sign_waiver(row, post, SigningContext())
    with pytest.raises(InvalidInputError, match="Read it again"):
        signings.parse_submission(get_waiver(api, waiver), samples.post(row))
    api.run("svc_waiver_edit", id=waiver, accepting=False)
    row = get_waiver(api, waiver)
    with pytest.raises(GuestActionDeclinedError, match="open for signing"), write_transaction():
        signings.sign_waiver(row, signings.parse_submission(row, samples.post(row)), SigningContext())
    assert not Signing.objects.exists() and row.signed_count == 0


def test_a_name_with_unprintable_characters_is_refused_with_these_characters(api: Api, waiver: str) -> None:
    row = get_waiver(api, waiver)
    odd = {"name": "Ada \U00012000", "email": "a@example.com", "birth_date": "1990-01-01"}
    with pytest.raises(InvalidInputError) as refused:
        signings.parse_submission(row, samples.post(row, signer=odd))
    assert [issue.path for issue in refused.value.issues] == ["signer.name"]


def test_a_new_validity_applies_to_new_signatures_and_to_old_ones_on_request(api: Api, waiver: str) -> None:
    signature = samples.sign(waiver, api.account).signatures.get()
    api.run("svc_waiver_edit", id=waiver, valid_for={"days": 30})
    assert Signature.objects.get().expires_at == signature.expires_at
    api.run("svc_waiver_edit", id=waiver, update_existing=True)
    ends = Signature.objects.get().expires_at
    assert ends is not None and ends < clock.now() + timedelta(days=32)
    api.run("svc_undo")
    assert Signature.objects.get().expires_at == signature.expires_at
