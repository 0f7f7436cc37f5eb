"""Signatures as files: who signed and who came as tables, one signing as its sealed PDF."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.lib.tabular import csv_table
from workspace.products.waiver.api.serializers import waiver_of
from workspace.products.waiver.api.signature_serializers import signature_of, signature_row
from workspace.products.waiver.api.tools import box
from workspace.products.waiver.domain import pdf
from workspace.products.waiver.models import Signature, Visit
from workspace.publishing.exports import Export, exported, exported_file
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Day, Id

MOST = 50_000
SIGNED = (
    "signature", "waiver", "participant", "born", "relationship", "signer", "e-mail", "phone", "signed", "valid",
    "reason", "until", "version", "marketing",
)  # fmt: skip
CAME = ("at", "was", "participant", "signer", "signature")


@box.tool("svc_waiver_export", title="Export signatures, visits or a PDF", reads=True)
def export(
    account: Account,
    kind: Annotated[Literal["signatures", "visits", "pdf"], Field(description="Tables, or one signing as its paper")],
    id: Annotated[Id, Field(description="The waiver; of pdf a signature")],
    from_: Annotated[Day, Field(description="On this day or later")] | None = None,
    to: Annotated[Day, Field(description="On this day or earlier")] | None = None,
) -> Answer[Export]:
    """A file to save: the signatures of a waiver or the visits as CSV, or the sealed PDF of one signature, with its
    record inside."""
    if kind == "pdf":
        return _pdf(account, id)
    waiver = waiver_of(account, id)
    span: dict[str, Any] = {"from": from_.isoformat() if from_ else None, "to": to.isoformat() if to else None}
    begin = datetime.combine(from_, time.min, account.zone) if from_ else None
    end = datetime.combine(to + timedelta(days=1), time.min, account.zone) if to else None
    if kind == "visits":
        visits = Visit.objects.filter(account=account, signature__waiver=waiver).select_related("signature__signing")
        rows = [_came(one) for one in _within(visits, "at", begin, end)[:MOST]]
        return exported(
            "waiver", "visit", "visits.csv", csv_table.write(CAME, rows), rows=len(rows), kind=kind, id=id, **span
        )
    found = waiver.signatures.select_related("waiver", "signing").order_by("-id")
    signatures = list(_within(found, "created_at", begin, end)[:MOST])
    asked = {question["key"]: question["label"] for question in waiver.questions}
    for key in (key for one in signatures for key in one.signing.answers):
        asked.setdefault(key, key)  # a question that is not asked any more
    rows = [[*_signed(one), *_answers(one, asked)] for one in signatures]
    text = csv_table.write((*SIGNED, *asked.values()), rows)
    return exported("waiver", "signature", "signatures.csv", text, rows=len(rows), kind=kind, id=id, **span)


def _within(found: QuerySet[Any], name: str, begin: datetime | None, end: datetime | None) -> QuerySet[Any]:
    if begin is not None:
        found = found.filter(**{f"{name}__gte": begin})
    return found.filter(**{f"{name}__lt": end}) if end is not None else found


def _signed(one: Signature) -> list[str]:
    row, signing = signature_row(one), one.signing
    return [
        one.pk, one.waiver.title, one.name, one.birth_date.isoformat() if one.birth_date else "", one.relationship,
        signing.name, signing.email, signing.phone, row["signed_at"], "yes" if row["valid"] else "no", row["reason"],
        row["expires_at"] or "", str(one.version), "yes" if signing.marketing else "no",
    ]  # fmt: skip


def _answers(one: Signature, asked: Iterable[str]) -> list[str]:
    return [_told(one.signing.answers.get(key, "")) for key in asked]


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _came(visit: Visit) -> list[str]:
    one = visit.signature
    return [clock.iso(visit.at) or "", visit.checked, one.name, one.signing.name, one.pk]


def _pdf(account: Account, id: str) -> Answer[Export]:
    signing = signature_of(account, id).signing
    try:
        content = pdf.sealed(signing)
    except FileNotFoundError:
        raise ToolError(
            "Its sealed copy is not there: it is made within a minute, or was erased with the person"
        ) from None
    more = f"It is the very file that was sealed, SHA-256 {signing.pdf_sha256}."
    return exported_file("waiver", "signing", pdf.name_of(signing), content, kind="pdf", more=more, id=id)
