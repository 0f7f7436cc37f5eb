"""A testimonial: its text, decisions, the reply, and its context fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.products.reviews.api import testimonial_tools, tools
from workspace.products.reviews.dashboard.import_views import LABELS
from workspace.products.reviews.dashboard.inbox_views import return_url
from workspace.products.reviews.dashboard.item_layout import LAYOUT
from workspace.products.reviews.dashboard.presenters import HOME_PATH, page, present_testimonial
from workspace.products.reviews.models.testimonial import RELATIONSHIPS

CONTEXT_FIELDS = ("excerpt", "tags", "relationship")
# testimonials typed by the owner can be corrected
IMPORTED_FIELDS = ("name", "text", "rating", "byline", "source_name", "email")


@page()
def show_testimonial(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    return _render_page(request, id, item_id)


@page("POST")
def decide(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    result, action = _get_testimonial(request, id, item_id), request.POST.get("action", "")
    call_tool(request, tools.approve, page_id=id, item_id=item_id, action=action)
    text = f"{tools.ACTION_PHRASES[action]} the words of {result['name']}."
    return redirect_with_message(request, text, return_url(request, id) or _testimonial_url(id, item_id))


@page("POST")
def reply(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    form = _build_form(request, _get_testimonial(request, id, item_id), ("reply",))
    if form.submit(request.caller):
        text = "Your reply is public now." if form.values.get("reply") else "Your reply is taken back."
        return redirect_with_message(request, text, _testimonial_url(id, item_id))
    return _render_page(request, id, item_id, reply=form)


@page("POST")
def edit(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    testimonial = _get_testimonial(request, id, item_id)
    form = _build_form(request, testimonial, _editable_fields(testimonial))
    if form.submit(request.caller):
        return redirect_with_message(request, "Saved.", _testimonial_url(id, item_id))
    return _render_page(request, id, item_id, edit=form)


@page("POST")
def set_consent(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    """Withdraw the writer's consent, or record the owner's confirmation of consent for an added testimonial."""
    value = request.POST.get("consented") == "yes"
    approve = {"action": "approve"} if value and request.POST.get("action") == "approve" else {}
    call_tool(request, testimonial_tools.save_items, page_id=id, items=[{"id": item_id, "consented": value, **approve}])
    text = "It is not shown any more: only you can read it."
    if value:
        text = "Consent is recorded, and the words are shown." if approve else "Consent is recorded."
    return redirect_with_message(request, text, _testimonial_url(id, item_id))


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    testimonial = _get_testimonial(request, id, item_id)
    if request.method == "POST":
        call_tool(request, testimonial_tools.delete, ids=[item_id])
        text = f"What {testimonial['name']} wrote is deleted. For 30 days it can be brought back."
        return redirect_with_message(request, text, f"{HOME_PATH}/{id}/items")
    return render_confirmation(
        request,
        title=f"Delete what {testimonial['name']} wrote?",
        text="For 30 days it can be brought back. A review that you would rather not show can be hidden instead.",
        button="Delete it",
        back=_testimonial_url(id, item_id),
    )


@page("GET", "HEAD", "POST")
def erase_testimonial(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    testimonial = _get_testimonial(request, id, item_id)
    if request.method == "POST":
        call_tool(request, testimonial_tools.delete, ids=[item_id], erase=True)
        return redirect_with_message(request, f"What {testimonial['name']} wrote is erased.", f"{HOME_PATH}/{id}/items")
    return render_confirmation(
        request,
        title=f"Erase what {testimonial['name']} wrote?",
        text="At once and everywhere, with the photo and the e-mail address, as the writer may ask. Nothing brings it "
        "back.",
        button="Erase it for good",
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
        "relationships": list(RELATIONSHIPS.items()),
    }
    status = 422 if request.method == "POST" else 200
    return LAYOUT.render_item_page(request, id, "reviews/item.html", context, status)


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
