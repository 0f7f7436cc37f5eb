"""The tool that exports the list of proposals, a proposal as a PDF, or the records of decisions."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.audit_trail import export as audit_trail_export
from workspace.lib.errors import InvalidInputError
from workspace.lib.money import format_decimal
from workspace.lib.tabular import csv_table
from workspace.products.bid import messages
from workspace.products.bid.api.arguments import BidId
from workspace.products.bid.api.serializers import bid_summary
from workspace.products.bid.api.tools import box
from workspace.products.bid.domain import pdf
from workspace.products.bid.domain.owner_decisions import current_decision
from workspace.products.bid.domain.queries import get_bid
from workspace.products.bid.models import DecisionOutcome, Proposal
from workspace.publishing.export_answers import Export, export_file, export_text
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Day

MAX_ROWS = 50_000
COLUMNS = (
    "number", "title", "client", "email", "company", "status", "currency", "total", "agreed", "deposit",
    "valid until", "created", "sent", "first opened", "decided", "link",
)  # fmt: skip


@box.tool(
    "svc_bid_export",
    title="Export proposals, a PDF or records",
    about="Export the list of proposals as CSV, one proposal as a PDF, or audit records as JSON Lines. After "
    "approval, the PDF is the signed original with its audit trail. Anyone can verify the audit records "
    "without this service.",
    short="Export proposals as CSV, one as a PDF, or audit records.",
    synonyms="download quote, print, signed pdf, accounting, spreadsheet, angebot als pdf, herunterladen, "
    "descargar presupuesto, pdf firmado, exportar",
    reads=True,
)
def export(
    account: Account,
    kind: Annotated[
        Literal["list", "pdf", "record"],
        Field(description="Data to export: a list (CSV), one PDF, or audit records."),
    ],
    id: Annotated[
        BidId, Field(description="Proposal ID. Required for pdf. With record, limits the export to this proposal.")
    ]
    | None = None,
    from_: Annotated[Day, Field(description="First creation date to include.")] | None = None,
    to: Annotated[Day, Field(description="Last creation date to include.")] | None = None,
) -> Answer[Export]:
    if kind == "pdf":
        if id is None:
            raise InvalidInputError.at_path("id", messages.PDF_NEEDS_ID)
        return _export_pdf(get_bid(account, id))
    if kind == "record":
        return _export_records(account, id)
    rows = _table_rows(account, id, from_, to)
    fields = {"id": id, "from": from_.isoformat() if from_ else None, "to": to.isoformat() if to else None}
    text = csv_table.write(COLUMNS, rows)
    return export_text("bid", "proposal", "proposals.csv", text, rows=len(rows), kind=kind, exclusion_note="", **fields)


def _export_pdf(proposal: Proposal) -> Answer[Export]:
    decision = current_decision(proposal)
    name = pdf.file_name(proposal)
    if decision is not None and decision.pdf_sha256:
        try:
            content = pdf.load_signed_pdf(decision)
        except FileNotFoundError:
            content = b""
        if content:
            more = f"This is the original signed file, SHA-256 {decision.pdf_sha256}."
            return export_file("bid", "proposal", name, content, kind="pdf", exclusion_note=more, id=proposal.pk)
    agreed = decision if decision is not None and decision.outcome == DecisionOutcome.APPROVED else None
    more = "Not signed yet. The PDF is signed on approval."
    if agreed is not None:
        more = "This copy is not signed. The signed PDF will be ready in about a minute."
        if agreed.pdf_sha256:
            more = "This copy is not signed. The signed PDF was erased with the personal data in it."
    return export_file(
        "bid", "proposal", name, pdf.render_pdf(proposal, agreed), kind="pdf", exclusion_note=more, id=proposal.pk
    )


def _export_records(account: Account, id: str | None) -> Answer[Export]:
    records = list(audit_trail_export.export_all(account))
    if id is not None:
        get_bid(account, id)
        records = [item for item in records if item.get("record", {}).get("thing") == id]
    text = "".join(f"{json.dumps(item, ensure_ascii=False)}\n" for item in records)
    name = f"records-{id}.jsonl" if id else "records.jsonl"
    return export_text("bid", "record", name, text, rows=len(records), kind="record", id=id)


def _table_rows(account: Account, id: str | None, first: date | None, last: date | None) -> list[list[str]]:
    proposals = account.proposals.select_related("publication", "account").prefetch_related("decisions")
    if id is not None:
        proposals = proposals.filter(pk=get_bid(account, id).pk)
    if first is not None:
        proposals = proposals.filter(created_at__gte=datetime.combine(first, time.min, account.zone))
    if last is not None:
        proposals = proposals.filter(created_at__lt=datetime.combine(last + timedelta(days=1), time.min, account.zone))
    return [_table_row(proposal, account) for proposal in proposals[:MAX_ROWS]]


def _table_row(proposal: Proposal, account: Account) -> list[str]:
    proposal.account = account
    row = bid_summary(proposal)
    stands = next((decision for decision in proposal.decisions.all() if decision.is_current), None)
    sums = stands.totals if stands is not None else {}
    return [
        str(row["number"]),
        row["title"],
        row["client_name"],
        row["client_email"],
        row["client_company"],
        f"{row['status']}{' (expired)' if row['expired'] else ''}",
        row["currency"],
        _format_amount(proposal.total, row["currency"]),
        _format_amount(sums.get("total"), row["currency"]),
        _format_amount(sums.get("deposit"), row["currency"]),
        row["valid_until"],
        *(
            _format_local_time(moment, account)
            for moment in (proposal.created_at, proposal.sent_at, proposal.viewed_at)
        ),
        _format_local_time(proposal.decided_at, account),
        row["public_url"],
    ]


def _format_amount(minor: int | None, currency: str) -> str:
    return "" if minor is None else format_decimal(minor, currency)


def _format_local_time(moment: datetime | None, account: Account) -> str:
    return "" if moment is None else f"{moment.astimezone(account.zone):%Y-%m-%d %H:%M}"
