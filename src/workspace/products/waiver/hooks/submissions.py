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


def signature_submissions(found: Iterable[Signature]) -> list[Submission]:
    return [
        {
            "id": one.pk,
            "name": one.name,
            "email": one.email,
            "phone": one.phone,
            "note": "",
            "at": clock.to_iso(one.created_at) or "",
            "thing_id": one.waiver_id,
            "page": f"/app/waiver/{one.waiver_id}/signatures",
        }
        for one in found
    ]
