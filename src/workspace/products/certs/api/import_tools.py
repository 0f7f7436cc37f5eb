"""The tool that issues certificates to a list of people."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.products.certs import messages
from workspace.products.certs.api.arguments import Course, Custom, DateText, Hours, TemplateId
from workspace.products.certs.api.tools import (
    IssuedCertificates,
    box,
    check_printable_texts,
    issue_to_recipients,
)
from workspace.products.certs.domain import recipient_table
from workspace.publishing.list_columns import ListColumnFields, ListCsv
from workspace.publishing.models import RememberedColumns
from workspace.tools.answer import Answer

DayOrder = Literal["dmy", "mdy"]


class ImportedCertificates(IssuedCertificates):
    """The certificates of a list."""

    warnings: Annotated[list[str], Field(description="Lines and columns of the list that are not used.")]


def _check_list(account: Account, arguments: Any) -> None:
    """Typeset unusual texts of the list, before anything is issued."""
    recipients, sheet = recipient_table.parse_recipient_list(
        account,
        arguments.csv,
        arguments.columns or {},
        arguments.day_order or "",
        has_heading=bool(arguments.has_heading),
    )
    numbers = [row.number for row in sheet.rows]
    check_printable_texts(recipients, lambda place, name: f"csv.{numbers[place]}.{name}")


@box.tool(
    "svc_certs_import",
    title="Issue certificates to a list",
    about="Issue certificates to a list of people as CSV, such as a course list. Columns are recognized by their "
    "headings in six languages. One invalid cell rejects the list. To preview it, use dry_run. Recipients with an "
    "email address are emailed. For a few recipients, use svc_certs_issue.",
    short="Issue certificates to a CSV list of people.",
    synonyms="import recipients, participant list, csv, excel, spreadsheet, course list, teilnehmerliste importieren, "
    "zertifikate für eine liste, importar lista de participantes, certificados en lote",
    prepare=_check_list,
    sends=True,
    rare=True,
)
def import_recipients(
    account: Account,
    template_id: TemplateId,
    csv: Annotated[
        ListCsv,
        Field(
            description="List as CSV. Columns: name, email, course, date, hours, custom, valid until, language, "
            "reference."
        ),
    ],
    columns: ListColumnFields | None = None,
    has_heading: Annotated[bool, Field(description="Whether the first line names the columns. Detected by default.")]
    | None = None,
    day_order: Annotated[DayOrder, Field(description="Order of dates such as 3/4/2026. Needed if it is unclear.")]
    | None = None,
    course: Course | None = None,
    date: DateText | None = None,
    hours: Hours | None = None,
    custom: Custom | None = None,
) -> Answer[ImportedCertificates]:
    recipients, sheet = recipient_table.parse_recipient_list(
        account, csv, columns or {}, day_order or "", has_heading=bool(has_heading)
    )
    if not day_order and (unclear := recipient_table.list_ambiguous_days(sheet)):
        raise InvalidInputError.at_path("day_order", messages.AMBIGUOUS_DAYS(date=unclear[0][:20]))
    RememberedColumns.remember(account, recipient_table.LIST_NAME, sheet)
    defaults = {"course": course or "", "date": date or "", "hours": hours or "", "custom": custom or ""}
    answer = issue_to_recipients(account, template_id, recipients, defaults)
    warnings = sheet.notes()
    data: ImportedCertificates = {**answer.data, "warnings": warnings}
    return Answer(data, lambda: "\n".join([answer.text, *(f"- {warning}" for warning in warnings)]))
