"""The page for building a form: its pages and questions in order, which can be moved by dragging or with arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.brand.models import Brand
from workspace.dashboard import item_views
from workspace.dashboard import previews as guests_page
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError, Issue
from workspace.products.form.api import tools
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard import question_views
from workspace.products.form.dashboard.item_layout import LAYOUT
from workspace.products.form.dashboard.presenters import describe_other_problems, get_form, page_name
from workspace.products.form.dashboard.question_list import (
    build_list_context,
    get_page_index,
    pages_without_fields,
    render_question_list,
)

PAGE_PREFIX = "@"  # prefix of the keys of pages in a combined order of pages and questions


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    form_detail = get_form(request, id)
    form = LAYOUT.edit_form(request, id, initial={"title": form_detail["title"]}, labels={"title": gettext("Title")})
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Form saved."), f"{LAYOUT.home}/{id}")
    context = {"form": form, "brand": Brand.for_account(request.account), **build_list_context(form_detail)}
    return LAYOUT.render_item_page(request, id, "form/owner/edit.html", context, form.status)


@page("POST")
def reorder(request: SignedInRequest, id: str) -> HttpResponse:
    """Save the order of the questions after one was dragged."""
    _save_order(request, get_form(request, id), request.POST.getlist("order"))
    return render_question_list(request, id, gettext("Order saved."))


@page("POST")
def move(request: SignedInRequest, id: str, key: str, direction: str) -> HttpResponse:
    """Move a question up or down by one place, possibly to another page."""
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
    return render_question_list(request, id, gettext("Question moved."))


@page("POST")
def add_page(request: SignedInRequest, id: str) -> HttpResponse:
    form = get_form(request, id)
    keys = {page["key"] for page in form["pages"]}
    key = next(name for number in range(len(keys) + 1, 1000) if (name := f"page_{number}") not in keys)
    items: list[dict[str, Any]] = [*pages_without_fields(form), {"key": key, "title": ""}]
    call_tool(request, tools.save_fields, id=id, pages=items)
    return redirect_with_message(
        request, gettext("Page added. It’s shown once it has a question."), f"{LAYOUT.home}/{id}#p-{key}"
    )


@page("GET", "HEAD", "POST")
def edit_page(request: SignedInRequest, id: str, part: str) -> HttpResponse:
    """Edit the title of a page."""
    form = get_form(request, id)
    place = get_page_index(form, part)
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
            return render_question_list(request, id, gettext("Page saved."))
    context = {
        "page_key": part,
        "page_title": title,
        "number": place + 1,
        "only": len(form["pages"]) == 1,
        "problem": problem,
        "url": f"{LAYOUT.home}/{id}/pages/{part}",
        "back": f"{LAYOUT.home}/{id}",
        "in_place": is_partial(request),
        "part": "form/owner/parts/page_form.html",
    }
    status = 422 if problem else 200
    if not context["in_place"]:
        return LAYOUT.render_item_page(request, id, "form/owner/question.html", context, status)
    response = render(request, "form/owner/parts/page_form.html", context, status=status)
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = f"#page-{part}", "innerHTML"
    return response


@page("GET", "HEAD", "POST")
def merge_page(request: SignedInRequest, id: str, part: str) -> HttpResponse:
    """Remove a page. Its questions move to the previous page."""
    form = get_form(request, id)
    place = get_page_index(form, part)
    name = page_name(form["pages"][place], place + 1)
    if request.method == "POST":
        items = [item for item in pages_without_fields(form) if item["key"] != part]
        call_tool(request, tools.save_fields, id=id, pages=items)
        return redirect_with_message(request, gettext("“%(name)s” removed.") % {"name": name}, f"{LAYOUT.home}/{id}")
    return render_confirmation(
        request,
        title=gettext("Remove “%(name)s”?") % {"name": name},
        text=gettext("Its questions move to the previous page.")
        if place
        else gettext("Its questions move to the next page."),
        button=gettext("Remove page"),
        back=f"{LAYOUT.home}/{id}",
    )


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the guest page, including the question that is being edited."""
    if "_question" not in request.POST:
        return item_views.preview(request, id, LAYOUT)
    item = LAYOUT.get_item(request, id)
    form = question_views.build_preview_form(request, id)
    return guests_page.render_preview(request, item) if form is None else guests_page.render_draft(request, item, form)


def _save_order(request: SignedInRequest, form: FormDetail, order: Sequence[str]) -> None:
    """Save an order of pages and questions. Raise InvalidInputError, with the names of questions, if it is invalid."""
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
        problems = describe_other_problems(refusal, pages)
        text = gettext("The order wasn’t changed. %(problems)s") % {"problems": problems}
        raise InvalidInputError([Issue("", text)]) from None
