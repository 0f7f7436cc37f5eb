"""Creating several codes from a CSV file or pasted lines: a preview, then the codes if there are no errors."""

from __future__ import annotations

from typing import Any

from django.contrib import messages as flash_messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular import csv_table
from workspace.products.qr import messages
from workspace.products.qr.api import bulk_tools
from workspace.products.qr.api.bulk_tools import MAX_PER_TRANSACTION, MAX_ROWS
from workspace.products.qr.api.serializers import DYNAMIC
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.dashboard.list_views import quota_usage
from workspace.products.qr.domain.code_list_input import find_repeated_slugs, find_taken_slugs
from workspace.products.qr.rules.code_fields import SavedCode
from workspace.tools.validation import validate_arguments

MAX_SHOWN_LINES = 100  # valid lines to show; all invalid lines are shown
# Possible headings of each column. The first name of each is shown to users.
COLUMN_HEADINGS = {
    **dict.fromkeys(("name", "label", "title"), "name"),
    **dict.fromkeys(("destination", "target", "target_url", "url", "link", "leads to"), "target_url"),
    **dict.fromkeys(("folder", "group"), "folder"),
    **dict.fromkeys(("custom link", "short link", "printed address", "address", "slug", "code", "short"), "slug"),
    "id": "id",
    "kind": "kind",
    # other columns of svc_qr_export
    **dict.fromkeys(("holds", "public_url", "printed_url", "state", "total_scans", "created_at"), ""),
}
COLUMN_ORDER = ("name", "target_url", "folder", "slug")
# Two columns without a heading: a comma in a link would otherwise look like the separator before a folder.
DEFAULT_COLUMNS = ("name", "target_url")
SAMPLE_CSV = """name,destination,folder,custom link
Table 1,https://example.com/menu?table=1,Tables,
Table 2,https://example.com/menu?table=2,Tables,
Summer flyer,"https://example.com/summer?of=cakes,coffee",Flyers,summer-flyer
"""


@page("GET", "HEAD", "POST")
def import_codes(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(bulk_tools.save, request)
    text, note, same = "", "", 0
    rows: list[csv_table.CsvRow] = []
    if request.method == "POST":
        try:
            text, note = read_list_text(request, "text")
            csv_rows = csv_table.parse_csv(
                text, COLUMN_HEADINGS, order=DEFAULT_COLUMNS, max_rows=MAX_ROWS, path="text"
            ).rows
            rows, static = _filter_changed_rows(request, csv_rows)
            same = len(csv_rows) - len(rows) - static
            if static:
                left = ngettext(
                    "%(count)s static QR code was skipped because tables don’t contain its content.",
                    "%(count)s static QR codes were skipped because tables don’t contain their content.",
                    static,
                )
                note = f"{note} {left % {'count': static}}".strip()
            if not csv_rows:
                form.add_error("text", str(messages.LIST_EMPTY))
        except InvalidInputError as refusal:
            for issue in refusal.issues:
                form.add_error("text", issue.message)
    form.values = {"items": [row.cells for row in rows]}
    making = request.POST.get("step") == "create"
    if rows:
        _validate_rows(form, rows, making)
    if len(rows) > MAX_PER_TRANSACTION and any("id" in row.cells for row in rows):
        form.add_error("text", str(messages.TOO_MANY_CHANGED_LINES(most=MAX_PER_TRANSACTION)))
    if rows and making and not form.errors and (answer := form.submit(request.caller)):
        return _redirect_after_save(request, answer.data, len(rows))
    lines = [_present_row(form, place, row) for place, row in enumerate(rows)]
    bad = [line for line in lines if line["bad"]]
    fine = [line for line in lines if not line["bad"]]
    context = {
        "form": form,
        "text": text,
        "note": note,
        "lines": lines,
        "same": same,
        "changing": sum("id" in row.cells for row in rows),
        "shown_lines": sorted([*bad, *fine[:MAX_SHOWN_LINES]], key=lambda line: line["number"]),
        "hidden": max(0, len(fine) - MAX_SHOWN_LINES),
        "wrong": len(bad),
        "room": quota_usage(request, len(rows)),
        "most": MAX_ROWS,
    }
    return render(request, "qr/owner/bulk.html", context, status=form.status)


def _redirect_after_save(request: SignedInRequest, data: Any, count: int) -> HttpResponse:
    """Redirect with a message that says how many of the `count` rows were saved."""
    made, left, job = data["created"], data["did_not_fit"], data.get("job_id")
    changed = data["changed"]
    if not job:
        sentences = []
        if made:
            sentences.append(ngettext("%(count)s QR code created.", "%(count)s QR codes created.", made))
            sentences[-1] %= {"count": made}
        if changed:
            sentences.append(ngettext("%(count)s QR code updated.", "%(count)s QR codes updated.", changed))
            sentences[-1] %= {"count": changed}
        flash_messages.success(request, " ".join(sentences) or gettext("No changes."))
    if left:
        text = ngettext(
            "%(left)s QR code was skipped because you’ve reached your plan’s limit.",
            "%(left)s QR codes were skipped because you’ve reached your plan’s limit.",
            left,
        )
        flash_messages.warning(request, text % {"left": left})
    return redirect_full_page(request, f"/app/jobs/{job}" if job else LAYOUT.home)


@page()
def download_sample(request: SignedInRequest) -> HttpResponse:
    response = HttpResponse(SAMPLE_CSV, content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="qr-codes.csv"'
    return response


def _filter_changed_rows(request: SignedInRequest, rows: list[csv_table.CsvRow]) -> tuple[list[csv_table.CsvRow], int]:
    """Return the rows that change something, without ids of unknown codes, and the number of unknown static codes."""
    existing = request.account.codes.in_bulk([row.cells["id"] for row in rows if "id" in row.cells])
    csv_rows, static = [], 0
    for row in rows:
        code = existing.get(row.cells.get("id", ""))
        cells = {name: text for name, text in row.cells.items() if name not in ("id", "kind")}
        if code is None and row.cells.get("kind", DYNAMIC) != DYNAMIC:
            static += 1
        elif code is None:
            csv_rows.append(csv_table.CsvRow(row.number, cells))
        elif changes := {name: text for name, text in cells.items() if getattr(code, name) != text}:
            csv_rows.append(csv_table.CsvRow(row.number, {"id": code.pk, **changes}))
    return csv_rows, static


def _validate_rows(form: ToolForm, rows: list[csv_table.CsvRow], is_new: bool) -> None:
    """Validate all lines as the tool does, before anything is created."""
    try:
        arguments: Any = validate_arguments(bulk_tools.save, form.arguments)
    except InvalidInputError as refusal:
        issues = list(refusal.issues)
    else:
        items: list[SavedCode] = arguments.items
        # the tool checks for slugs in use when it creates the codes: a second click would find the slugs of the first
        issues = [
            *find_repeated_slugs(items, [row.number for row in rows]),
            *([] if is_new else find_taken_slugs(items)),
        ]
    for issue in issues:
        form.add_error(issue.path, issue.message)


def _present_row(form: ToolForm, place: int, row: csv_table.CsvRow) -> dict[str, Any]:
    errors = {name: " ".join(form.errors.get(f"items.{place}.{name}", ())) for name in COLUMN_ORDER}
    cells = [(name, row.cells.get(name, ""), errors[name]) for name in COLUMN_ORDER]
    return {"number": row.number, "cells": cells, "bad": any(errors.values())}
