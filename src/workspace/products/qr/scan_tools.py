"""What a code's scans tell: statistics, the export, and whether its look will scan."""

from __future__ import annotations

from itertools import islice

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.qr.arguments import CodeId
from workspace.products.qr.drawing import logo_of
from workspace.products.qr.models import KIND, SCAN
from workspace.products.qr.rows import code_of
from workspace.products.qr.tools import tools
from workspace.publishing.arguments import Days, window
from workspace.publishing.statistics import Share, scans, statistics
from workspace.symbols.scancheck import check
from workspace.toolkit import table
from workspace.toolkit.answer import Answer, facts
from workspace.toolkit.text import escape_markdown

MAX_EXPORT = 50_000


class DayRow(TypedDict):
    date: str
    scans: int
    unique: int


class ShareRow(TypedDict):
    name: str
    scans: int


class Stats(TypedDict):
    id: str
    name: str
    days: int
    time_zone: str
    total: int
    total_in_days: int
    unique_per_day: int
    bots: int
    last_7_days: int
    by_day: list[DayRow]
    by_device: list[ShareRow]
    by_city: list[ShareRow]
    by_country: list[ShareRow]
    by_referrer: list[ShareRow]


@tools.tool("svc_qr_stats", title="Scans of a QR code", reads=True)
def stats(account: Account, id: CodeId, days: Days | None = None) -> Answer[Stats]:
    """Scans by people: in all, in the last 7 days, by day, device, city and country. Bots are counted apart. A visitor
    is told again within a day only, so `unique` is per day. Days are the account's; the plan caps how far back."""
    code = code_of(account, id)
    days = window(days, account.limits(KIND).history_days)
    found = statistics(code.publication_id, SCAN, days=days, zone=account.zone)
    data: Stats = {
        "id": code.pk,
        "name": code.name,
        "days": days,
        "time_zone": account.time_zone,
        "total": found.total,
        "total_in_days": found.total_in_window,
        "unique_per_day": found.unique,
        "bots": found.bots,
        "last_7_days": found.last_7_days,
        "by_day": [{"date": day.date.isoformat(), "scans": day.count, "unique": day.unique} for day in found.by_day],
        "by_device": _shares(found.by_device),
        "by_city": _shares(found.by_city),
        "by_country": _shares(found.by_country),
        "by_referrer": _shares(found.by_referrer),
    }
    pairs = {
        "in all": data["total"],
        "in the last 7 days": data["last_7_days"],
        f"in the last {days} days": data["total_in_days"],
        "different visitors, day by day": data["unique_per_day"],
        "bots, counted apart": data["bots"],
        "devices": _told(data["by_device"]),
        "countries": _told(data["by_country"]),
        "cities": _told(data["by_city"]),
    }
    text = facts(f"Scans of “{escape_markdown(code.name)}”", pairs)
    return Answer(data, text)


class ScanExport(TypedDict):
    id: str
    file_name: str
    rows: int
    truncated: bool
    csv: str


@tools.tool("svc_qr_export_scans", title="Export scans as CSV", reads=True)
def export_scans(account: Account, id: CodeId, days: Days | None = None) -> Answer[ScanExport]:
    """Every scan of a code as CSV text: time with offset, device, city, country, referrer, bot. Newest first,
    50,000 at most."""
    code = code_of(account, id)
    days = window(days, account.limits(KIND).history_days)
    found = list(islice(scans(code.publication_id, SCAN, days=days, zone=account.zone), MAX_EXPORT + 1))
    count = min(len(found), MAX_EXPORT)
    data: ScanExport = {
        "id": code.pk,
        "file_name": f"scans-{code.slug}.csv",
        "rows": count,
        "truncated": len(found) > MAX_EXPORT,
        "csv": table.write(("time", "device", "city", "country", "referrer", "bot"), found[:MAX_EXPORT]),
    }
    return Answer(data, f"{count} scans of “{escape_markdown(code.name)}” in the last {days} days, as CSV in `csv`.")


class CheckRow(TypedDict):
    test: str
    reader: str
    passed: bool


class Checked(TypedDict):
    id: str
    verdict: str
    score: float
    contrast: float
    advice: list[str]
    tests: list[CheckRow]


@tools.tool("svc_qr_check", title="Will it scan?", reads=True)
def check_code(account: Account, id: CodeId) -> Answer[Checked]:
    """Draw the code as it is and read it with two independent readers: clean, blurred, small, tilted and faint. The
    verdict is good, risky or unsafe, with advice."""
    code = code_of(account, id)
    logo = logo_of(code.logo)
    report = check(code.looks, code.printed_url, logo=logo)
    data: Checked = {
        "id": code.pk,
        "verdict": report.verdict,
        "score": round(report.score, 3),
        "contrast": round(report.contrast, 2),
        "advice": list(report.advice),
        "tests": [{"test": test.test, "reader": test.reader, "passed": test.passed} for test in report.tests],
    }
    passed = sum(test["passed"] for test in data["tests"])
    text = f"“{escape_markdown(code.name)}” is {report.verdict}: {passed} of {len(data['tests'])} readings succeeded."
    return Answer(data, "\n".join([text, "", *[f"- {line}" for line in report.advice]]))


def _shares(found: list[Share]) -> list[ShareRow]:
    return [{"name": share.value, "scans": share.count} for share in found]


def _told(shares: list[ShareRow]) -> str:
    return ", ".join(f"{escape_markdown(share['name'])} {share['scans']}" for share in shares[:5])
