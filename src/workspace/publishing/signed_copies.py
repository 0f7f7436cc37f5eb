"""The sealed copy of what was signed or decided, made once by the worker after the act."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from django.db.models import Model

from workspace.documents.pdf_signature import SignedPdf
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files import store


def save_copy(row: Model, made: SignedPdf, prefix: str, then: Callable[[SignedPdf], Any]) -> None:
    """Keep it with a row that has `pdf_key`, `pdf_sha256`, `pdf_size` and `sealed_at`; `then` in the same write what
    follows from it: the record, the mail. Of two at once the first one stays."""
    key = f"{prefix}_{secrets.token_hex(16)}"
    store.put(key, made.content)
    kept = {"pdf_key": key, "pdf_sha256": made.sha256, "pdf_size": len(made.content), "sealed_at": clock.now()}
    with write_transaction():
        if type(row)._base_manager.filter(pk=row.pk, pdf_sha256="").update(**kept):
            then(made)
        else:
            store.delete(key)
