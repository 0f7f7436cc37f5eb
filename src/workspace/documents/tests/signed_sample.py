"""A signed document for tests."""

from __future__ import annotations

from functools import lru_cache

from workspace.documents import document_blocks
from workspace.documents.pdf_signature import SignedPdf, sign_document
from workspace.documents.typesetter import Attachment, typeset_document

RECORD = '{"total":97650}'


def sign_sample(words: str = "Agreed.") -> SignedPdf:
    return sign_document(_paper(words))


@lru_cache
def _paper(words: str) -> bytes:
    blocks = [document_blocks.Heading("Quote 12"), document_blocks.Paragraphs(words)]
    attached = [Attachment("record.json", RECORD, "What was agreed")]
    return typeset_document(
        document_blocks.LAYOUT, document_blocks.build_document_data(blocks), title="Quote 12", attachments=attached
    )
