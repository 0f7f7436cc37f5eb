"""A page's own page: what stands on it, in order; adding, moving, turning on and off."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done, input_time
from workspace.dashboard.tool_pages import call, page
from workspace.products.links import tools
from workspace.products.links.dashboard.shown import HOME, find, shown_element, shown_page
from workspace.products.links.models import MOST_BUTTONS
from workspace.products.links.rows import ElementRow
from workspace.publishing import live_blocks

LABELS = {
    "title": "Title",
    "url": "Where it leads",
    "icon": "Emoji",
    "text": "Text",
    "thing": "What it shows",
    "shows_from": "Show from",
    "shows_until": "Show until",
}
KINDS = ("link", "heading", "text", "live")


@page()
def buttons(request: SignedInRequest, id: str) -> HttpResponse:
    return _page(request, id)


@page("POST")
def add(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    if kind not in KINDS:
        raise Http404
    form = _form(request, id, kind)
    if form.submit(request.caller):
        return done(request, "Added. It stands at the end of the page; drag it where you like.", f"{HOME}/{id}")
    return _page(request, id, kind, form)


@page("POST")
def order(request: SignedInRequest, id: str) -> HttpResponse:
    """The order in which the list was dragged."""
    call(request, tools.save_links, page_id=id, order=request.POST.getlist("order"))
    return _list(request, id, "The new order is saved.")


@page("POST")
def move(request: SignedInRequest, id: str, link_id: str, way: str) -> HttpResponse:
    ids = [one["id"] for one in find(request, id)["elements"]]
    if link_id not in ids:
        raise Http404
    here = ids.index(link_id)
    there = min(max(here + (-1 if way == "up" else 1), 0), len(ids) - 1)
    ids.insert(there, ids.pop(here))
    call(request, tools.save_links, page_id=id, order=ids)
    return _list(request, id, f"Now at place {there + 1} of {len(ids)}.")


@page("POST")
def switch(request: SignedInRequest, id: str, link_id: str, to: str) -> HttpResponse:
    row = _element(request, id, link_id)
    call(request, tools.save_links, page_id=id, items=[{"id": link_id, "is_on": to == "on"}])
    state = "on" if to == "on" else "off: guests do not see it"
    return _list(request, id, f"“{_name(row)}” is {state}.")


@page("GET", "HEAD", "POST")
def element(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    row = _element(request, id, link_id)
    form = _element_form(request, id, row)
    if form.submit(request.caller):
        return done(request, "Saved. Guests see it on their next load.", f"{HOME}/{id}")
    shown = shown_page(find(request, id))
    context = {
        "page": shown,
        "form": form,
        "element": shown_element(row, shown["url"]),
        "things": _things(request, row.get("thing", "")),
    }
    return render(request, "links/element.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    name = _name(_element(request, id, link_id))
    if request.method == "POST":
        call(request, tools.save_links, page_id=id, remove=[link_id])
        return done(request, f"“{name}” is off the page.", f"{HOME}/{id}")
    return ask(
        request,
        title=f"Remove “{name}”?",
        text="It leaves the page; for 30 days it can be brought back. To hide it for a while, turn it off instead.",
        button="Remove it",
        back=f"{HOME}/{id}/links/{link_id}",
    )


def _element(request: SignedInRequest, id: str, link_id: str) -> ElementRow:
    for row in find(request, id)["elements"]:
        if row["id"] == link_id:
            return row
    raise Http404


def _name(row: ElementRow) -> str:
    return str(shown_element(row, "")["name"])[:60]


def _form(request: SignedInRequest, id: str, kind: str) -> ToolForm:
    fixed = {"page_id": id}
    return ToolForm(tools.save_links, request, fixed=fixed, labels=LABELS, entry="items", entry_fixed={"kind": kind})


def _element_form(request: SignedInRequest, id: str, row: ElementRow) -> ToolForm:
    zone = request.account.zone
    initial = {
        **row,
        "title": "" if row["title"] == row.get("url") else row["title"],
        "shows_from": input_time(row.get("shows_from"), zone),
        "shows_until": input_time(row.get("shows_until"), zone),
    }
    return ToolForm(
        tools.save_links,
        request,
        initial=initial,
        fixed={"page_id": id},
        editing=True,
        labels=LABELS,
        entry="items",
        entry_fixed={"id": row["id"]},
    )


def _page(request: SignedInRequest, id: str, kind: str = "", form: ToolForm | None = None) -> HttpResponse:
    context = _context(request, id)
    context["add"] = {one: form if form is not None and one == kind else _fresh(request, id, one) for one in KINDS}
    context["open"] = kind
    context["things"] = _things(request)
    context["is_new"] = "made" in request.GET
    return render(request, "links/buttons.html", context, status=form.status if form else 200)


def _fresh(request: SignedInRequest, id: str, kind: str) -> ToolForm:
    """An empty form, also where another one of the page was sent."""
    form = _form(request, id, kind)
    form.values, form.bound = {}, False
    return form


def _things(request: SignedInRequest, present: str = "") -> list[tuple[str, str]]:
    """What a live block can show, to choose from; with `present`, also when that is not there any more."""
    found = [
        (choice.id, choice.title if choice.is_public else f"{choice.title} (not public now)")
        for choice in live_blocks.choices(request.account)
    ]
    known = not present or any(id == present for id, _ in found)
    return found if known else [(present, "What it showed is not there any more"), *found]


def _context(request: SignedInRequest, id: str) -> dict[str, Any]:
    found = find(request, id)
    shown = shown_page(found)
    return {
        "page": shown,
        "elements": [shown_element(row, shown["url"]) for row in found["elements"]],
        "most": MOST_BUTTONS,
    }


def _list(request: SignedInRequest, id: str, said: str) -> HttpResponse:
    """The list anew for htmx, the whole page for others."""
    if not request.headers.get("HX-Request"):
        return done(request, said, f"{HOME}/{id}")
    response = render(request, "links/parts/elements.html", {**_context(request, id), "said": said})
    response.headers["HX-Trigger-After-Swap"] = "page-changed"
    return response
