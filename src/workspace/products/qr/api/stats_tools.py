"""What a code's scans tell: figures, and files of them."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

from pydantic import Field

from workspace.accounts.models import Account
from workspace.analytics.queries import scans, statistics
from workspace.analytics.serializers import DayRow, Visits, day_rows, facts_of, lines_of, visits, with_before
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.tabular import csv_table
from workspace.lib.text import escape_markdown
from workspace.products.qr.api.arguments import CodeId
from workspace.products.qr.api.serializers import rows
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.queries import MISSING, codes_of
from workspace.products.qr.models import KIND, SCAN, Code
from workspace.publishing.arguments import Days, window
from workspace.publishing.exports import Export, exported
from workspace.storage.database.compiled_query import Statement, given
from workspace.tools.answer import Answer, facts

MAX_EXPORT = 50_000
COLUMNS = (
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
OF_SCANS = ("time", "device", "city", "country", "referrer", "bot")


class Stats(Visits):
    id: str
    name: str
    by_day: list[DayRow]


@box.tool("svc_qr_stats", title="Scans of a QR code", reads=True)
def stats(account: Account, id: CodeId, days: Days | None = None) -> Answer[Stats]:
    """Scans by people: in all, in the last 7 days, by day and hour, device, city, country and referrer. Bots are
    counted apart. A visitor is told again within a day only, so `unique` is per day. Days are the account's; the plan
    caps how far back."""
    publication_id, name, _ = _counted(account, id)
    history = account.limits(KIND).history_days
    found = statistics(publication_id, SCAN, days=window(days, history), zone=account.zone)
    seen = with_before(visits(found, account), history, views=found.before)
    data: Stats = {**seen, "id": id, "name": name, "by_day": day_rows(found)}
    text = facts(f"Scans of “{escape_markdown(name)}” ({id})", facts_of(data))
    return Answer(data, "\n".join([text, "", "By day:", *lines_of(data["by_day"])]))


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
        for name, given in (("id", id), ("days", days)):
            if given is not None:
                raise InvalidInput.at(name, "Goes with kind=scans only: leave it out")
        found = rows(codes_of(account)[:MAX_EXPORT])
        lines = [[row[name] for name in COLUMNS] for row in found]  # type: ignore[literal-required]
        return exported("qr", "QR code", "qr-codes.csv", csv_table.write(COLUMNS, lines), rows=len(lines), kind=kind)
    if id is None:
        raise InvalidInput.at("id", "Required with kind=scans: the code whose scans you want")
    publication_id, _, slug = _counted(account, id)
    days = window(days, account.limits(KIND).history_days)
    seen = list(islice(scans(publication_id, SCAN, days=days, zone=account.zone), MAX_EXPORT + 1))
    more = f"It holds the newest {MAX_EXPORT:,} of more scans." if len(seen) > MAX_EXPORT else ""
    text = csv_table.write(OF_SCANS, seen[:MAX_EXPORT])
    name, count = f"scans-{slug}.csv", min(len(seen), MAX_EXPORT)
    return exported("qr", "scan", name, text, rows=count, kind=kind, more=more, id=id, days=str(days))


def _counted(account: Account, id: str) -> tuple[str, str, str]:
    """Of a code its publication's id, its name and its slug. Raises NotFound for one that there is not, or is another
    account's, and ToolError for a static one: zeros would say that nobody came."""
    publication_id, name, slug, content = _OF_ONE.one(MISSING, account=account.pk, id=id)
    if content:
        raise ToolError("This code is static: phones read it without us, so its scans are not counted")
    return publication_id, name, slug


_OF_ONE = Statement(
    lambda: Code.objects.filter(account_id=given("account"), pk=given("id")).values_list(
        "publication_id", "name", "publication__slug", "content"
    )
)
