"""Certificates in exports and imports of an account.

The private key for badges is not exported. A new key is created, and the former public key remains listed, so that its
signatures stay valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable
from workspace.lib.ids import ALPHABET
from workspace.products.certs.api.arguments import CertificateChanges, Layout, Signer, TemplateFields
from workspace.products.certs.domain.badges.status_list import LIST_BITS
from workspace.products.certs.models import Certificate, Issuer, IssuerKey, NameWord, Template
from workspace.products.certs.models.certificate import CODE_LENGTH, format_code, new_code
from workspace.products.certs.models.template import SIGNATURE_FIELDS


def _replace_taken_codes(arrival: ImportContext, rows: Sequence[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    here = set(Certificate.objects.filter(code__in=[row.code for row in rows]).values_list("code", flat=True))
    for row in rows:
        if row.code in here:
            code = new_code()
            arrival.add_note(
                f"The certificate of {row.name} has the new code {format_code(code)}, because "
                f"{format_code(row.code)} was already in use."
            )
            yield row, {"code": code}


TAKEOUT_TABLES = (
    TakeoutTable(model=Issuer, replaces=True),
    TakeoutTable(model=IssuerKey, excluded_columns=("private",), column_types={"public": column_types.Identifier}),
    TakeoutTable(
        model=Template,
        column_types={
            **column_types.from_arguments(
                TemplateFields, "title", "organization", "intro", "body", "description", "criteria"
            ),
            **column_types.from_arguments(
                TemplateFields, "skills", "hours_label", "custom_label", "valid_months", "language"
            ),
            **column_types.from_arguments(TemplateFields, "mail_subject", "mail_text"),
            **column_types.from_arguments(Layout, "design", "paper", "colors", "fonts", "seal", "elements"),
            "signers": column_types.list_of(Signer, len(SIGNATURE_FIELDS)),
        },
    ),
    TakeoutTable(model=NameWord, column_types={"word": column_types.OneLine}),
    TakeoutTable(
        model=Certificate,
        former_columns=("look",),
        files=("pdf_key", "badge_key"),
        file_hashes={"pdf_key": "pdf_sha256"},
        resolve_conflicts=_replace_taken_codes,
        column_types={
            **column_types.from_arguments(CertificateChanges, "course", "date", "hours", "custom"),
            **column_types.from_arguments(TemplateFields, "title", "organization"),
            "code": column_types.text_matching(
                rf"[{ALPHABET.upper()}]{{{CODE_LENGTH}}}", "Enter the code of a certificate: 16 letters and digits."
            ),
            "reference": column_types.OneLine,
            "status_index": column_types.integer_up_to(LIST_BITS - 1),
            "language": column_types.LanguageCode,
            "revoke_reason": column_types.OneLine,
            **dict.fromkeys(("batch", "email_delivery_id", "badge_key"), column_types.Identifier),
        },
    ),
)
