"""Certificates when an account moves. The key that signs badges stays behind: a new one is made, and the former one's
public half stays listed, so that what it signed holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Arrival, Carried
from workspace.lib.ids import ALPHABET
from workspace.products.certs.api.arguments import Changes, Layout, Signer, TemplateFields
from workspace.products.certs.domain.badges.status_list import BITS
from workspace.products.certs.models import Certificate, Issuer, IssuerKey, NameWord, Template
from workspace.products.certs.models.certificate import CODE, new_code, shown
from workspace.products.certs.models.template import SIGNATURES


def _taken(arrival: Arrival, rows: Sequence[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    here = set(Certificate.objects.filter(code__in=[row.code for row in rows]).values_list("code", flat=True))
    for row in rows:
        if row.code in here:
            code = new_code()
            arrival.note(f"The code {shown(row.code)} is another certificate’s here: {row.name} has {shown(code)} now")
            yield row, {"code": code}


CARRIED = (
    Carried(model=Issuer, replaces=True),
    Carried(model=IssuerKey, without=("private",), reads={"public": column_types.Identifier}),
    Carried(
        model=Template,
        reads={
            **column_types.as_given(TemplateFields, "title", "organization", "lead", "body", "description", "criteria"),
            **column_types.as_given(
                TemplateFields, "skills", "hours_label", "custom_label", "valid_months", "language"
            ),
            **column_types.as_given(TemplateFields, "mail_subject", "mail_text"),
            **column_types.as_given(Layout, "design", "paper", "colours", "fonts", "seal", "elements"),
            "signers": column_types.list_of(Signer, len(SIGNATURES)),
        },
    ),
    Carried(model=NameWord, reads={"word": column_types.OneLine}),
    Carried(
        model=Certificate,
        former=("look",),
        files=("pdf_key", "badge_key"),
        hashed={"pdf_key": "pdf_sha256"},
        clash=_taken,
        reads={
            **column_types.as_given(Changes, "course", "date", "hours", "custom"),
            **column_types.as_given(TemplateFields, "title", "organization"),
            "code": column_types.matching(rf"[{ALPHABET.upper()}]{{{CODE}}}", "This is not the code of a certificate"),
            "reference": column_types.OneLine,
            "status_index": column_types.up_to(BITS - 1),
            "language": column_types.LanguageCode,
            "revoke_reason": column_types.OneLine,
            **dict.fromkeys(("batch", "mail", "badge_key"), column_types.Identifier),
        },
    ),
)
