"""Many codes from a CSV file or from pasted lines: looked through first, made when nothing is wrong."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.products.qr.bulk_tools import MAX_ROWS
from workspace.products.qr.dashboard.calls import BULK, HOME, page
from workspace.products.qr.models import KIND
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.validation import validate

LONGEST = 1_000_000  # characters: 500 of the longest rows are not more
ORDER = ("name", "target_url", "folder", "slug")
# What the first line may call them.
COLUMNS = {
    **dict.fromkeys(("name", "label", "title"), "name"),
    **dict.fromkeys(("target", "target_url", "url", "link", "address"), "target_url"),
    **dict.fromkeys(("folder", "group"), "folder"),
    **dict.fromkeys(("slug", "code", "short"), "slug"),
}
SAMPLE = """name,target,folder,slug
Table 1,https://example.com/menu?table=1,Tables,
Table 2,https://example.com/menu?table=2,Tables,
Summer flyer,https://example.com/summer,Flyers,summer-flyer
"""


@page("GET", "HEAD", "POST")
def bulk(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(BULK, request)
    text, problem = _text(request)
    rows = [] if problem else list(_rows(text))
    form.values = {"codes": rows}
    if problem:
        form.error = problem
    elif request.POST.get("step") == "create" and rows:
        if answer := form.submit(request.caller):
            made, left = answer.data["created"], answer.data["did_not_fit"]
            messages.success(request, f"{made} code{'' if made == 1 else 's'} made.")
            if left:
                messages.warning(request, f"{left} did not fit into your plan: the first {made} were made.")
            return redirect_whole(request, HOME)
    elif rows:
        _look_through(form, rows)
    elif request.method == "POST":
        form.error = "There is nothing in it yet: paste some lines, or choose a file."
    if whole := form.errors.pop("codes", ()):
        form.error = f"The list as a whole: {' '.join(whole).lower()}."
    context = {
        "form": form,
        "text": text,
        "rows": [_shown(form, number, row) for number, row in enumerate(rows)],
        "wrong": len({path.split(".")[1] for path in form.errors if path.startswith("codes.")}),
        "room": _room(request, len(rows)),
        "most": MAX_ROWS,
    }
    return render(request, "qr/bulk.html", context, status=form.status)


@page()
def sample(request: SignedInRequest) -> HttpResponse:
    response = HttpResponse(SAMPLE, content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="qr-codes.csv"'
    return response


def _text(request: SignedInRequest) -> tuple[str, str]:
    """What was pasted or sent as a file, and what is wrong with it as a whole."""
    file = request.FILES.get("file")
    if file is None:
        text = request.POST.get("text", "")
    elif (file.size or 0) > LONGEST:
        return "", "This file is too large: at most 1 MB, please."
    else:
        content = file.read()
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            # what spreadsheets write where nobody asked them for UTF-8
            text = content.decode("cp1252", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    if len(text) > LONGEST:
        return "", "This is too long: at most 1,000,000 characters, please."
    if "\0" in text:
        return "", "This is not a CSV file. Export it from your spreadsheet as CSV, please."
    return text, ""


def _rows(text: str) -> Iterator[dict[str, Any]]:
    """The lines as the tool's entries. A first line of known column names says which column is what."""
    lines = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    columns: tuple[str, ...] = ORDER
    try:
        for number, cells in enumerate(lines):
            cells = [cell.strip() for cell in cells]
            if not any(cells):
                continue
            if number == 0 and all(cell.lower() in COLUMNS or not cell for cell in cells):
                columns = tuple(COLUMNS.get(cell.lower(), "") for cell in cells)
                continue
            yield {name: cell for name, cell in zip(columns, cells, strict=False) if name and cell}
    except csv.Error:  # a field of 131,072 characters and more
        return


def _delimiter(text: str) -> str:
    """Spreadsheets write semicolons where the comma is the decimal sign, and tabs when cells are copied."""
    first = text.partition("\n")[0]
    return max(",;\t", key=lambda mark: (first.count(mark), -",;\t".index(mark)))


def _look_through(form: ToolForm, rows: list[dict[str, Any]]) -> None:
    """What the tool's arguments say of the rows, before anything is made."""
    try:
        validate(BULK, {"codes": rows})
    except InvalidInput as refusal:
        for issue in refusal.issues:
            form.refuse(issue.path, issue.message)


def _shown(form: ToolForm, number: int, row: dict[str, Any]) -> dict[str, Any]:
    errors = {name: " ".join(form.errors.get(f"codes.{number}.{name}", ())) for name in ORDER}
    cells = [(name, row.get(name, ""), errors[name]) for name in ORDER]
    return {"number": number + 1, "cells": cells, "bad": any(errors.values())}


def _room(request: SignedInRequest, wanted: int) -> dict[str, int] | None:
    most = request.account.limits(KIND).codes
    if most is None:
        return None
    left = max(0, most - request.account.codes.count())
    return {"most": most, "left": left, "over": max(0, wanted - left)}
