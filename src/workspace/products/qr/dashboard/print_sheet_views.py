"""Print sheets of several codes to cut apart."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard import item_presenters
from workspace.dashboard.downloads import download_response
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import clean_text, page, parse_whole_number
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.api import print_tools
from workspace.products.qr.api.serializers import code_summaries, folders_for
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.domain.print_files import MAX_CODES
from workspace.products.qr.domain.queries import codes_for
from workspace.publishing.guest_language import DEFAULT_CALL, guest_language, translate_call_to_action

MAX_LISTED = 200  # codes to choose from; a folder reduces them
PAPER_LABELS = {"a4": owner_gettext_lazy("A4"), "letter": owner_gettext_lazy("Letter")}
COLUMN_CHOICES = (1, 2, 3, 4, 5, 6)


@page()
def choose_codes(request: SignedInRequest) -> HttpResponse:
    """Let the owner choose codes and options. The download is a GET form, so it works without scripts."""
    folder = clean_text(request.GET.get("folder"), 60)
    codes = codes_for(request.account)
    if folder:
        codes = codes.filter(folder=folder)
    chosen = set(request.GET.getlist("id")[:MAX_CODES])
    context = {
        "codes": [item_presenters.present_item(row, LAYOUT.home) for row in code_summaries(codes[:MAX_LISTED])],
        "chosen": chosen,
        "all_chosen": not chosen,
        "folder": folder,
        "folders": folders_for(request.account),
        "papers": PAPER_LABELS.items(),
        "columns": COLUMN_CHOICES,
        "call_to_action": translate_call_to_action(DEFAULT_CALL, guest_language(request.account)),
        "business": request.account.name,
        "more": codes.count() > MAX_LISTED,
        "listed": MAX_LISTED,
        "problem": request.GET.get("none") is not None,
    }
    return render(request, "qr/owner/sheet.html", context)


@page()
def sheet_pdf(request: SignedInRequest) -> HttpResponse:
    """Return a PDF of the chosen codes in the order of the list, or of all codes in the folder `whole`."""
    codes = request.account.codes.all()
    if folder := clean_text(request.GET.get("whole"), 60):
        codes = codes.filter(folder=folder)
    else:
        codes = codes.filter(pk__in=[clean_text(id, 64) for id in request.GET.getlist("id")[:MAX_CODES]])
    ids = list(codes.values_list("pk", flat=True)[:MAX_CODES])
    if not ids:
        return HttpResponse(status=303, headers={"Location": f"{LAYOUT.home}/sheet?none"})
    return _print_response(
        request,
        thing=ids[0],
        kind="sheet",
        more_items=ids[1:],
        size=_parse_paper(request, PAPER_LABELS, "a4"),
        columns=parse_whole_number(request.GET.get("columns"), 3, COLUMN_CHOICES[0], COLUMN_CHOICES[-1]),
        names="names" in request.GET,
    )


def _parse_paper(request: SignedInRequest, papers: dict[str, str], default: str) -> str:
    paper = request.GET.get("paper", default)
    return paper if paper in papers else default


def _print_response(request: SignedInRequest, **arguments: Any) -> HttpResponse:
    """Return a print file with the owner's wording. Empty fields are left out."""
    data = {name: clean_text(request.GET[name], 80) for name in ("call_to_action", "business") if name in request.GET}
    file = execute_tool(print_tools.print_code, request.caller, {**arguments, **data}).file
    assert file is not None
    return download_response(file.content, file.name, file.media_type)
