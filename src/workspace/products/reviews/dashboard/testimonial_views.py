"""One testimonial: reading it, deciding, replying, and what surrounds its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call
from workspace.products.reviews.api import testimonial_tools, tools
from workspace.products.reviews.dashboard.import_views import LABELS
from workspace.products.reviews.dashboard.inbox_views import here
from workspace.products.reviews.dashboard.layout import FRAME
from workspace.products.reviews.dashboard.presenters import HOME, page, testimonial_shown
from workspace.products.reviews.models.testimonial import RELATIONSHIPS

AROUND = ("excerpt", "tags", "relationship")
BROUGHT = ("name", "text", "rating", "byline", "source_name", "email")  # what the owner typed can be corrected


@page()
def item(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    return _page(request, id, item_id)


@page("POST")
def act(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    found, action = _found(request, id, item_id), request.POST.get("action", "")
    call(request, tools.approve, page_id=id, item_id=item_id, action=action)
    told = f"{tools.DONE[action]} the words of {found['name']}."
    return done(request, told, here(request, id) or _url(id, item_id))


@page("POST")
def reply(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    form = _form(request, _found(request, id, item_id), ("reply",))
    if form.submit(request.caller):
        told = "Your reply is public now." if form.values.get("reply") else "Your reply is taken back."
        return done(request, told, _url(id, item_id))
    return _page(request, id, item_id, reply=form)


@page("POST")
def edit(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    found = _found(request, id, item_id)
    form = _form(request, found, _around(found))
    if form.submit(request.caller):
        return done(request, "Saved.", _url(id, item_id))
    return _page(request, id, item_id, edit=form)


@page("POST")
def consent(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    """The writer takes consent back, or the owner vouches for what they added."""
    given = request.POST.get("consented") == "yes"
    approve = {"action": "approve"} if given and request.POST.get("action") == "approve" else {}
    call(request, testimonial_tools.save_items, page_id=id, items=[{"id": item_id, "consented": given, **approve}])
    told = "It is not shown any more: only you can read it."
    if given:
        told = "Consent is recorded, and the words are shown." if approve else "Consent is recorded."
    return done(request, told, _url(id, item_id))


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    found = _found(request, id, item_id)
    if request.method == "POST":
        call(request, testimonial_tools.delete, ids=[item_id])
        told = f"What {found['name']} wrote is deleted. For 30 days it can be brought back."
        return done(request, told, f"{HOME}/{id}/items")
    return ask(
        request,
        title=f"Delete what {found['name']} wrote?",
        text="For 30 days it can be brought back. A review that you would rather not show can be hidden instead.",
        button="Delete it",
        back=_url(id, item_id),
    )


@page("GET", "HEAD", "POST")
def erase(request: SignedInRequest, id: str, item_id: str) -> HttpResponse:
    found = _found(request, id, item_id)
    if request.method == "POST":
        call(request, testimonial_tools.delete, ids=[item_id], erase=True)
        return done(request, f"What {found['name']} wrote is erased.", f"{HOME}/{id}/items")
    return ask(
        request,
        title=f"Erase what {found['name']} wrote?",
        text="At once and everywhere, with the photo and the e-mail address, as the writer may ask. Nothing brings it "
        "back.",
        button="Erase it for good",
        back=_url(id, item_id),
    )


def _url(id: str, item_id: str) -> str:
    return f"{HOME}/{id}/items/{item_id}"


def _found(request: SignedInRequest, id: str, item_id: str) -> Mapping[str, Any]:
    return call(request, tools.get, page_id=id, item_id=item_id)["item"]


def _around(found: Mapping[str, Any]) -> tuple[str, ...]:
    return AROUND if found["source"] == "page" else (*BROUGHT, *AROUND)


def _page(
    request: SignedInRequest,
    id: str,
    item_id: str,
    *,
    reply: ToolForm | None = None,
    edit: ToolForm | None = None,
) -> HttpResponse:
    found = _found(request, id, item_id)
    context = {
        "item": testimonial_shown(found),
        "reply_form": reply or _fresh(_form(request, found, ("reply",))),
        "edit_form": edit or _fresh(_form(request, found, _around(found))),
        "relationships": list(RELATIONSHIPS.items()),
    }
    status = 422 if request.method == "POST" else 200
    return FRAME.page(request, id, "reviews/item.html", context, status)


def _fresh(form: ToolForm) -> ToolForm:
    """The form that was not the one sent."""
    form.bound, form.values = False, form.initial
    return form


def _form(request: SignedInRequest, found: Mapping[str, Any], names: tuple[str, ...]) -> ToolForm:
    return ToolForm(
        testimonial_tools.save_items,
        request,
        initial={name: found[name] for name in names},
        fixed={"page_id": found["page_id"]},
        editing=True,
        labels=LABELS,
        entry="items",
        entry_fixed={"id": found["id"]},
    )
