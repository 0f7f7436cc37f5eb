"""What stands on a page, in order; adding, moving, turning on and off."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.dashboard import form_images, item_views
from workspace.dashboard import previews as guests_page
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done, input_time
from workspace.dashboard.session import SignedInRequest, is_part
from workspace.dashboard.tool_views import call, page
from workspace.products.links.api import stats_tools, tools
from workspace.products.links.api.serializers import ElementRow
from workspace.products.links.dashboard.layout import FRAME
from workspace.products.links.dashboard.presenters import find, shown_element
from workspace.products.links.models import MOST_BUTTONS, Kind
from workspace.publishing import live_blocks

LABELS = {
    "title": "Title",
    "url": "Where it leads",
    "icon": "Emoji",
    "picture": "Picture",
    "picture_id": "Picture",
    "text": "Text",
    "thing": "What it shows",
    "shows_from": "Show from",
    "shows_until": "Show until",
}
NEW = "new"  # what the preview is told of a button that is not there yet
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
        return done(request, "Added. It is the last one on the page; move it where you like.", f"{FRAME.home}/{id}")
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
    here, last = ids.index(link_id), len(ids) - 1
    there = {"first": 0, "last": last, "up": max(here - 1, 0), "down": min(here + 1, last)}[way]
    ids.insert(there, ids.pop(here))
    call(request, tools.save_links, page_id=id, order=ids)
    return _list(request, id, f"Now at place {there + 1} of {len(ids)}.", link_id if way in ("first", "last") else "")


@page("POST")
def switch(request: SignedInRequest, id: str, link_id: str, to: str) -> HttpResponse:
    row = _element(request, id, link_id)
    call(request, tools.save_links, page_id=id, items=[{"id": link_id, "is_on": to == "on"}])
    state = "on" if to == "on" else "off: guests do not see it"
    return _list(request, id, f"“{_name(row)}” is {state}.")


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """The guests' page; a button that is being typed is tried on it, as the page's own fields are."""
    which = request.POST.get("_element", "")
    if not which:
        return item_views.preview(request, id, FRAME)
    thing = FRAME.find(request, id)
    rows = [row for row in find(request, id)["elements"] if row["id"] == which]
    if which != NEW and not rows:
        return guests_page.shown(request, thing)
    form = _element_form(request, id, rows[0]) if rows else _form(request, id, "link")
    return guests_page.drafted(request, thing, form)


@page("GET", "HEAD", "POST")
def element(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    row = _element(request, id, link_id)
    form = _element_form(request, id, row)
    form_images.take(request, form, "picture", "picture_id")
    in_place = is_part(request)
    if not form.errors and form.submit(request.caller):
        said = "Saved. Guests see it on their next load."
        return _list(request, id, said, link_id) if in_place else done(request, said, f"{FRAME.home}/{id}")
    things = _things(request, row.get("thing", ""))
    back = f"{FRAME.home}/{id}"
    context = {"form": form, "element": _shown(id, row), "things": things, "in_place": in_place, "back": back}
    if not in_place:
        return FRAME.page(request, id, "links/element.html", context, form.status)
    response = render(request, "links/parts/element_form.html", context, status=form.status)
    # a refused one stays where it was opened
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#edit-{link_id}", "innerHTML"
    return response


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    name = _name(_element(request, id, link_id))
    if request.method == "POST":
        call(request, tools.save_links, page_id=id, remove=[link_id])
        return done(request, f"“{name}” is off the page.", f"{FRAME.home}/{id}")
    return ask(
        request,
        title=f"Remove “{name}”?",
        text="It leaves the page; for 30 days it can be brought back. To hide it for a while, turn it off instead.",
        button="Remove it",
        back=f"{FRAME.home}/{id}/links/{link_id}",
    )


def _element(request: SignedInRequest, id: str, link_id: str) -> ElementRow:
    for row in find(request, id)["elements"]:
        if row["id"] == link_id:
            return row
    raise Http404


def _shown(id: str, row: ElementRow) -> dict[str, Any]:
    return shown_element(row, f"{FRAME.home}/{id}")


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
        ids=row["id"],
    )


def _page(request: SignedInRequest, id: str, kind: str = "", form: ToolForm | None = None) -> HttpResponse:
    context = _context(request, id)
    context["add"] = {one: form if form is not None and one == kind else _fresh(request, id, one) for one in KINDS}
    context["open"] = kind
    context["things"] = _things(request)
    return FRAME.page(request, id, "links/edit.html", context, form.status if form else 200)


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
    rows = find(request, id)["elements"]
    clicks = {row["link_id"]: row["clicks"] for row in call(request, stats_tools.stats, page_id=id)["clicks_by_link"]}
    return {
        "url": f"{FRAME.home}/{id}",
        "elements": [{**_shown(id, row), "clicks": clicks.get(row["id"], 0)} for row in rows],
        "buttons": sum(row["kind"] == Kind.LINK for row in rows),
        "most": MOST_BUTTONS,
    }


def _list(request: SignedInRequest, id: str, said: str, focus: str = "") -> HttpResponse:
    """The list anew for htmx, with the focus on one of its names; the whole page for others."""
    if not is_part(request):
        return done(request, said, f"{FRAME.home}/{id}")
    return render(request, "links/parts/elements.html", {**_context(request, id), "said": said, "focus": focus})
