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
def move(request: SignedInRequest, id: str, key: str, way: str) -> HttpResponse:
    """Move a question up or down by one, possibly to another page."""
    form = get_form(request, id)
    line = [name for page in form["pages"] for name in (PAGE_PREFIX + page["key"], *(f["key"] for f in page["fields"]))]
    if key not in line or way not in ("up", "down"):
        raise Http404
    here = line.index(key)
    existing = max(1, here - 1) if way == "up" else min(len(line) - 1, here + 1)
    line.insert(existing, line.pop(here))
    _save_order(request, form, line)
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
    request: SignedInRequest, id: str, text: str, *, focus: str = "", now: FormDetail | None = None
) -> HttpResponse:
    """Return the updated list for htmx, or redirect to the page."""
    if not is_partial(request):
        return redirect_with_message(request, text, f"{LAYOUT.home}/{id}{f'#q-{focus}' if focus else ''}")
    context = {**_context(now or get_form(request, id)), "status_message": text, "focus": focus}
    return render(request, "form/parts/questions.html", context)


def _context(form: FormDetail) -> dict[str, Any]:
    pages = present_pages(form)
    return {"form_detail": form, "pages": pages, "url": f"{LAYOUT.home}/{form['id']}",
            "asked": sum(len(page["questions"]) for page in pages)}  # fmt: skip


def pages_without_fields(form: FormDetail, part: str = "") -> list[dict[str, Any]]:
    """Return the pages without their questions, in the format of the tool.

    Raise NotFoundError if the page `part` does not exist."""
    if part:
        _page_index(form, part)
    return [{name: page[name] for name in ("key", "title", "next") if name in page} for page in form["pages"]]


def _page_index(form: FormDetail, key: str) -> int:
    keys = [page["key"] for page in form["pages"]]
    if key not in keys:
        raise NotFoundError("This page is not there any more")
    return keys.index(key)


def _save_order(request: SignedInRequest, form: FormDetail, line: Sequence[str]) -> None:
    """Save an order of pages and questions. Raise InvalidInputError with the names of questions."""
    before = {field["key"]: page["key"] for page in form["pages"] for field in page["fields"]}
    at, moved, keys = form["pages"][0]["key"], [], []
    for name in line:
        if name.startswith(PAGE_PREFIX):
            at = name.removeprefix(PAGE_PREFIX)
            continue
        keys.append(name)
        if before.get(name, at) != at:
            moved.append({"key": name, "page": at})
    values = {"items": moved} if moved else {}
    try:
        call_tool(request, tools.save_fields, id=form["id"], order=keys, **values)
    except InvalidInputError as refusal:
        fields = {field["key"]: field for page in form["pages"] for field in page["fields"]}
        now = {page["key"]: [] for page in form["pages"]}  # type: dict[str, list[Any]]
        at = form["pages"][0]["key"]
        for name in line:
            if name.startswith(PAGE_PREFIX):
                at = name.removeprefix(PAGE_PREFIX)
            elif at in now and name in fields:
                now[at].append(fields[name])
        pages = [{**page, "fields": now[page["key"]]} for page in form["pages"]]
        text = f"It stays where it was. {describe_other_problems(refusal, pages)}"
        raise InvalidInputError([Issue("", text)]) from None
