"""One testimonial: reading it, deciding, replying, and what surrounds its words."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.reviews.dashboard.calls import APPROVE, DELETE, EDIT, GET, HOME, PAGE_GET, REPLY, page
from workspace.products.reviews.dashboard.shown import page_shown, testimonial_shown
from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.products.reviews.tools import DONE

LABELS = {
    "text": "Your reply",
    "excerpt": "Excerpt",
    "tags": "Tags",
    "relationship": "Their tie to your business",
    "consented": "They agreed to have it shown",
}


@page()
def item(request: SignedInRequest, page_id: str, item_id: str) -> HttpResponse:
    return _page(request, page_id, item_id)


@page("POST")
def act(request: SignedInRequest, page_id: str, item_id: str) -> HttpResponse:
    action = request.POST.get("action", "")
    found = call(request, APPROVE, page_id=page_id, item_id=item_id, action=action)
    messages.success(request, f"{DONE[action]} the words of {found['name']}.")
    here = request.POST.get("_here", "")
    is_list = here == f"{HOME}/{page_id}" or here.startswith(f"{HOME}/{page_id}?")
    return redirect_whole(request, here if is_list else f"{HOME}/{page_id}/items/{item_id}")


@page("POST")
def reply(request: SignedInRequest, page_id: str, item_id: str) -> HttpResponse:
    form = _reply_form(request, page_id, item_id, "")
    if answer := form.submit(request.caller):
        messages.success(request, "Your reply is public now." if answer.data["reply"] else "Your reply is taken back.")
        return redirect_whole(request, f"{HOME}/{page_id}/items/{item_id}")
    return _page(request, page_id, item_id, reply_form=form)


@page("POST")
def edit(request: SignedInRequest, page_id: str, item_id: str) -> HttpResponse:
    form = _edit_form(request, page_id, item_id, call(request, GET, page_id=page_id, item_id=item_id))
    if form.submit(request.caller):
        messages.success(request, "Saved.")
        return redirect_whole(request, f"{HOME}/{page_id}/items/{item_id}")
    return _page(request, page_id, item_id, edit_form=form)


@page("POST")
def consent(request: SignedInRequest, page_id: str, item_id: str) -> HttpResponse:
    """The writer takes consent back, or the owner vouches for what they added."""
    given = request.POST.get("consented") == "yes"
    call(request, EDIT, page_id=page_id, item_id=item_id, consented=given)
    messages.success(request, "Consent is recorded." if given else "It is not shown any more: only you can read it.")
    return redirect_whole(request, f"{HOME}/{page_id}/items/{item_id}")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, page_id: str, item_id: str) -> HttpResponse:
    found = call(request, GET, page_id=page_id, item_id=item_id)
    if request.method == "POST":
        call(request, DELETE, page_id=page_id, item_id=item_id)
        messages.success(request, f"What {found['name']} wrote is deleted.")
        return redirect_whole(request, f"{HOME}/{page_id}")
    context = {
        "title": f"Delete what {found['name']} wrote?",
        "text": "For good, with the photo and the e-mail address: for spam, or when the writer asks for it. A "
        "review that you would rather not show can be hidden instead.",
        "action": request.path,
        "button": "Delete it",
        "back": f"{HOME}/{page_id}/items/{item_id}",
    }
    return render(request, "dashboard/confirm.html", context)


def _page(
    request: SignedInRequest,
    page_id: str,
    item_id: str,
    *,
    reply_form: ToolForm | None = None,
    edit_form: ToolForm | None = None,
) -> HttpResponse:
    found = call(request, GET, page_id=page_id, item_id=item_id)
    context = {
        "page": page_shown(call(request, PAGE_GET, page_id=page_id)),
        "item": testimonial_shown(found),
        "reply_form": reply_form or _fresh(_reply_form(request, page_id, item_id, found["reply"])),
        "edit_form": edit_form or _fresh(_edit_form(request, page_id, item_id, found)),
        "relationships": list(RELATIONSHIPS.items()),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "reviews/item.html", context, status=status)


def _fresh(form: ToolForm) -> ToolForm:
    """The form that was not the one sent."""
    form.bound, form.values = False, form.initial
    return form


def _reply_form(request: SignedInRequest, page_id: str, item_id: str, present: str) -> ToolForm:
    fixed = {"page_id": page_id, "item_id": item_id}
    return ToolForm(REPLY, request, initial={"text": present}, fixed=fixed, labels=LABELS)


def _edit_form(request: SignedInRequest, page_id: str, item_id: str, found: dict[str, object]) -> ToolForm:
    initial = {name: found[name] for name in ("excerpt", "tags", "relationship")}
    fixed = {"page_id": page_id, "item_id": item_id}
    return ToolForm(EDIT, request, initial=initial, fixed=fixed, editing=True, labels=LABELS)
