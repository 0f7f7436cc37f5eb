"""The signed PDF of a signature or a decision. A worker creates it once, after the transaction."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from django.db.models import Model

from workspace.documents.pdf_signature import SignedPdf
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import store


def save_copy(row: Model, signed_pdf: SignedPdf, prefix: str, after_save: Callable[[SignedPdf], Any]) -> None:
    """Store the PDF for a row that has `pdf_key`, `pdf_sha256`, `pdf_size` and `sealed_at`.

    `after_save` runs in the same transaction, for example to add a record and queue an email. If two workers finish at
    the same time, the first PDF is used.
    """
    key = f"{prefix}_{secrets.token_hex(16)}"
    store.put(key, signed_pdf.content)
    kept = {
        "pdf_key": key,
        "pdf_sha256": signed_pdf.sha256,
        "pdf_size": len(signed_pdf.content),
        "sealed_at": clock.now(),
    }
    with write_transaction():
        if type(row)._base_manager.filter(pk=row.pk, pdf_sha256="").update(**kept):
            after_save(signed_pdf)
        else:
            store.delete(key)
