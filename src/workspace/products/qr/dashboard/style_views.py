"""The style editor. The preview renders the form exactly as it would be saved. The tool saves it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from pydantic import ValidationError

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.dashboard.presenters import present_verdict, svg_data_url
from workspace.products.qr.dashboard.styled_item import StyledItem
from workspace.products.qr.domain.scan_check import get_scan_report, verdict_from_report
from workspace.qr_symbols.style import PRESETS, Style, UnsafeStyleError
from workspace.qr_symbols.svg import render_svg

TRANSPARENT = "transparent"
GRADIENT_CHOICES = [
    ("none", owner_gettext_lazy("None")),
    ("linear", owner_gettext_lazy("Linear")),
    ("radial", owner_gettext_lazy("Radial")),
]
LOGO_SHAPE_CHOICES = [
    ("none", owner_gettext_lazy("None")),
    ("square", owner_gettext_lazy("Square")),
    ("rounded", owner_gettext_lazy("Rounded")),
    ("circle", owner_gettext_lazy("Circle")),
]


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    item = StyledItem.load(request, id)
    if request.path != item.url:  # the id belongs to the other kind: a QR code or another item
        return redirect_full_page(request, item.url)
    form = item.build_form(request)
    if request.method == "POST":
        if item.thing is None:
            form_images.store_upload(request, form, "logo", "logo_id")
        if not form.errors and form.submit(request.caller):
            return redirect_with_message(request, gettext("Design saved."), item.done_url)
    elif (preset := request.GET.get("preset", "")) in PRESETS:
        _apply_preset(request, form, preset)
    context = {
        "code": item,
        "form": form,
        "style": _style_fields(form),
        "presets": list(PRESETS),
        "gradients": GRADIENT_CHOICES,
        "knockouts": LOGO_SHAPE_CHOICES,
        "chosen_preset": request.GET.get("preset", ""),
        "logo": form_images.find_image_preview(request.account, form.values.get("logo_id")),
        **_preview_context(request, form, item),
    }
    return item.render_page(request, context, form.status)


@page("POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the style in the form, with a placeholder for the verdict, which takes longer to compute."""
    item = StyledItem.load(request, id)
    return render(
        request,
        "qr/owner/parts/preview.html",
        {"code": item, **_preview_context(request, item.build_form(request), item)},
    )


@page("POST")
def verdict(request: SignedInRequest, id: str) -> HttpResponse:
    item = StyledItem.load(request, id)
    form = item.build_form(request)
    style, problem = _parse_style(form)
    if style is None:
        return render(request, "qr/owner/parts/verdict.html", {"problem": problem})
    try:
        report = get_scan_report(style, item.symbol_text, _load_logo(request, form, item))
    except UnsafeStyleError as unsafe:
        return render(request, "qr/owner/parts/verdict.html", {"problem": str(unsafe)})
    return render(request, "qr/owner/parts/verdict.html", present_verdict(verdict_from_report(report)))


@page("POST")
def upload_logo(request: SignedInRequest, id: str) -> HttpResponse:
    """Store a logo immediately, so that the preview can show it. Saving the style applies it."""
    form = StyledItem.load(request, id).build_form(request)
    form_images.store_upload(request, form, "logo", "logo_id")
    context = {
        "logo": form_images.find_image_preview(request.account, form.values.get("logo_id")),
        "problem": " ".join(form.errors.get("logo", ())),
    }
    response = render(request, "qr/owner/parts/logo.html", context)
    response.headers["HX-Trigger-After-Swap"] = "look-changed"
    return response


@page()
def preset_image(request: SignedInRequest, id: str, name: str) -> HttpResponse:
    """Render this code in the style of a preset."""
    if name not in PRESETS:
        raise Http404
    item = StyledItem.load(request, id)
    picture = item.load_logo(request, form_images.find_image(request.account, item.logo_id))
    content = render_svg(item.symbol_text, PRESETS[name], logo=picture, title=name)
    response = HttpResponse(content, content_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"  # the URL contains the slug and the logo
    response.headers["Content-Security-Policy"] = "default-src 'none'; img-src data:; sandbox"
    return response


def _apply_preset(request: SignedInRequest, form: ToolForm, preset: str) -> None:
    """Fill the form with a preset without saving it. A custom caption and a logo are kept."""
    style = PRESETS[preset].model_dump()
    caption = request.GET.get("style.caption", form.initial["style"]["caption"])[:60]
    if caption and caption not in {preset.caption for preset in PRESETS.values()} and style["frame"] != "none":
        style["caption"] = caption
    form.values = {"style": style, "logo_id": request.GET.get("logo_id", form.initial.get("logo_id", ""))[:64]}


def _parse_style(form: ToolForm) -> tuple[Style | None, str]:
    """Return the form's style as the tool parses it, or None with the error."""
    value = form.arguments.get("style", form.initial["style"])
    try:
        return Style.model_validate(value), ""
    except ValidationError as error:
        detail = error.errors()[0]
        path = ".".join(["style", *map(str, detail["loc"])])
        return None, f"{form.label_for(path)}: {detail.get('ctx', {}).get('error') or detail['msg']}"


def _preview_context(request: SignedInRequest, form: ToolForm, item: StyledItem) -> dict[str, Any]:
    style, problem = _parse_style(form)
    if style is None:
        return {"problem": problem}
    try:
        drawing = render_svg(
            item.symbol_text, style, logo=_load_logo(request, form, item), title=item.public_url or gettext("QR code")
        )
    except UnsafeStyleError as unsafe:
        return {"problem": str(unsafe)}
    return {"drawing": svg_data_url(drawing), "is_clear": style.background == TRANSPARENT, "problem": ""}


def _load_logo(request: SignedInRequest, form: ToolForm, item: StyledItem) -> bytes | None:
    return item.load_logo(request, form_images.find_image(request.account, form.values.get("logo_id")))


def _style_fields(form: ToolForm) -> dict[str, Any]:
    """Return the style's fields by their short names, for a template with its own layout."""
    return {name: form.get_field(f"style.{name}") for name in Style.model_fields}
