"""The design page of a template: a gallery of designs, and a form next to a live preview."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm, text_inputs
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.previews import apply_and_roll_back
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import ToolError
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.item_layout import LAYOUT
from workspace.products.certs.domain import previews
from workspace.products.certs.domain.print_data import DESIGNS, TYPEFACES
from workspace.products.certs.domain.queries import get_template
from workspace.products.certs.models import SIGNATURE_FIELDS, Template
from workspace.products.certs.rules import layout_elements
from workspace.publishing.language import text_direction

LABELS = {
    "name": gettext_lazy("Template name"),
    "title": gettext_lazy("Heading"),
    "organization": gettext_lazy("Issued by"),
    "intro": gettext_lazy("Text above the name"),
    "body": gettext_lazy("Text below the name"),
    "description": gettext_lazy("Course description"),
    "criteria": gettext_lazy("Requirements"),
    "valid_months": gettext_lazy("Valid for"),
    "language": gettext_lazy("Language"),
    "signers.name": gettext_lazy("Signer’s name"),
    "signers.role": gettext_lazy("Signer’s role"),
    "signers.image_id": gettext_lazy("Signature"),
    "layout.elements": gettext_lazy("Layout"),
}
FORM_FIELDS = (
    "name", "title", "organization", "intro", "body", "description", "criteria", "skills", "hours_label",
    "custom_label", "valid_months", "language", "signers", "layout",
)  # fmt: skip
DESIGN_LABELS = {
    "classic": gettext_lazy("Classic"),
    "guilloche": gettext_lazy("Guilloche"),
    "diploma": gettext_lazy("Diploma"),
    "modern": gettext_lazy("Modern"),
    "minimal": gettext_lazy("Minimal"),
    "waves": gettext_lazy("Waves"),
    "angles": gettext_lazy("Angles"),
    "night": gettext_lazy("Night"),
}
GALLERY = [(design, DESIGN_LABELS[design], f"certs/designs/{design}.webp") for design in DESIGNS]
# Translators: styles of letters
TYPEFACE_LABELS = {
    "classic": gettext_lazy("Classic"),
    "modern": gettext_lazy("Modern"),
    "warm": gettext_lazy("Warm"),
    "plain": gettext_lazy("Plain"),
}
FIELD_CHOICES = {
    "papers": [("a4", gettext_lazy("A4")), ("letter", gettext_lazy("US Letter"))],
    "ways": [("true", gettext_lazy("Landscape")), ("false", gettext_lazy("Portrait"))],
    "faces": [
        ("", gettext_lazy("Same as brand")),
        *((value, format_lazy("{} ({})", TYPEFACE_LABELS[value], face)) for value, face in TYPEFACES.items()),
    ],
    "seals": [
        ("none", gettext_lazy("None")),
        ("rosette", gettext_lazy("Rosette")),
        ("ribbon", gettext_lazy("Rosette with ribbons")),
    ],
    "ways_to_set": [
        ("left", gettext_lazy("Left")),
        ("center", gettext_lazy("Center")),
        ("right", gettext_lazy("Right")),
    ],
}
EMPTY_LAYOUT: dict[str, Any] = {"colors": [], "fonts": "", "logo_id": "", "background_image_id": "", "elements": []}
PREVIEW_WIDTH = 1000  # pixels
SKILL_SLOTS = 8
ELEMENTS_PATH = "layout.elements"
PART_LABELS = {
    "logo": gettext_lazy("Logo"),
    "organization": gettext_lazy("Issued by"),
    "title": gettext_lazy("Heading"),
    "intro": gettext_lazy("Text above the name"),
    "name": gettext_lazy("Name"),
    "line": gettext_lazy("Line"),
    "body": gettext_lazy("Text below the name"),
    "description": gettext_lazy("Course description"),
    "facts": gettext_lazy("Date, hours and other details"),
    "signers": gettext_lazy("Signers"),
    "seal": gettext_lazy("Seal"),
    "code": gettext_lazy("QR code and verification code"),
    "text": gettext_lazy("Text"),
}
PLACEMENT_ACTIONS = (
    ("left", gettext_lazy("Align with left margin"), "⇤"),
    ("center", gettext_lazy("Center horizontally"), "↔"),
    ("right", gettext_lazy("Align with right margin"), "⇥"),
    ("top", gettext_lazy("Align with top margin"), "⤒"),
    ("middle", gettext_lazy("Center vertically"), "↕"),
    ("bottom", gettext_lazy("Align with bottom margin"), "⤓"),
    ("wide", gettext_lazy("Full width"), "⟷"),
)
SPARE_TEXTS = 3
DEFAULT_TEXT_BOX = {"x": 30.0, "y": 93.0, "width": 40.0, "height": 4.0}
DEFAULT_LINE_BOX = {"x": 30.0, "y": 56.0, "width": 40.0, "height": 1.0}
# by design and orientation; centered designs share their positions
DEFAULT_POSITIONS = {
    f"{item}-{'true' if landscape else 'false'}": {
        place["part"]: [place["x"], place["y"], place["width"], place["height"]]
        for place in layout_elements.default_elements(item, landscape=landscape)
    }
    for item in ("classic", "modern", "minimal")
    for landscape in (True, False)
}
COLORS_PATH = "layout.colors"


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.save_template, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_full_page(request, f"{LAYOUT.home}/{answer.data['id']}?made")
    context = {"form": form, "gallery": GALLERY, "design": _selected_design(form)}
    return render(request, "certs/owner/new.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    template: Any = call_tool(request, tools.get, id=id)["template"]
    form = _build_form(request, id, template)
    if request.method == "POST":
        for name in ("layout.logo", "layout.background_image", *(f"signers.{place}.image" for place in range(4))):
            form_images.store_upload(request, form, name, f"{name}_id")
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Design saved."), f"{LAYOUT.home}/{id}")
    is_placed = (
        request.POST.get("_placed") == "free" if request.method == "POST" else bool(template["layout"]["elements"])
    )
    shown = f"{LAYOUT.home}/{id}/picture?at={template['updated_at']}".replace("+", "%2B")
    colors = form.get_field(COLORS_PATH).texts
    context = {
        "form": form,
        "image_url": shown,
        "gallery": GALLERY,
        "design": _selected_design(form),
        "signers": [(row, f"signers.{row.number}.image") for row in form.list_rows("signers", 1)],
        "skills": text_inputs(form, "skills", max(SKILL_SLOTS, len(form.get_field("skills").texts))),
        "is_placed": is_placed,
        "place_acts": PLACEMENT_ACTIONS,
        "places": _present_elements(form, template["language"]),
        "default_positions": json.dumps(DEFAULT_POSITIONS),
        "color_count": min(len(colors), 2),
        "color": colors[0] if colors else "#1f3a5f",
        "accent": colors[1] if len(colors) > 1 else "#b08d3c",
        **FIELD_CHOICES,
    }
    return LAYOUT.render_item_page(request, id, "certs/owner/design.html", context, form.status)


def _selected_design(form: ToolForm) -> str:
    chosen = form.get_field("layout.design").text
    return chosen if chosen in DESIGNS else DESIGNS[0]


def _build_form(request: SignedInRequest, id: str, template: Any) -> ToolForm:
    """Build the form with the number of chosen colors, because a browser's color picker cannot be empty."""
    if request.method == "POST" and "_colors" in request.POST:
        fields = request.POST.copy()
        count = {"one": 1, "two": 2}.get(request.POST.get("_colors", ""), 0)
        fields.setlist(COLORS_PATH, fields.getlist(COLORS_PATH)[:count])
        if not count:
            fields.pop(COLORS_PATH, None)
            fields.appendlist("_has", COLORS_PATH)
        request.POST = fields  # type: ignore[assignment]
    if request.method == "POST":
        request.POST = _remove_unplaced(request.POST)  # type: ignore[assignment]
    initial = {name: template[name] for name in FORM_FIELDS}
    return _DesignForm(
        tools.save_template, request, initial=initial, fixed={"template_id": id}, editing=True, labels=LABELS
    )


def _remove_unplaced(fields: QueryDict) -> QueryDict:
    """Return the posted fields without elements that are not on the page and without colors that were not chosen."""
    query = fields.copy()
    is_free = fields.get("_placed") == "free"
    hidden, colored = set(fields.getlist("_hidden")), set(fields.getlist("_colored"))
    for name in fields:
        if name.startswith(f"{ELEMENTS_PATH}."):
            number, _, key = name.removeprefix(f"{ELEMENTS_PATH}.").partition(".")
            if not is_free or number in hidden or (key == "color" and number not in colored):
                del query[name]
    return query


def _present_elements(form: ToolForm, language: str) -> list[dict[str, Any]]:
    """Return all elements with their positions, by default those of the design, and a few empty text elements."""
    landscape = form.get_field("layout.landscape").text != "false"
    value = form.get_value(ELEMENTS_PATH)
    placed = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    usual = layout_elements.default_elements(_selected_design(form), landscape=landscape)
    if text_direction(language) == "rtl":
        usual = layout_elements.mirror_elements(usual)
    existing = {str(item.get("part")) for item in placed}
    spare = [
        {"part": "text", **DEFAULT_TEXT_BOX, "y": DEFAULT_TEXT_BOX["y"] - 5 * number} for number in range(SPARE_TEXTS)
    ]
    rest = [item for item in usual if item["part"] not in existing]
    lined = (
        []
        if "line" in existing or any(item["part"] == "line" for item in rest)
        else [{"part": "line", **DEFAULT_LINE_BOX}]
    )
    form.set_value(ELEMENTS_PATH, [*placed, *rest, *lined, *spare][: layout_elements.MAX_ELEMENTS])
    # a separate line is hidden on designs without one
    shown = len(placed) or len(rest)
    elements = []
    for row in form.list_rows(ELEMENTS_PATH, 0):
        part = row.get_field("part").text
        is_set = part not in layout_elements.UNSTYLED_PARTS
        elements.append(
            {
                "row": row,
                "part": part,
                "label": PART_LABELS.get(part, part),
                "is_set": is_set,
                "has_color": is_set or part == "line",
                "is_hidden": row.number >= shown,
            }
        )
    return elements


class _DesignForm(ToolForm):
    """The form of a template's design.

    The tool changes only the given parts of a layout. This form shows all parts, so it clears the empty ones.
    """

    @property
    def arguments(self) -> dict[str, Any]:
        result = super().arguments
        if "layout" in result:
            result["layout"] = {**EMPTY_LAYOUT, **result["layout"]}
        return result


@never_cache
@page("GET", "HEAD", "POST")
def preview_image(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the preview with a sample recipient. A POST renders the posted values and returns their errors."""
    if request.method == "POST":
        return _preview_unsaved(request, id)
    return HttpResponse(
        previews.render_image(_get_template(request, id), width=PREVIEW_WIDTH), content_type="image/png"
    )


def _preview_unsaved(request: SignedInRequest, id: str) -> HttpResponse:
    template: Any = call_tool(request, tools.get, id=id)["template"]
    form = _build_form(request, id, template)
    try:
        # images are read while the posted values are applied, but rendering starts after the transaction
        draw, issues = apply_and_roll_back(
            request, form, lambda: previews.build_image_renderer(_get_template(request, id), width=PREVIEW_WIDTH)
        )
        data: dict[str, Any] = {"picture": f"data:image/png;base64,{b64encode(draw()).decode()}"}
    except ToolError as refusal:
        data, issues = {}, []
        data["problem"] = refusal.message
    data["issues"] = [
        {"path": issue.path, "label": form.label_for(issue.path), "message": issue.message} for issue in issues
    ]
    return JsonResponse(data)


def _get_template(request: SignedInRequest, id: str) -> Template:
    template = get_template(request.account, id)
    template.account = request.account
    for name in SIGNATURE_FIELDS:
        getattr(template, name)
    return template
