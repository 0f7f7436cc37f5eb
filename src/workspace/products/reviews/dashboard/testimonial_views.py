"""A testimonial: its text, decisions, the reply, and its context fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.products.reviews.api import testimonial_tools, tools
from workspace.products.reviews.dashboard.import_views import LABELS
from workspace.products.reviews.dashboard.inbox_views import format_decision, return_url
from workspace.products.reviews.dashboard.item_layout import LAYOUT
from workspace.products.reviews.dashboard.presenters import (
    HOME_PATH,
    list_relationships,
    page,
    present_testimonial,
)

CONTEXT_FIELDS = ("excerpt", "tags", "relationship")
# testimonials that the owner entered can be corrected
IMPORTED_FIELDS = ("name", "text", "rating", "byline", "source_name", "email")


@page()
def show_testimonial(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    return _render_page(request, id, item_id)


@page("POST")
def decide(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    _get_testimonial(request, id, item_id)  # another account's testimonial is not found, whatever the action is
    action = request.POST.get("action", "")
    call_tool(request, tools.approve, page_id=id, item_id=item_id, action=action)
    back = return_url(request, id) or _testimonial_url(id, item_id)
    return redirect_with_message(request, format_decision(action, 1), back)


@page("POST")
def reply(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    form = _build_form(request, _get_testimonial(request, id, item_id), ("reply",))
    if form.submit(request.caller):
        text = gettext("Reply published.") if form.values.get("reply") else gettext("Reply removed.")
        return redirect_with_message(request, text, _testimonial_url(id, item_id))
    return _render_page(request, id, item_id, reply=form)


@page("POST")
def edit(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    testimonial = _get_testimonial(request, id, item_id)
    form = _build_form(request, testimonial, _editable_fields(testimonial))
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Review saved."), _testimonial_url(id, item_id))
    return _render_page(request, id, item_id, edit=form)


@page("POST")
def set_consent(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    """Withdraw the writer's consent, or record that the writer of an added testimonial consented."""
    value = request.POST.get("consented") == "yes"
    approve = {"action": "approve"} if value and request.POST.get("action") == "approve" else {}
    call_tool(request, testimonial_tools.save_items, page_id=id, items=[{"id": item_id, "consented": value, **approve}])
    text = gettext("Consent withdrawn. Only you can read this review.")
    if value:
        text = gettext("Consent recorded and review approved.") if approve else gettext("Consent recorded.")
    return redirect_with_message(request, text, _testimonial_url(id, item_id))


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    testimonial = _get_testimonial(request, id, item_id)
    if request.method == "POST":
        call_tool(request, testimonial_tools.delete, ids=[item_id])
        text = gettext("Review deleted. You can restore it for 30 days.")
        return redirect_with_message(request, text, f"{HOME_PATH}/{id}/items")
    return render_confirmation(
        request,
        title=gettext("Delete the review by %(name)s?") % {"name": testimonial["name"]},
        text=gettext("You can restore it for 30 days. To keep it without showing it, hide it instead."),
        button=gettext("Delete review"),
        back=_testimonial_url(id, item_id),
    )


@page("GET", "HEAD", "POST")
def erase_testimonial(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    testimonial = _get_testimonial(request, id, item_id)
    if request.method == "POST":
        call_tool(request, testimonial_tools.delete, ids=[item_id], erase=True)
        return redirect_with_message(request, gettext("Review erased."), f"{HOME_PATH}/{id}/items")
    return render_confirmation(
        request,
        title=gettext("Erase the review by %(name)s permanently?") % {"name": testimonial["name"]},
        text=gettext(
            "The review, its photo and the email address are removed everywhere immediately. You can’t undo this."
        ),
        button=gettext("Erase permanently"),
        back=_testimonial_url(id, item_id),
    )


def _testimonial_url(id: str, item_id: str) -> str:
    return f"{HOME_PATH}/{id}/items/{item_id}"


def _get_testimonial(request: SignedInRequest, id: str, item_id: str) -> Mapping[str, Any]:
    return call_tool(request, tools.get, page_id=id, item_id=item_id)["item"]


def _editable_fields(page: Mapping[str, Any]) -> tuple[str, ...]:
    return CONTEXT_FIELDS if page["source"] == "page" else (*IMPORTED_FIELDS, *CONTEXT_FIELDS)


def _render_page(
    request: SignedInRequest,
    id: str,
    item_id: str,
    *,
    reply: ToolForm | None = None,
    edit: ToolForm | None = None,
) -> HttpResponse:
    testimonial = _get_testimonial(request, id, item_id)
    context = {
        "item": present_testimonial(testimonial),
        "reply_form": reply or _reset_form(_build_form(request, testimonial, ("reply",))),
        "edit_form": edit or _reset_form(_build_form(request, testimonial, _editable_fields(testimonial))),
        "relationships": list_relationships(),
    }
    status = 422 if request.method == "POST" else 200
    return LAYOUT.render_item_page(request, id, "reviews/owner/item.html", context, status)


def _reset_form(form: ToolForm) -> ToolForm:
    """Reset a form that was not the submitted one."""
    form.is_bound, form.values = False, form.initial
    return form


def _build_form(request: SignedInRequest, page: Mapping[str, Any], names: tuple[str, ...]) -> ToolForm:
    return ToolForm(
        testimonial_tools.save_items,
        request,
        initial={name: page[name] for name in names},
        fixed={"page_id": page["page_id"]},
        editing=True,
        labels=LABELS,
        entry="items",
        entry_fixed={"id": page["id"]},
    )
