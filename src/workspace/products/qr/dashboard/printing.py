"""Codes on paper: a sheet of many to cut apart, a poster or a table tent of one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import call, whole_number, words
from workspace.products.qr.dashboard.calls import GET, page
from workspace.products.qr.dashboard.files import file_name
from workspace.products.qr.dashboard.shown import Shown
from workspace.products.qr.drawing import svg_of
from workspace.products.qr.models import Code
from workspace.products.qr.rows import code_of, codes_of, folders_of, rows
from workspace.symbols.sheet import MAX_ENTRIES, SheetEntry, poster, sheet
from workspace.symbols.style import UnsafeStyle

LISTED = 200  # codes to choose from; a folder narrows them
PAPERS = {"a4": "A4", "letter": "Letter"}
POSTERS = {"a6": "A6, a small card", "a5": "A5, a table", "a4": "A4, a wall", "letter": "Letter, a wall"}
COLUMNS = (1, 2, 3, 4, 5, 6)


@page()
def choose(request: SignedInRequest) -> HttpResponse:
    """What to print and how; the download is a form's GET, so that it works without script."""
    folder = words(request.GET.get("folder"), 60)
    found = codes_of(request.account)
    if folder:
        found = found.filter(folder=folder)
    chosen = set(request.GET.getlist("id")[:MAX_ENTRIES])
    codes = [Shown(dict(row)) for row in rows(found[:LISTED])]
    context = {
        "codes": codes,
        "chosen": chosen,
        "all_chosen": not chosen,
        "folder": folder,
        "folders": folders_of(request.account),
        "papers": PAPERS.items(),
        "columns": COLUMNS,
        "more": found.count() > LISTED,
        "listed": LISTED,
        "problem": request.GET.get("none") is not None,
    }
    return render(request, "qr/sheet.html", context)


@page()
def sheet_pdf(request: SignedInRequest) -> HttpResponse:
    """The chosen codes, in the order of the list; those of a folder when `whole` is asked for."""
    found = codes_of(request.account).select_related("logo")
    if folder := words(request.GET.get("whole"), 60):
        found = found.filter(folder=folder)
    else:
        found = found.filter(pk__in=[words(id, 64) for id in request.GET.getlist("id")[:MAX_ENTRIES]])
    entries = [_entry(code) for code in found[:MAX_ENTRIES]]
    if not entries:
        return HttpResponse(status=303, headers={"Location": "/app/qr/sheet?none"})
    paper = request.GET.get("paper", "a4")
    content = sheet(
        entries,
        paper=paper if paper in PAPERS else "a4",  # type: ignore[arg-type]
        columns=whole_number(request.GET.get("columns"), 3, COLUMNS[0], COLUMNS[-1]),
        title=folder or f"QR codes of {request.account.name}",
    )
    return _pdf(content, "qr-codes")


@page()
def printing(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, GET, id=id)
    call_text = found["style"]["caption"] or "Scan me"
    return render(request, "qr/print.html", {"code": Shown(found), "papers": POSTERS.items(), "call": call_text})


@page()
def poster_pdf(request: SignedInRequest, id: str) -> HttpResponse:
    code = code_of(request.account, id)
    paper = request.GET.get("paper", "a5")
    options: dict[str, Any] = {
        "call": words(request.GET.get("call"), 80),
        "paper": paper if paper in POSTERS else "a5",
        "tent": "tent" in request.GET,
    }
    try:
        content = poster(_entry(code), **options)
    except UnsafeStyle as unsafe:
        raise Http404(str(unsafe)) from None
    return _pdf(content, f"{file_name(code)}-{'tent' if options['tent'] else 'poster'}")


def _entry(code: Code) -> SheetEntry:
    return SheetEntry(svg_of(code), code.name, code.short_url.partition("://")[2])


def _pdf(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    return response
