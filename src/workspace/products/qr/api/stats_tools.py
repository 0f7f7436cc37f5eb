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
from workspace.products.qr.api.arguments import CodeId
from workspace.products.qr.api.serializers import code_summaries
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.queries import CODE_NOT_FOUND, codes_for
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


@box.tool("svc_qr_stats", title="Scans of a QR code", reads=True)
def stats(account: Account, id: CodeId, days: Days | None = None) -> Answer[Stats]:
    """Scans by people: in all, in the last 7 days, by day and hour, device, city, country and referrer. Bots are
    counted apart. A visitor is told again within a day only, so `unique` is per day. Days are the account's; the plan
    caps how far back."""
    publication_id, name, _ = _get_dynamic_code(account, id)
    history = account.limits(KIND).history_days
    statistics = compute_statistics(publication_id, SCAN_EVENT, days=limit_days(days, history), zone=account.zone)
    seen = add_previous_counts(visit_stats(statistics, account), history, views=statistics.before)
    data: Stats = {**seen, "id": id, "name": name, "by_day": list_day_stats(statistics)}
    text = format_fact_list(f"Scans of “{escape_markdown(name)}” ({id})", format_stats(data))
    return Answer(data, "\n".join([text, "", "By day:", *format_days(data["by_day"])]))


@box.tool("svc_qr_export", title="Export codes, or the scans of one", reads=True)
def export(
    account: Account,
    kind: Annotated[Literal["codes", "scans"], Field(description="All your codes, or every scan of one")],
    id: Annotated[CodeId, Field(description="With scans: the code's id, as svc_qr_list tells it")] | None = None,
    days: Annotated[Days, Field(description="With scans: how many days back, today included; the plan caps it")]
    | None = None,
) -> Answer[Export]:
    """A CSV file to save: your codes with their targets, addresses and totals, or every scan of a code with its time,
    device, city, country, referrer and whether it was a bot, newest first, at most 50,000. A cell that a spreadsheet
    would run as a formula begins with an apostrophe."""
    if kind == "codes":
        for name, value in (("id", id), ("days", days)):
            if value is not None:
                raise InvalidInputError.at_path(name, "Goes with kind=scans only: leave it out")
        codes = code_summaries(codes_for(account)[:MAX_EXPORT_ROWS])
        lines = [[row[name] for name in CODE_COLUMNS] for row in codes]  # type: ignore[literal-required]
        return export_text(
            "qr", "QR code", "qr-codes.csv", csv_table.write(CODE_COLUMNS, lines), rows=len(lines), kind=kind
        )
    if id is None:
        raise InvalidInputError.at_path("id", "Required with kind=scans: the code whose scans you want")
    publication_id, _, slug = _get_dynamic_code(account, id)
    days = limit_days(days, account.limits(KIND).history_days)
    seen = list(islice(stream_visits(publication_id, SCAN_EVENT, days=days, zone=account.zone), MAX_EXPORT_ROWS + 1))
    more = f"It holds the newest {MAX_EXPORT_ROWS:,} of more scans." if len(seen) > MAX_EXPORT_ROWS else ""
    text = csv_table.write(SCAN_COLUMNS, seen[:MAX_EXPORT_ROWS])
    name, count = f"scans-{slug}.csv", min(len(seen), MAX_EXPORT_ROWS)
    return export_text("qr", "scan", name, text, rows=count, kind=kind, exclusion_note=more, id=id, days=str(days))


def _get_dynamic_code(account: Account, id: str) -> tuple[str, str, str]:
    """Return the publication id, the name and the slug of a dynamic code.

    Raise NotFoundError if there is none in this account. Raise ToolError for a static code: zeros would mean that no
    one scanned it.
    """
    publication_id, name, slug, content = _CODE_QUERY.get_one(CODE_NOT_FOUND, account=account.pk, id=id)
    if content:
        raise OperationNotAllowedError("This code is static: phones read it without us, so its scans are not counted")
    return publication_id, name, slug


_CODE_QUERY = CompiledQuery(
    lambda: Code.objects.filter(account_id=parameter("account"), pk=parameter("id")).values_list(
        "publication_id", "name", "publication__slug", "content"
    )
)
