"""Many codes on paper: a sheet to cut apart."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts.dispatch import perform
from workspace.dashboard import item_presenters
from workspace.dashboard.downloads import saved
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page, whole_number, words
from workspace.products.qr.api import print_tools
from workspace.products.qr.api.serializers import folders_of, rows
from workspace.products.qr.dashboard.layout import FRAME
from workspace.products.qr.domain.print_jobs import MOST
from workspace.products.qr.domain.queries import codes_of
from workspace.publishing.call_to_action import CALL, call_of, language_of

LISTED = 200  # codes to choose from; a folder narrows them
PAPERS = {"a4": "A4", "letter": "Letter"}
COLUMNS = (1, 2, 3, 4, 5, 6)


@page()
def choose(request: SignedInRequest) -> HttpResponse:
    """What to print and how; the download is a form's GET, so that it works without script."""
    folder = words(request.GET.get("folder"), 60)
    found = codes_of(request.account)
    if folder:
        found = found.filter(folder=folder)
    chosen = set(request.GET.getlist("id")[:MOST])
    context = {
        "codes": [item_presenters.shown(row, FRAME.home) for row in rows(found[:LISTED])],
        "chosen": chosen,
        "all_chosen": not chosen,
        "folder": folder,
        "folders": folders_of(request.account),
        "papers": PAPERS.items(),
        "columns": COLUMNS,
        "call": call_of(CALL, language_of(request.account)),
        "business": request.account.name,
        "more": found.count() > LISTED,
        "listed": LISTED,
        "problem": request.GET.get("none") is not None,
    }
    return render(request, "qr/sheet.html", context)


@page()
def sheet_pdf(request: SignedInRequest) -> HttpResponse:
    """The chosen codes, in the order of the list; those of a folder when `whole` is asked for."""
    found = request.account.codes.all()
    if folder := words(request.GET.get("whole"), 60):
        found = found.filter(folder=folder)
    else:
        found = found.filter(pk__in=[words(id, 64) for id in request.GET.getlist("id")[:MOST]])
    ids = list(found.values_list("pk", flat=True)[:MOST])
    if not ids:
        return HttpResponse(status=303, headers={"Location": f"{FRAME.home}/sheet?none"})
    return _pdf(
        request,
        thing=ids[0],
        kind="sheet",
        more=ids[1:],
        size=_one_of(request, PAPERS, "a4"),
        columns=whole_number(request.GET.get("columns"), 3, COLUMNS[0], COLUMNS[-1]),
        names="names" in request.GET,
    )


def _one_of(request: SignedInRequest, papers: dict[str, str], usual: str) -> str:
    paper = request.GET.get("paper", usual)
    return paper if paper in papers else usual


def _pdf(request: SignedInRequest, **arguments: Any) -> HttpResponse:
    """With the words that the owner wishes; an emptied one is left out."""
    said = {name: words(request.GET[name], 80) for name in ("call", "business") if name in request.GET}
    file = perform(print_tools.print_code, request.caller, {**arguments, **said}).file
    assert file is not None
    return saved(file.content, file.name, file.media_type)
