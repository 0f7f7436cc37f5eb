"""Tools for a code's scans: statistics, and exports."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.analytics.queries import compute_statistics, stream_visits
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_days,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown
from workspace.products.qr import messages
from workspace.products.qr.api.arguments import CodeId
from workspace.products.qr.api.serializers import code_summaries
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.queries import codes_for
from workspace.products.qr.models import KIND, SCAN_EVENT, Code
from workspace.publishing.export_answers import Export, export_text
from workspace.publishing.shared_item_arguments import Days, limit_days
from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.tools.answer import Answer, format_fact_list

MAX_EXPORT_ROWS = 50_000
CODE_COLUMNS = (
    "name",
    "kind",
    "holds",
    "target_url",
    "folder",
    "public_url",
    "printed_url",
    "state",
    "total_scans",
    "created_at",
    "id",
)
SCAN_COLUMNS = ("time", "device", "city", "country", "referrer", "bot")


class Stats(VisitStats):
    id: str
    name: str
    by_day: list[DayStats]


@box.tool(
    "svc_qr_stats",
    title="Get QR code scans",
    about="Get scans of a QR code: in total, in the last 7 days, and by day, hour, device, city, country and "
    "referrer. Bots are counted separately. unique counts each visitor once a day. Days are in the account's "
    "time zone. Your plan limits how far back the data goes.",
    short="Get scans of a QR code by day, device, city and country.",
    synonyms="analytics, statistics, how often scanned, how many scans, scan count, where scanned, performance, "
    "wie oft gescannt, statistik, auswertung, cuántas veces, escaneos, estadísticas",
    reads=True,
)
def stats(account: Account, id: CodeId, days: Days | None = None) -> Answer[Stats]:
    publication_id, name, _ = _get_dynamic_code(account, id)
    history = account.limits(KIND).history_days
    statistics = compute_statistics(publication_id, SCAN_EVENT, days=limit_days(days, history), zone=account.zone)
    seen = add_previous_counts(visit_stats(statistics, account), history, views=statistics.before)
    data: Stats = {**seen, "id": id, "name": name, "by_day": list_day_stats(statistics)}
    text = format_fact_list(f"Scans of “{escape_markdown(name)}” ({id})", format_stats(data))
    return Answer(data, "\n".join([text, "", "By day:", *format_days(data["by_day"])]))


@box.tool(
    "svc_qr_export",
    title="Export QR codes or scans",
    about="Export all QR codes with their totals, or every scan of one QR code, as CSV. Scans are listed newest "
    "first, up to 50,000, with time, device, city, country, referrer and bot flag. Cells that look like formulas are "
    "prefixed with an apostrophe.",
    short="Export all QR codes, or the scans of one, as CSV.",
    synonyms="download csv, spreadsheet, excel, scan data, scan log, raw data, exportieren, tabelle, exportar, "
    "descargar, hoja de cálculo",
    reads=True,
)
def export(
    account: Account,
    kind: Annotated[
        Literal["codes", "scans"], Field(description="Data to export: all QR codes, or every scan of one QR code.")
    ],
    id: Annotated[CodeId, Field(description="For scans: QR code ID.")] | None = None,
    days: Annotated[
        Days, Field(description="For scans: number of days to include, ending today. Limited by your plan.")
    ]
    | None = None,
) -> Answer[Export]:
    if kind == "codes":
        for name, value in (("id", id), ("days", days)):
            if value is not None:
                raise InvalidInputError.at_path(name, messages.SCANS_ARGUMENT)
        codes = code_summaries(codes_for(account)[:MAX_EXPORT_ROWS])
        lines = [[row[name] for name in CODE_COLUMNS] for row in codes]  # type: ignore[literal-required]
        return export_text(
            "qr", "QR code", "qr-codes.csv", csv_table.write(CODE_COLUMNS, lines), rows=len(lines), kind=kind
        )
    if id is None:
        raise InvalidInputError.at_path("id", messages.SCANS_NEED_ID)
    publication_id, _, slug = _get_dynamic_code(account, id)
    days = limit_days(days, account.limits(KIND).history_days)
    seen = list(islice(stream_visits(publication_id, SCAN_EVENT, days=days, zone=account.zone), MAX_EXPORT_ROWS + 1))
    more = f"Contains only the newest {MAX_EXPORT_ROWS:,} scans." if len(seen) > MAX_EXPORT_ROWS else ""
    text = csv_table.write(SCAN_COLUMNS, seen[:MAX_EXPORT_ROWS])
    name, count = f"scans-{slug}.csv", min(len(seen), MAX_EXPORT_ROWS)
    return export_text("qr", "scan", name, text, rows=count, kind=kind, exclusion_note=more, id=id, days=str(days))


def _get_dynamic_code(account: Account, id: str) -> tuple[str, str, str]:
    """Return the publication id, the name and the slug of a dynamic code.

    Raise NotFoundError if the account does not have it. Raise ToolError for a static code, because zeros would mean
    that no one scanned it.
    """
    publication_id, name, slug, content = _CODE_QUERY.get_one(messages.CODE_NOT_FOUND, account=account.pk, id=id)
    if content:
        raise OperationNotAllowedError(messages.STATIC_CODE_HAS_NO_SCANS)
    return publication_id, name, slug


_CODE_QUERY = CompiledQuery(
    lambda: Code.objects.filter(account_id=parameter("account"), pk=parameter("id")).values_list(
        "publication_id", "name", "publication__slug", "content"
    )
)
