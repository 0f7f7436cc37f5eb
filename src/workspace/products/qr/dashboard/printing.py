"""Codes on paper: a sheet of many to cut apart, a poster or a table tent of one. They show the business and a call; a
code's name is the owner's only, and stands on a sheet where the owner asks for it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
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
MOST_DRAWN = 32 * 1024 * 1024  # bytes of all drawings on a sheet, logos included
COLUMNS = (1, 2, 3, 4, 5, 6)
CALL = "Scan me"


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
        "call": CALL,
        "business": request.account.name,
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
    call, business = _words(request)
    entries, room = [], MOST_DRAWN
    for code in found[:MAX_ENTRIES]:
        entries.append(_entry(code, code.name if "names" in request.GET else _unsaid(code, call)))
        room -= len(entries[-1].svg)
        if room < 0:
            return _too_much(request)
    if not entries:
        return HttpResponse(status=303, headers={"Location": "/app/qr/sheet?none"})
    paper = request.GET.get("paper", "a4")
    try:
        content = sheet(
            entries,
            paper=paper if paper in PAPERS else "a4",  # type: ignore[arg-type]
            columns=whole_number(request.GET.get("columns"), 3, COLUMNS[0], COLUMNS[-1]),
            business=business,
        )
    except UnsafeStyle:
        return _too_much(request)
    return _pdf(content, "qr-codes")


def _too_much(request: SignedInRequest) -> HttpResponse:
    messages.error(request, "These are too many codes with logos for one sheet. Choose fewer.")
    return HttpResponse(status=303, headers={"Location": "/app/qr/sheet"})


@page()
def printing(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, GET, id=id)
    context = {
        "code": Shown(found),
        "papers": POSTERS.items(),
        "call": found["style"]["caption"] or CALL,
        "business": request.account.name,
    }
    return render(request, "qr/print.html", context)


@page()
def poster_pdf(request: SignedInRequest, id: str) -> HttpResponse:
    code = code_of(request.account, id)
    paper = request.GET.get("paper", "a5")
    call, business = _words(request)
    options: dict[str, Any] = {
        "business": business,
        "paper": paper if paper in POSTERS else "a5",
        "tent": "tent" in request.GET,
    }
    try:
        content = poster(_entry(code, call), **options)
    except UnsafeStyle as unsafe:
        raise Http404(str(unsafe)) from None
    return _pdf(content, f"{file_name(code)}-{'tent' if options['tent'] else 'poster'}")


def _words(request: SignedInRequest) -> tuple[str, str]:
    """The call and the business, as the owner wishes them; an emptied one is left out."""
    return words(request.GET.get("call", CALL), 80), words(request.GET.get("business", request.account.name), 80)


def _unsaid(code: Code, call: str) -> str:
    """The call, unless the caption in the code's own frame says the same right above it."""
    return "" if code.looks.caption.casefold() == call.casefold() else call


def _entry(code: Code, call: str) -> SheetEntry:
    return SheetEntry(svg_of(code), code.short_url.partition("://")[2], call)


def _pdf(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    return response
