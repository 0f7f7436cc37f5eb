"""Signatures as files: tables of signatures and of attendance, and the signed PDF of one signing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.tabular import csv_table
from workspace.products.waiver import messages
from workspace.products.waiver.api.signature_serializers import signature_summary
from workspace.products.waiver.api.tools import box
from workspace.products.waiver.domain import pdf
from workspace.products.waiver.domain.queries import get_signature, get_waiver
from workspace.products.waiver.models import Attendance, Signature
from workspace.publishing.export_answers import Export, export_file, export_text
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Day, Id

MAX_ROWS = 50_000
SIGNATURE_COLUMNS = (
    "signature", "waiver", "participant", "born", "relationship", "signer", "e-mail", "phone", "signed", "valid",
    "reason", "until", "version", "marketing",
)  # fmt: skip
ATTENDANCE_COLUMNS = ("at", "was", "participant", "signer", "signature")


@box.tool(
    "svc_waiver_export",
    title="Export signatures, visits or a PDF",
    about="Export the signatures or visits of a waiver as CSV, or the signed PDF of one signature with its audit "
    "trail.",
    short="Export signatures or visits as CSV, or a signed PDF.",
    synonyms="download waiver, signed copy, print, spreadsheet, unterschriften exportieren, pdf herunterladen, "
    "exportar firmas, descargar pdf, copia firmada",
    reads=True,
)
def export(
    account: Account,
    kind: Annotated[
        Literal["signatures", "visits", "pdf"],
        Field(description="Data to export: signatures, visits or one signed PDF."),
    ],
    id: Annotated[Id, Field(description="Waiver ID. For pdf, a signature ID.")],
    from_: Annotated[Day, Field(description="First date to include.")] | None = None,
    to: Annotated[Day, Field(description="Last date to include.")] | None = None,
) -> Answer[Export]:
    if kind == "pdf":
        return _export_pdf(account, id)
    waiver = get_waiver(account, id)
    span: dict[str, Any] = {"from": from_.isoformat() if from_ else None, "to": to.isoformat() if to else None}
    begin = datetime.combine(from_, time.min, account.zone) if from_ else None
    end = datetime.combine(to + timedelta(days=1), time.min, account.zone) if to else None
    if kind == "visits":
        visits = Attendance.objects.filter(account=account, signature__waiver=waiver).select_related(
            "signature__signing"
        )
        rows = [_attendance_cells(item) for item in _filter_period(visits, "occurred_at", begin, end)[:MAX_ROWS]]
        return export_text(
            "waiver",
            "visit",
            "visits.csv",
            csv_table.write(ATTENDANCE_COLUMNS, rows),
            rows=len(rows),
            kind=kind,
            id=id,
            **span,
        )
    result = waiver.signatures.select_related("waiver", "signing").order_by("-id")
    signatures = list(_filter_period(result, "created_at", begin, end)[:MAX_ROWS])
    labels_by_key = {question["key"]: question["label"] for question in waiver.questions}
    for key in (key for signature in signatures for key in signature.signing.answers):
        labels_by_key.setdefault(key, key)  # a question that is no longer asked
    rows = [[*_signature_cells(signature), *_answer_cells(signature, labels_by_key)] for signature in signatures]
    text = csv_table.write((*SIGNATURE_COLUMNS, *labels_by_key.values()), rows)
    return export_text("waiver", "signature", "signatures.csv", text, rows=len(rows), kind=kind, id=id, **span)


def _filter_period(result: QuerySet[Any], name: str, begin: datetime | None, end: datetime | None) -> QuerySet[Any]:
    if begin is not None:
        result = result.filter(**{f"{name}__gte": begin})
    return result.filter(**{f"{name}__lt": end}) if end is not None else result


def _signature_cells(signature: Signature) -> list[str]:
    row, signing = signature_summary(signature), signature.signing
    return [
        signature.pk, signature.waiver.title, signature.name,
        signature.birth_date.isoformat() if signature.birth_date else "", signature.relationship,
        signing.name, signing.email, signing.phone, row["signed_at"], "yes" if row["valid"] else "no", row["reason"],
        row["expires_at"] or "", str(signature.version), "yes" if signing.marketing else "no",
    ]  # fmt: skip


def _answer_cells(signature: Signature, question_keys: Iterable[str]) -> list[str]:
    return [_format_answer(signature.signing.answers.get(key, "")) for key in question_keys]


def _format_answer(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _attendance_cells(visit: Attendance) -> list[str]:
    signature = visit.signature
    return [clock.to_iso(visit.occurred_at) or "", visit.validity, signature.name, signature.signing.name, signature.pk]


def _export_pdf(account: Account, id: str) -> Answer[Export]:
    signing = get_signature(account, id).signing
    try:
        content = pdf.load_signed_pdf(signing)
    except FileNotFoundError:
        raise OperationNotAllowedError(messages.PDF_NOT_READY) from None
    more = f"This is the original signed file, SHA-256 {signing.pdf_sha256}."
    return export_file("waiver", "signing", pdf.file_name(signing), content, kind="pdf", exclusion_note=more, id=id)
