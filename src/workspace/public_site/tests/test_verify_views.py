"""Anyone can verify a file at /verify. Files of others cost little and get a clear answer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.documents import document_blocks
from workspace.documents.document_blocks import Paragraphs
from workspace.documents.pdf_signature import sign_document
from workspace.documents.typesetter import typeset_document
from workspace.lib import clock
from workspace.public_site import verify_views
from workspace.publishing import file_verification
from workspace.publishing.file_verification import SignedDocument

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("patience")]  # rendering may have to wait


def submit_file(content: bytes, **headers: str) -> Any:
    browser = Client(headers={"sec-fetch-site": "same-origin", **headers})
    stamp = re.search(r'name="stamp" value="([^"]+)"', browser.get("/verify").content.decode())
    assert stamp
    return browser.post("/verify", {"stamp": stamp[1], "file": SimpleUploadedFile("paper.pdf", content)})


def test_each_verdict_has_its_own_heading(monkeypatch: pytest.MonkeyPatch) -> None:
    made = sign_document(
        typeset_document(
            document_blocks.LAYOUT, document_blocks.build_document_data([Paragraphs("Agreed.")]), title="A paper"
        )
    )
    kept = SignedDocument("Proposal No. 12", "Corner <Café>", clock.now(), made.sha256)
    monkeypatch.setattr(file_verification, "_by_hash", [lambda sha256: kept if sha256 == made.sha256 else None])
    at = made.content.index(b"stream") + 20
    flipped = made.content[:at] + bytes([made.content[at] ^ 1]) + made.content[at + 1 :]
    for content, heading in (
        (made.content, "Original file"),
        (made.content + b"% more\n", "Genuine content"),
        (flipped, "Changed"),
        (b"%PDF-1.7 nothing", "Unknown"),
        (b"hello", "Unknown"),
    ):
        response = submit_file(content)
        assert response.status_code == 200
        assert f"<h1>{heading}</h1>" in response.content.decode(), heading
    page = submit_file(made.content).content.decode()
    assert "Corner &lt;Café&gt;" in page and "Proposal No. 12" in page and made.sha256 in page
    assert "Genau diese Datei" in submit_file(made.content, **{"accept-language": "de"}).content.decode()


def test_missing_large_and_cross_site_uploads_are_rejected() -> None:
    assert submit_file(b"").status_code == 400
    assert submit_file(b"x" * (verify_views.MAX_BYTES + 1)).status_code == 413
    foreign = Client(headers={"sec-fetch-site": "cross-site"}).post("/verify", {})
    assert foreign.status_code == 400 and "another website" in foreign.content.decode()
