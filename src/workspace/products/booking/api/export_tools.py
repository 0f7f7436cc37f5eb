"""The tool that exports bookings as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib.tabular import csv_table, workbook_writer
from workspace.products.booking.api.arguments import PageId
from workspace.products.booking.api.booking_tools import filter_by_dates
from workspace.products.booking.api.serializers import BookingData, list_booking_data
from workspace.products.booking.api.tools import box
from workspace.products.booking.domain.queries import bookings_for, get_page
from workspace.publishing.export_answers import Export, export_file, export_text
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Day

MAX_ROWS = 50_000
COLUMNS = (
    "start", "end", "service", "name", "e-mail", "phone", "status", "price", "paid", "outcome", "note", "answers",
    "page", "booking",
)  # fmt: skip
_COLUMN_WIDTHS = (25, 25, 24, 24, 30, 18, 12, 9, 9, 10, 30, 40, 24, 30)  # characters
_AMOUNT_COLUMNS = (7, 8)


@box.tool(
    "svc_booking_export",
    title="Export bookings",
    about="Export bookings of one or all pages as CSV or XLSX, by start time. Includes every status. You can limit "
    "the period.",
    short="Export bookings as CSV or XLSX.",
    synonyms="download appointments, spreadsheet, excel, tax, accounting, termine exportieren, buchungen "
    "exportieren, exportar citas, descargar reservas",
    reads=True,
)
def export(
    account: Account,
    kind: Annotated[Literal["bookings"], Field(description="Data to export: bookings.")] = "bookings",
    page_id: PageId | None = None,
    from_: Annotated[Day, Field(description="First date to include.")] | None = None,
    to: Annotated[Day, Field(description="Last date to include.")] | None = None,
    format: Annotated[Literal["csv", "xlsx"], Field(description="File format. Defaults to csv.")] = "csv",
) -> Answer[Export]:
    page = get_page(account, page_id) if page_id is not None else None
    bookings = filter_by_dates(bookings_for(account), page, from_, to).order_by("starts_at", "id")[:MAX_ROWS]
    rows = [_table_row(row) for row in list_booking_data(bookings)]
    arguments: dict[str, Any] = {
        "from": from_.isoformat() if from_ else None, "to": to.isoformat() if to else None, "page_id": page_id
    }  # fmt: skip
    if format == "xlsx":
        content = _render_workbook(rows)
        name = "bookings.xlsx"
        return export_file("booking", "booking", name, content, rows=len(rows), kind=kind, format=format, **arguments)
    text = csv_table.write(COLUMNS, rows)
    return export_text("booking", "booking", "bookings.csv", text, rows=len(rows), kind=kind, **arguments)


def _table_row(row: BookingData) -> list[str]:
    answers = "; ".join(f"{answer['label']}: {answer['text']}" for answer in row["answers"])
    price = "" if row["price"] is None else str(row["price"])
    return [
        row["start"], row["end"], row["service"], row["name"], row["email"], row["phone"], row["status"], price,
        str(row["paid"]) if row["paid"] else "", row["outcome"], row["note"], answers, row["page"], row["id"],
    ]  # fmt: skip


def _render_workbook(rows: Iterable[list[str]]) -> bytes:
    """Build an XLSX file with the amounts as numbers."""
    cells = (
        [float(text) if text and place in _AMOUNT_COLUMNS else text for place, text in enumerate(row)] for row in rows
    )
    return workbook_writer.build_workbook("Bookings", list(zip(COLUMNS, _COLUMN_WIDTHS, strict=True)), cells)
