"""Making a code: what it does is chosen first, and beside what is typed it is drawn as it will look."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from pydantic import TypeAdapter, ValidationError

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.products.qr.api import bulk_tools, tools
from workspace.products.qr.api.serializers import DYNAMIC, folders_of
from workspace.products.qr.dashboard.edit_views import LABELS, NAMES
from workspace.products.qr.dashboard.layout import FRAME
from workspace.products.qr.dashboard.presenters import picture_url
from workspace.products.qr.domain.scan_check import sample
from workspace.products.qr.rules.static_content import TITLES, Static, text_of
from workspace.publishing.qr_style import usual
from workspace.qr_symbols.style import UnsafeStyle
from workspace.qr_symbols.svg import svg
from workspace.qr_symbols.symbol import encode, least_width

ICONS = {
    "website": "link",
    "wifi": "wifi",
    "contact": "person",
    "email": "mail",
    "phone": "phone",
    "sms": "message",
    "text": "text",
}
WEBSITE = "website"
SECURITIES = [("WPA", "WPA, WPA2, WPA3"), ("WEP", "WEP, of old routers"), ("nopass", "None: an open network")]
_STATIC: TypeAdapter[Any] = TypeAdapter(Static)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    kind = _kind(request)
    form = _form(request, kind)
    if answer := form.submit(request.caller):
        made = answer.data if kind == WEBSITE else answer.data["items"][0]
        return redirect_whole(request, f"{FRAME.home}/{made['id']}?made")
    context = {
        "form": form,
        "kind": kind,
        "kinds": [(name, "Website" if name == WEBSITE else TITLES[name], icon) for name, icon in ICONS.items()],
        "securities": SECURITIES,
        "folder": request.GET.get("folder", "")[:60],
        "folders": folders_of(request.account),
        **_drawn(request, kind, form),
    }
    return render(request, "qr/new.html", context, status=form.status)


@page("POST")
def preview(request: SignedInRequest) -> HttpResponse:
    """The code of what is typed, in the look that it will have at first."""
    kind = _kind(request)
    return render(request, "qr/parts/new_preview.html", {"kind": kind, **_drawn(request, kind, _form(request, kind))})


def _kind(request: SignedInRequest) -> str:
    given = request.GET.get("kind", WEBSITE)
    return given if given in ICONS else WEBSITE


def _form(request: SignedInRequest, kind: str) -> ToolForm:
    initial: dict[str, Any] = {"folder": request.GET.get("folder", "")[:60]}
    if kind == WEBSITE:
        return ToolForm(tools.create, request, initial=initial, labels={**LABELS, **NAMES})
    if like := request.GET.get("like"):
        found = call(request, tools.get, id=like)
        if found["kind"] != DYNAMIC:
            initial |= {"name": found["name"], "folder": found["folder"], "static": dict(found["content"])}
    return ToolForm(bulk_tools.save_codes, request, initial=initial, labels={**LABELS, **NAMES}, entry="items")


def _drawn(request: SignedInRequest, kind: str, form: ToolForm) -> dict[str, Any]:
    """A picture of the code, in the brand's look; of an example until there is enough of it."""
    style, logo = usual(request.account)
    text = "" if kind == WEBSITE else _text(form, kind)
    try:
        drawing = svg(text or sample(), style, logo=logo, title="Preview of the code")
    except UnsafeStyle as unsafe:
        return {"problem": str(unsafe)}
    size = encode(text, with_logo=logo is not None).size if text else 0
    return {"drawing": picture_url(drawing), "is_example": not text, "least_cm": least_width(size) if text else 2}


def _text(form: ToolForm, kind: str) -> str:
    """What the symbol would hold; empty while something is missing or wrong."""
    given = form.arguments["items"][0].get("static", {}) if form.bound else dict(form.initial.get("static", {}))
    try:
        return text_of(_STATIC.validate_python({**given, "kind": kind}))
    except ValidationError:
        return ""
