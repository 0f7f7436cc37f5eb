"""Signatures as submissions: for analytics, search and the activity on home."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.waiver.models import Signature
from workspace.publishing.submissions import Submission


def signatures_for(account: Account) -> QuerySet[Signature]:
    return account.signatures.filter(waiver__binned_at=None)


def signature_submissions(signatures: Iterable[Signature]) -> list[Submission]:
    return [
        {
            "id": signature.pk,
            "name": signature.name,
            "email": signature.email,
            "phone": signature.phone,
            "note": "",
            "at": clock.to_iso(signature.created_at) or "",
            "thing_id": signature.waiver_id,
            "page": f"/app/waiver/{signature.waiver_id}/signatures",
        }
        for signature in signatures
    ]
