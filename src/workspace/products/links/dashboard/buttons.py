"""A page's own page: what stands on it, in order; adding, moving, turning on and off."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.links.dashboard.calls import (
    ADD,
    EDIT_LINK,
    GET,
    HEADING,
    HOME,
    LIVE,
    REMOVE,
    REORDER,
    TEXT,
    page,
)
from workspace.products.links.dashboard.shown import input_time, shown_element, shown_page
from workspace.products.links.models import MOST_BUTTONS
from workspace.publishing import live_blocks
from workspace.toolkit.errors import NotFound

LABELS = {
    "title": "Title",
    "url": "Where it leads",
    "icon": "Emoji",
    "text": "Text",
    "live": "Live block",
    "shows_from": "Show from",
    "shows_until": "Show until",
}
ADDING = {"link": ADD, "heading": HEADING, "text": TEXT, "live": LIVE}


@page()
def buttons(request: SignedInRequest, id: str) -> HttpResponse:
    return _page(request, id)


@page("POST")
def add(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    if kind not in ADDING:
        raise Http404
    form = ToolForm(ADDING[kind], request, fixed={"page_id": id}, labels=LABELS)
    if answer := form.submit(request.caller):
        messages.success(request, f"Added. It stands at the end of the page{_where(answer.data)}.")
        return redirect_whole(request, f"{HOME}/{id}")
    return _page(request, id, kind, form)


@page("POST")
def order(request: SignedInRequest, id: str) -> HttpResponse:
    """The order in which the list was dragged."""
    call(request, REORDER, page_id=id, link_ids=request.POST.getlist("link_ids"))
    return _list(request, id, "The new order is saved.")


@page("POST")
def move(request: SignedInRequest, id: str, link_id: str, way: str) -> HttpResponse:
    ids = [one["id"] for one in call(request, GET, page_id=id)["elements"]]
    if link_id not in ids:
        raise NotFound("There is no such button on this page")
    here = ids.index(link_id)
    there = min(max(here + (-1 if way == "up" else 1), 0), len(ids) - 1)
    ids.insert(there, ids.pop(here))
    call(request, REORDER, page_id=id, link_ids=ids)
    return _list(request, id, f"Now at place {there + 1} of {len(ids)}.")


@page("POST")
def switch(request: SignedInRequest, id: str, link_id: str, to: str) -> HttpResponse:
    row = call(request, EDIT_LINK, page_id=id, link_id=link_id, is_on=to == "on")
    name = shown_element(row, "")["name"]
    return _list(request, id, f"“{name[:60]}” is {'on' if row['is_on'] else 'off: guests do not see it'}.")


@page("GET", "HEAD", "POST")
def element(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    found = call(request, GET, page_id=id)
    row = next((one for one in found["elements"] if one["id"] == link_id), None)
    if row is None:
        raise Http404
    form = _element_form(request, row)
    if form.submit(request.caller):
        messages.success(request, "Saved. Guests see it on their next load.")
        return redirect_whole(request, f"{HOME}/{id}")
    shown = shown_page(found)
    context = {"page": shown, "form": form, "element": shown_element(row, shown["url"])}
    return render(request, "links/element.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    found = call(request, GET, page_id=id)
    row = next((one for one in found["elements"] if one["id"] == link_id), None)
    if row is None:
        raise Http404
    name = shown_element(row, "")["name"][:60]
    if request.method == "POST":
        call(request, REMOVE, page_id=id, link_id=link_id)
        messages.success(request, f"“{name}” is off the page.")
        return redirect_whole(request, f"{HOME}/{id}")
    context = {
        "title": f"Remove “{name}”?",
        "text": "It leaves the page for good. To hide it for a while, turn it off instead.",
        "action": request.path,
        "button": "Remove it",
        "back": f"{HOME}/{id}/links/{link_id}",
    }
    return render(request, "dashboard/confirm.html", context)


def _element_form(request: SignedInRequest, row: dict[str, Any]) -> ToolForm:
    zone = request.account.zone
    initial = {
        "title": "" if row["title"] == row["url"] else row["title"],
        "url": row["url"],
        "icon": row["icon"],
        "text": row["text"],
        "is_on": row["is_on"],
        "shows_from": input_time(row["shows_from"], zone),
        "shows_until": input_time(row["shows_until"], zone),
    }
    fixed = {"page_id": row["page_id"], "link_id": row["id"]}
    return ToolForm(EDIT_LINK, request, initial=initial, fixed=fixed, editing=True, labels=LABELS)


def _page(request: SignedInRequest, id: str, kind: str = "", form: ToolForm | None = None) -> HttpResponse:
    context = _context(request, id)
    context["add"] = {
        one: form if form is not None and one == kind else _fresh(tool, request, id) for one, tool in ADDING.items()
    }
    context["open"] = kind
    context["live_kinds"] = list(live_blocks.kinds().items())
    context["is_new"] = "made" in request.GET
    return render(request, "links/buttons.html", context, status=form.status if form else 200)


def _fresh(tool: Any, request: SignedInRequest, id: str) -> ToolForm:
    """An empty form, also where another one of the page was sent."""
    form = ToolForm(tool, request, fixed={"page_id": id}, labels=LABELS)
    form.values, form.bound = {}, False
    return form


def _context(request: SignedInRequest, id: str) -> dict[str, Any]:
    found = call(request, GET, page_id=id)
    shown = shown_page(found)
    return {
        "page": shown,
        "elements": [shown_element(row, shown["url"]) for row in found["elements"]],
        "most": MOST_BUTTONS,
    }


def _list(request: SignedInRequest, id: str, said: str) -> HttpResponse:
    """The list anew for htmx, the whole page for others."""
    if not request.headers.get("HX-Request"):
        messages.success(request, said)
        return redirect_whole(request, f"{HOME}/{id}")
    response = render(request, "links/parts/elements.html", {**_context(request, id), "said": said})
    response.headers["HX-Trigger-After-Swap"] = "page-changed"
    return response


def _where(row: dict[str, Any]) -> str:
    return "" if row["position"] == 0 else "; drag it where you like"
