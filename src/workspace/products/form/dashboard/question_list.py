"""The list of the pages and questions of a form, which the views of both render."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.lib.errors import NotFoundError
from workspace.products.form import messages
from workspace.products.form.api.serializers import FormDetail
from workspace.products.form.dashboard.field_type_labels import QUICK_TYPES
from workspace.products.form.dashboard.item_layout import LAYOUT
from workspace.products.form.dashboard.presenters import get_form, present_pages


def render_question_list(
    request: SignedInRequest,
    id: str,
    message: str,
    *,
    focus: str = "",
    continue_after: str = "",
    form: FormDetail | None = None,
) -> HttpResponse:
    """Return the updated list to htmx, or redirect to the page.

    `focus` is the question to focus. `continue_after` is the question after which the owner will type the next one.
    """
    if not is_partial(request):
        return redirect_with_message(request, message, f"{LAYOUT.home}/{id}{f'#q-{focus}' if focus else ''}")
    context = {
        **build_list_context(form or get_form(request, id)),
        "status_message": message,
        "focus": focus,
        "continue_after": continue_after,
    }
    return render(request, "form/owner/parts/questions.html", context)


def build_list_context(form: FormDetail) -> dict[str, Any]:
    pages = present_pages(form)
    return {
        "form_detail": form,
        "pages": pages,
        "url": f"{LAYOUT.home}/{form['id']}",
        "quick_types": QUICK_TYPES,
        "asked": sum(len(page["questions"]) for page in pages),
    }


def pages_without_fields(form: FormDetail, required_page: str = "") -> list[dict[str, Any]]:
    """Return the pages without their questions, in the format of the tool.

    Raise NotFoundError if the page `required_page` does not exist."""
    if required_page:
        get_page_index(form, required_page)
    return [{name: page[name] for name in ("key", "title", "next") if name in page} for page in form["pages"]]


def get_page_index(form: FormDetail, key: str) -> int:
    """Return the index of the page with this key, starting at 0. Raise NotFoundError if the form has no such page."""
    keys = [page["key"] for page in form["pages"]]
    if key not in keys:
        raise NotFoundError(messages.FORM_PAGE_NOT_FOUND)
    return keys.index(key)
