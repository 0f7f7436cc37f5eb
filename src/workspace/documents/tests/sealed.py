"""A sealed paper to try things with."""

from __future__ import annotations

from functools import lru_cache

from workspace.documents import document
from workspace.documents.pdf_signature import Sealed, seal
from workspace.documents.typesetter import Attachment, typeset

RECORD = '{"total":97650}'


def sealed(words: str = "Agreed.") -> Sealed:
    return seal(_paper(words))


@lru_cache
def _paper(words: str) -> bytes:
    blocks = [document.Heading("Quote 12"), document.Words(words)]
    attached = [Attachment("record.json", RECORD, "What was agreed")]
    return typeset(document.LAYOUT, document.data(blocks), title="Quote 12", attachments=attached)
