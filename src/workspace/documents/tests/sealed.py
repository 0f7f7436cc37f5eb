"""A sealed paper to try things with."""

from __future__ import annotations

from functools import lru_cache

from workspace.documents import paper
from workspace.documents.sealing import Sealed, seal
from workspace.documents.typesetting import Attachment, typeset

RECORD = '{"total":97650}'


def sealed(words: str = "Agreed.") -> Sealed:
    return seal(_paper(words))


@lru_cache
def _paper(words: str) -> bytes:
    blocks = [paper.Heading("Quote 12"), paper.Words(words)]
    attached = [Attachment("record.json", RECORD, "What was agreed")]
    return typeset(paper.LAYOUT, paper.data(blocks), title="Quote 12", attachments=attached)
