"""The elements of a page in order: adding, moving, switching on and off."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard import form_images, item_views
from workspace.dashboard import previews as guests_page
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import format_input_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.links.api import stats_tools, tools
from workspace.products.links.api.serializers import ElementData
from workspace.products.links.dashboard.item_layout import LAYOUT
from workspace.products.links.dashboard.presenters import get_page_data, present_element
from workspace.products.links.models import MAX_BUTTONS, ElementKind
from workspace.publishing import live_blocks

LABELS = {
    "title": owner_gettext_lazy("Label"),
    "url": owner_gettext_lazy("Destination"),
    "icon": owner_gettext_lazy("Emoji"),
    "image": owner_gettext_lazy("Image"),
    "image_id": owner_gettext_lazy("Image"),
    "text": owner_gettext_lazy("Text"),
    "thing": owner_gettext_lazy("Source"),
    "shows_from": owner_gettext_lazy("Show from"),
    "shows_until": owner_gettext_lazy("Show until"),
}
NEW_ELEMENT = "new"  # the id of an unsaved button in the preview
ELEMENT_KINDS = ("link", "heading", "text", "live")
ADDED_MESSAGES = {
    "link": owner_gettext_lazy("Link added at the end of the page."),
    "heading": owner_gettext_lazy("Heading added at the end of the page."),
    "text": owner_gettext_lazy("Text added at the end of the page."),
    "live": owner_gettext_lazy("Live block added at the end of the page."),
}


@page()
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    return _render_page(request, id)


@page("POST")
def add(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    if kind not in ELEMENT_KINDS:
        raise Http404
    form = _form(request, id, kind)
    if form.submit(request.caller):
        return redirect_with_message(request, ADDED_MESSAGES[kind], f"{LAYOUT.home}/{id}")
    return _render_page(request, id, kind, form)


@page("POST")
def reorder(request: SignedInRequest, id: str) -> HttpResponse:
    """Save the order of the list after an element was dragged."""
    call_tool(request, tools.save, page_id=id, order=request.POST.getlist("order"))
    return _render_list(request, id, gettext("Order saved."))


@page("POST")
def move(request: SignedInRequest, id: str, link_id: str, direction: str) -> HttpResponse:
    ids = [element["id"] for element in get_page_data(request, id)["elements"]]
    if link_id not in ids:
        raise Http404
    here, last = ids.index(link_id), len(ids) - 1
    existing = {"first": 0, "last": last, "up": max(here - 1, 0), "down": min(here + 1, last)}[direction]
    ids.insert(existing, ids.pop(here))
    call_tool(request, tools.save, page_id=id, order=ids)
    text = gettext("Moved to position %(place)s of %(count)s.") % {"place": existing + 1, "count": len(ids)}
    return _render_list(request, id, text, link_id if direction in ("first", "last") else "")


@page("POST")
def switch_element(request: SignedInRequest, id: str, link_id: str, new_state: str) -> HttpResponse:
    row = _get_element(request, id, link_id)
    call_tool(request, tools.save, page_id=id, items=[{"id": link_id, "is_on": new_state == "on"}])
    text = gettext("“%(name)s” is visible.") if new_state == "on" else gettext("“%(name)s” is hidden.")
    return _render_list(request, id, text % {"name": _display_name(row)})


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Preview the guest page, including the unsaved page or button being edited."""
    which = request.POST.get("_element", "")
    if not which:
        return item_views.preview(request, id, LAYOUT)
    item = LAYOUT.get_item(request, id)
    rows = [row for row in get_page_data(request, id)["elements"] if row["id"] == which]
    if which != NEW_ELEMENT and not rows:
        return guests_page.render_preview(request, item)
    form = _element_form(request, id, rows[0]) if rows else _form(request, id, "link")
    return guests_page.render_draft(request, item, form)


@page("GET", "HEAD", "POST")
def edit_element(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    row = _get_element(request, id, link_id)
    form = _element_form(request, id, row)
    form_images.store_upload(request, form, "image", "image_id")
    in_place = is_partial(request)
    if not form.errors and form.submit(request.caller):
        text = gettext("Changes saved.")
        return (
            _render_list(request, id, text, link_id)
            if in_place
            else redirect_with_message(request, text, f"{LAYOUT.home}/{id}")
        )
    items = _block_choices(request, row.get("thing", ""))
    back = f"{LAYOUT.home}/{id}"
    context = {"form": form, "element": _present_element(id, row), "things": items, "in_place": in_place, "back": back}
    if not in_place:
        return LAYOUT.render_item_page(request, id, "links/owner/element.html", context, form.status)
    response = render(request, "links/owner/parts/element_form.html", context, status=form.status)
    # a form with errors stays where it was opened
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#edit-{link_id}", "innerHTML"
    return response


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str, link_id: str) -> HttpResponse:
    name = _display_name(_get_element(request, id, link_id))
    if request.method == "POST":
        call_tool(request, tools.save, page_id=id, remove=[link_id])
        return redirect_with_message(request, gettext("“%(name)s” removed.") % {"name": name}, f"{LAYOUT.home}/{id}")
    return render_confirmation(
        request,
        title=gettext("Remove “%(name)s”?") % {"name": name},
        text=gettext("You can restore it for 30 days. To hide it temporarily, turn it off instead."),
        button=gettext("Remove element"),
        back=f"{LAYOUT.home}/{id}/links/{link_id}",
    )


def _get_element(request: SignedInRequest, id: str, link_id: str) -> ElementData:
    for row in get_page_data(request, id)["elements"]:
        if row["id"] == link_id:
            return row
    raise Http404


def _present_element(id: str, row: ElementData) -> dict[str, Any]:
    return present_element(row, f"{LAYOUT.home}/{id}")


def _display_name(row: ElementData) -> str:
    return str(present_element(row, "")["name"])[:60]


def _form(request: SignedInRequest, id: str, kind: str) -> ToolForm:
    fixed = {"page_id": id}
    return ToolForm(tools.save, request, fixed=fixed, labels=LABELS, entry="items", entry_fixed={"kind": kind})


def _element_form(request: SignedInRequest, id: str, row: ElementData) -> ToolForm:
    zone = request.account.zone
    initial = {
        **row,
        "title": "" if row["title"] == row.get("url") else row["title"],
        "shows_from": format_input_time(row.get("shows_from"), zone),
        "shows_until": format_input_time(row.get("shows_until"), zone),
    }
    return ToolForm(
        tools.save,
        request,
        initial=initial,
        fixed={"page_id": id},
        editing=True,
        labels=LABELS,
        entry="items",
        entry_fixed={"id": row["id"]},
        ids=row["id"],
    )


def _render_page(request: SignedInRequest, id: str, kind: str = "", form: ToolForm | None = None) -> HttpResponse:
    context = _context(request, id)
    context["add"] = {
        element_kind: form if form is not None and element_kind == kind else _empty_form(request, id, element_kind)
        for element_kind in ELEMENT_KINDS
    }
    context["open"] = kind
    context["things"] = _block_choices(request)
    return LAYOUT.render_item_page(request, id, "links/owner/edit.html", context, form.status if form else 200)


def _empty_form(request: SignedInRequest, id: str, kind: str) -> ToolForm:
    """Return an empty form, even if another form on the page was submitted."""
    form = _form(request, id, kind)
    form.values, form.is_bound = {}, False
    return form


def _block_choices(request: SignedInRequest, current_id: str = "") -> list[tuple[str, str]]:
    """Return the items that a live block can show, including `current_id` even if its item was deleted."""
    results = [
        (
            choice.id,
            choice.title if choice.is_public else gettext("%(title)s (not public)") % {"title": choice.title},
        )
        for choice in live_blocks.list_choices(request.account)
    ]
    known = not current_id or any(id == current_id for id, _ in results)
    return results if known else [(current_id, gettext("Deleted source")), *results]


def _context(request: SignedInRequest, id: str) -> dict[str, Any]:
    rows = get_page_data(request, id)["elements"]
    clicks = {
        row["link_id"]: row["clicks"] for row in call_tool(request, stats_tools.stats, page_id=id)["clicks_by_link"]
    }
    return {
        "url": f"{LAYOUT.home}/{id}",
        "elements": [{**_present_element(id, row), "clicks": clicks.get(row["id"], 0)} for row in rows],
        "buttons": sum(row["kind"] == ElementKind.LINK for row in rows),
        "most": MAX_BUTTONS,
    }


def _render_list(request: SignedInRequest, id: str, text: str, focus: str = "") -> HttpResponse:
    """Render the list for htmx with the focus on an element, or redirect to the page."""
    if not is_partial(request):
        return redirect_with_message(request, text, f"{LAYOUT.home}/{id}")
    return render(
        request, "links/owner/parts/elements.html", {**_context(request, id), "status_message": text, "focus": focus}
    )
