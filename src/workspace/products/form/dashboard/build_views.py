"""The page that builds a form: its pages and questions in order, moved by dragging or with arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.dashboard import item_views
from workspace.dashboard import previews as guests_page
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError, Issue, NotFoundError
from workspace.products.form.api import tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard import question_views
from workspace.products.form.dashboard.item_layout import LAYOUT
from workspace.products.form.dashboard.presenters import describe_other_problems, get_form, page_name, present_pages

PAGE_PREFIX = "@"  # prefix of the keys of pages in a combined order of pages and questions


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    form_detail = get_form(request, id)
    form = LAYOUT.edit_form(request, id, initial={"title": form_detail["title"]}, labels={"title": "Title"})
    if form.submit(request.caller):
        return redirect_with_message(request, "Saved. Guests see it on their next load.", f"{LAYOUT.home}/{id}")
    return LAYOUT.render_item_page(request, id, "form/edit.html", {"form": form, **_context(form_detail)}, form.status)


@page("POST")
def reorder(request: SignedInRequest, id: str) -> HttpResponse:
    """Save the order after dragging."""
    _save_order(request, get_form(request, id), request.POST.getlist("order"))
    return render_question_list(request, id, "The new order is saved.")


@page("POST")
def move(request: SignedInRequest, id: str, key: str, direction: str) -> HttpResponse:
    """Move a question up or down by one, possibly to another page."""
    form = get_form(request, id)
    order = [
        name for page in form["pages"] for name in (PAGE_PREFIX + page["key"], *(f["key"] for f in page["fields"]))
    ]
    if key not in order or direction not in ("up", "down"):
        raise Http404
    here = order.index(key)
    existing = max(1, here - 1) if direction == "up" else min(len(order) - 1, here + 1)
    order.insert(existing, order.pop(here))
    _save_order(request, form, order)
    return render_question_list(request, id, "Moved.")


@page("POST")
def add_page(request: SignedInRequest, id: str) -> HttpResponse:
    form = get_form(request, id)
    keys = {page["key"] for page in form["pages"]}
    key = next(name for number in range(len(keys) + 1, 1000) if (name := f"page_{number}") not in keys)
    items: list[dict[str, Any]] = [*pages_without_fields(form), {"key": key, "title": ""}]
    call_tool(request, tools.save_fields, id=id, pages=items)
    return redirect_with_message(
        request, "A page is added. Guests come to it when it has a question.", f"{LAYOUT.home}/{id}#p-{key}"
    )


@page("GET", "HEAD", "POST")
def edit_page(request: SignedInRequest, id: str, part: str) -> HttpResponse:
    """Edit the title of a page."""
    form = get_form(request, id)
    place = _page_index(form, part)
    problem = ""
    title = form["pages"][place]["title"]
    if request.method == "POST":
        title = request.POST.get("title", "")
        items = pages_without_fields(form)
        items[place]["title"] = title
        try:
            call_tool(request, tools.save_fields, id=id, pages=items)
        except InvalidInputError as refusal:
            problem = refusal.issues[0].message
        else:
            return render_question_list(request, id, "Saved. Guests see it on their next load.")
    context = {
        "page_key": part,
        "page_title": title,
        "number": place + 1,
        "only": len(form["pages"]) == 1,
        "problem": problem,
        "url": f"{LAYOUT.home}/{id}/pages/{part}",
        "back": f"{LAYOUT.home}/{id}",
        "in_place": is_partial(request),
        "part": "form/parts/page_form.html",
    }
    status = 422 if problem else 200
    if not context["in_place"]:
        return LAYOUT.render_item_page(request, id, "form/question.html", context, status)
    response = render(request, "form/parts/page_form.html", context, status=status)
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#page-{part}", "innerHTML"
    return response


@page("GET", "HEAD", "POST")
def merge_page(request: SignedInRequest, id: str, part: str) -> HttpResponse:
    """Remove a page. Its questions move to the previous page."""
    form = get_form(request, id)
    place = _page_index(form, part)
    name = page_name(form["pages"][place], place + 1)
    if request.method == "POST":
        items = [item for item in pages_without_fields(form) if item["key"] != part]
        call_tool(request, tools.save_fields, id=id, pages=items)
        return redirect_with_message(request, f"“{name}” is no page of its own any more.", f"{LAYOUT.home}/{id}")
    return render_confirmation(
        request,
        title=f"Take away the page “{name}”?",
        text=f"Its questions go to the page {'before' if place else 'behind'} it.",
        button="Take it away",
        back=f"{LAYOUT.home}/{id}",
    )


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the guest page. A question that is being edited is shown on it."""
    if "_question" not in request.POST:
        return item_views.preview(request, id, LAYOUT)
    item = LAYOUT.get_item(request, id)
    form = question_views.build_preview_form(request, id)
    return guests_page.render_preview(request, item) if form is None else guests_page.render_draft(request, item, form)


def render_question_list(
    request: SignedInRequest, id: str, message: str, *, focus: str = "", form: FormDetail | None = None
) -> HttpResponse:
    """Return the updated list for htmx, or redirect to the page."""
    if not is_partial(request):
        return redirect_with_message(request, message, f"{LAYOUT.home}/{id}{f'#q-{focus}' if focus else ''}")
    context = {**_context(form or get_form(request, id)), "status_message": message, "focus": focus}
    return render(request, "form/parts/questions.html", context)


def _context(form: FormDetail) -> dict[str, Any]:
    pages = present_pages(form)
    return {"form_detail": form, "pages": pages, "url": f"{LAYOUT.home}/{form['id']}",
            "asked": sum(len(page["questions"]) for page in pages)}  # fmt: skip


def pages_without_fields(form: FormDetail, required_page: str = "") -> list[dict[str, Any]]:
    """Return the pages without their questions, in the format of the tool.

    Raise NotFoundError if the page `required_page` does not exist."""
    if required_page:
        _page_index(form, required_page)
    return [{name: page[name] for name in ("key", "title", "next") if name in page} for page in form["pages"]]


def _page_index(form: FormDetail, key: str) -> int:
    keys = [page["key"] for page in form["pages"]]
    if key not in keys:
        raise NotFoundError("This page is not there any more")
    return keys.index(key)


def _save_order(request: SignedInRequest, form: FormDetail, order: Sequence[str]) -> None:
    """Save an order of pages and questions. Raise InvalidInputError with the names of questions."""
    before = {field["key"]: page["key"] for page in form["pages"] for field in page["fields"]}
    page_key, moved, keys = form["pages"][0]["key"], [], []
    for name in order:
        if name.startswith(PAGE_PREFIX):
            page_key = name.removeprefix(PAGE_PREFIX)
            continue
        keys.append(name)
        if before.get(name, page_key) != page_key:
            moved.append({"key": name, "page": page_key})
    values = {"items": moved} if moved else {}
    try:
        call_tool(request, tools.save_fields, id=form["id"], order=keys, **values)
    except InvalidInputError as refusal:
        fields = {field["key"]: field for page in form["pages"] for field in page["fields"]}
        now = {page["key"]: [] for page in form["pages"]}  # type: dict[str, list[Any]]
        page_key = form["pages"][0]["key"]
        for name in order:
            if name.startswith(PAGE_PREFIX):
                page_key = name.removeprefix(PAGE_PREFIX)
            elif page_key in now and name in fields:
                now[page_key].append(fields[name])
        pages = [{**page, "fields": now[page["key"]]} for page in form["pages"]]
        text = f"It stays where it was. {describe_other_problems(refusal, pages)}"
        raise InvalidInputError([Issue("", text)]) from None
