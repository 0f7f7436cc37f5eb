"""Creating a code: the owner first chooses the kind, and a preview shows the code while they type."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from pydantic import TypeAdapter, ValidationError

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.api import bulk_tools, tools
from workspace.products.qr.api.serializers import DYNAMIC, folders_for
from workspace.products.qr.dashboard.edit_views import LABELS, STATIC_LABELS
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.dashboard.presenters import svg_data_url
from workspace.products.qr.domain.scan_check import sample_text
from workspace.products.qr.rules.static_content import ValidStaticContent, build_symbol_text
from workspace.publishing.qr_style import default_style
from workspace.qr_symbols.style import UnsafeStyleError
from workspace.qr_symbols.svg import render_svg
from workspace.qr_symbols.symbol import encode_symbol, min_print_width

KIND_ICONS = {
    "website": "link",
    "wifi": "wifi",
    "contact": "person",
    "email": "mail",
    "phone": "phone",
    "sms": "message",
    "text": "text",
}
WEBSITE = "website"
SECURITY_CHOICES = [
    ("WPA", owner_gettext_lazy("WPA, WPA2, WPA3")),
    ("WEP", owner_gettext_lazy("WEP (old routers)")),
    ("nopass", owner_gettext_lazy("None (open network)")),
]
KIND_LABELS = {
    "website": owner_gettext_lazy("Website"),
    "wifi": owner_gettext_lazy("Wi-Fi"),
    "contact": owner_gettext_lazy("Contact"),
    "email": owner_gettext_lazy("Email"),
    "phone": owner_gettext_lazy("Phone"),
    "sms": owner_gettext_lazy("SMS"),
    "text": owner_gettext_lazy("Text"),
}
_STATIC_ADAPTER: TypeAdapter[Any] = TypeAdapter(ValidStaticContent)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    kind = _parse_kind(request)
    form = _build_form(request, kind)
    if answer := form.submit(request.caller):
        made = answer.data if kind == WEBSITE else answer.data["items"][0]
        return redirect_full_page(request, f"{LAYOUT.home}/{made['id']}?made")
    context = {
        "form": form,
        "kind": kind,
        "kinds": [(name, KIND_LABELS[name], icon) for name, icon in KIND_ICONS.items()],
        "securities": SECURITY_CHOICES,
        "folder": request.GET.get("folder", "")[:60],
        "folders": folders_for(request.account),
        **_preview_context(request, kind, form),
    }
    return render(request, "qr/owner/new.html", context, status=form.status)


@page("POST")
def preview(request: SignedInRequest) -> HttpResponse:
    """Preview the code with its initial style."""
    kind = _parse_kind(request)
    return render(
        request,
        "qr/owner/parts/new_preview.html",
        {"kind": kind, **_preview_context(request, kind, _build_form(request, kind))},
    )


def _parse_kind(request: SignedInRequest) -> str:
    text = request.GET.get("kind", WEBSITE)
    return text if text in KIND_ICONS else WEBSITE


def _build_form(request: SignedInRequest, kind: str) -> ToolForm:
    initial: dict[str, Any] = {"folder": request.GET.get("folder", "")[:60]}
    if kind == WEBSITE:
        return ToolForm(tools.create, request, initial=initial, labels={**LABELS, **STATIC_LABELS})
    if copy_of := request.GET.get("copy_of"):
        checked_code = call_tool(request, tools.get, id=copy_of)
        if checked_code["kind"] != DYNAMIC:
            initial |= {
                "name": checked_code["name"],
                "folder": checked_code["folder"],
                "static": dict(checked_code["content"]),
            }
    return ToolForm(bulk_tools.save, request, initial=initial, labels={**LABELS, **STATIC_LABELS}, entry="items")


def _preview_context(request: SignedInRequest, kind: str, form: ToolForm) -> dict[str, Any]:
    """Return a picture of the code in the brand's style. While the content is incomplete, show an example."""
    style, logo = default_style(request.account)
    text = "" if kind == WEBSITE else _build_symbol_text(form, kind)
    try:
        drawing = render_svg(text or sample_text(), style, logo=logo, title=gettext("Preview of the QR code"))
    except UnsafeStyleError as unsafe:
        return {"problem": str(unsafe)}
    size = encode_symbol(text, with_logo=logo is not None).size if text else 0
    return {"drawing": svg_data_url(drawing), "is_example": not text, "least_cm": min_print_width(size) if text else 2}


def _build_symbol_text(form: ToolForm, kind: str) -> str:
    """Return the text of the symbol, or an empty string while the content is incomplete or invalid."""
    value = form.arguments["items"][0].get("static", {}) if form.is_bound else dict(form.initial.get("static", {}))
    try:
        return build_symbol_text(_STATIC_ADAPTER.validate_python({**value, "kind": kind}))
    except ValidationError:
        return ""
