"""Certificates when an account moves. The key that signs badges stays behind: a new one is made, and the former one's
public half stays listed, so that what it signed holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workspace.accounts.carrying.tables import Arrival, Carried
from workspace.products.certs.models import Certificate, Issuer, IssuerKey
from workspace.products.certs.models.certificate import new_code, shown


def _taken(arrival: Arrival, rows: Sequence[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    here = set(Certificate.objects.filter(code__in=[row.code for row in rows]).values_list("code", flat=True))
    for row in rows:
        if row.code in here:
            code = new_code()
            arrival.note(f"The code {shown(row.code)} is another certificate’s here: {row.name} has {shown(code)} now")
            yield row, {"code": code}


CARRIED = (
    Carried(model=Issuer, replaces=True),
    Carried(model=IssuerKey, without=("private",)),
    Carried(
        model=Certificate,
        former=("look",),
        files=("pdf_key", "badge_key"),
        hashed={"pdf_key": "pdf_sha256"},
        clash=_taken,
    ),
)
