"""A template's design: chosen from pictures, written beside a picture that follows what is typed."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm, slots
from workspace.dashboard.item_presenters import done
from workspace.dashboard.previews import attempt
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.lib.errors import Refusal
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.layout import FRAME
from workspace.products.certs.domain import previews
from workspace.products.certs.domain.print_data import DESIGNS, FACES
from workspace.products.certs.domain.queries import template_of
from workspace.products.certs.models import SIGNATURES, Template
from workspace.products.certs.rules import layout_elements
from workspace.publishing.language import direction

LABELS = {
    "name": "Name of the template",
    "title": "Heading",
    "organization": "Issued by",
    "lead": "Above the name",
    "body": "Below the name",
    "description": "Small print",
    "criteria": "What it takes",
    "valid_months": "Valid for",
    "language": "Language",
    "signers.name": "Name of signer",
    "signers.role": "Role of signer",
    "signers.image_id": "Signature of signer",
    "layout.elements": "Places",
}
FIELDS = (
    "name", "title", "organization", "lead", "body", "description", "criteria", "skills", "hours_label",
    "custom_label", "valid_months", "language", "signers", "layout",
)  # fmt: skip
GALLERY = [(one, one.capitalize(), f"certs/designs/{one}.webp") for one in DESIGNS]
CHOICES = {
    "papers": [("a4", "A4"), ("letter", "US letter")],
    "ways": [("true", "Landscape"), ("false", "Portrait")],
    "faces": [("", "As the brand"), *((one, f"{one.capitalize()} ({face})") for one, face in FACES.items())],
    "seals": [("none", "None"), ("rosette", "Rosette"), ("ribbon", "Rosette with ribbons")],
}
EMPTY: dict[str, Any] = {"colours": [], "fonts": "", "logo_id": "", "background_id": "", "elements": []}
SEEN = 1000  # pixels
SKILLS = 8
ELEMENTS = "layout.elements"
PARTS = {
    "logo": "Logo", "organization": "Issued by", "title": "Heading", "lead": "Above the name", "name": "Name",
    "line": "Line", "body": "Below the name", "description": "Small print", "facts": "Date, hours and more",
    "signers": "Signers", "seal": "Seal", "code": "Code", "text": "Text",
}  # fmt: skip
ACTS = (
    ("left", "To the left margin", "⇤"), ("center", "To the middle, across", "↔"),
    ("right", "To the right margin", "⇥"),
    ("top", "To the upper margin", "⤒"), ("middle", "To the middle, up and down", "↕"),
    ("bottom", "To the lower margin", "⤓"), ("wide", "As wide as the page’s margins", "⟷"),
)  # fmt: skip
SPARE = 3
TEXT = {"x": 30.0, "y": 93.0, "width": 40.0, "height": 4.0}
LINE = {"x": 30.0, "y": 56.0, "width": 40.0, "height": 1.0}
# by the design, and whether it lies; those in the middle are alike
USUAL = {
    f"{one}-{'true' if landscape else 'false'}": {
        place["part"]: [place["x"], place["y"], place["width"], place["height"]]
        for place in layout_elements.usual(one, landscape=landscape)
    }
    for one in ("classic", "modern", "minimal")
    for landscape in (True, False)
}
COLOURS = "layout.colours"


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.save_template, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    context = {"form": form, "gallery": GALLERY, "design": _chosen(form)}
    return render(request, "certs/owner/new.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    found: Any = call(request, tools.get, id=id)["template"]
    form = _form(request, id, found)
    if request.method == "POST":
        for name in ("layout.logo", "layout.background", *(f"signers.{place}.image" for place in range(4))):
            form_images.take(request, form, name, f"{name}_id")
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}")
    is_placed = request.POST.get("_placed") == "free" if request.method == "POST" else bool(found["layout"]["elements"])
    shown = f"{FRAME.home}/{id}/picture?at={found['updated_at']}".replace("+", "%2B")
    colours = form.field(COLOURS).texts
    context = {
        "form": form,
        "shown": shown,
        "gallery": GALLERY,
        "design": _chosen(form),
        "signers": [(row, f"signers.{row.number}.image") for row in form.rows("signers", 1)],
        "skills": slots(form, "skills", max(SKILLS, len(form.field("skills").texts))),
        "is_placed": is_placed,
        "place_acts": ACTS,
        "ways_to_set": ("left", "center", "right"),
        "places": _places(form, found["language"]),
        "usual": json.dumps(USUAL),
        "colours": min(len(colours), 2),
        "colour": colours[0] if colours else "#1f3a5f",
        "accent": colours[1] if len(colours) > 1 else "#b08d3c",
        **CHOICES,
    }
    return FRAME.page(request, id, "certs/owner/design.html", context, form.status)


def _chosen(form: ToolForm) -> str:
    chosen = form.field("layout.design").text
    return chosen if chosen in DESIGNS else DESIGNS[0]


def _form(request: SignedInRequest, id: str, found: Any) -> ToolForm:
    """As many colours as were chosen: a browser's picker cannot be empty."""
    if request.method == "POST" and "_colours" in request.POST:
        posted = request.POST.copy()
        count = {"one": 1, "two": 2}.get(request.POST.get("_colours", ""), 0)
        posted.setlist(COLOURS, posted.getlist(COLOURS)[:count])
        if not count:
            posted.pop(COLOURS, None)
            posted.appendlist("_has", COLOURS)
        request.POST = posted  # type: ignore[assignment]
    if request.method == "POST":
        request.POST = _placed(request.POST)  # type: ignore[assignment]
    initial = {name: found[name] for name in FIELDS}
    return _Form(tools.save_template, request, initial=initial, fixed={"template_id": id}, editing=True, labels=LABELS)


def _placed(posted: QueryDict) -> QueryDict:
    """Without the parts that do not stand on the paper, and without the colours that nobody chose."""
    kept = posted.copy()
    is_free = posted.get("_placed") == "free"
    hidden, coloured = set(posted.getlist("_hidden")), set(posted.getlist("_coloured"))
    for name in posted:
        if name.startswith(f"{ELEMENTS}."):
            number, _, key = name.removeprefix(f"{ELEMENTS}.").partition(".")
            if not is_free or number in hidden or (key == "colour" and number not in coloured):
                del kept[name]
    return kept


def _places(form: ToolForm, language: str) -> list[dict[str, Any]]:
    """Every part with its place, where it has none the design's; and a few texts to be written."""
    landscape = form.field("layout.landscape").text != "false"
    given = form.value(ELEMENTS)
    placed = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    usual = layout_elements.usual(_chosen(form), landscape=landscape)
    if direction(language) == "rtl":
        usual = layout_elements.mirrored(usual)
    there = {str(one.get("part")) for one in placed}
    spare = [{"part": "text", **TEXT, "y": TEXT["y"] - 5 * number} for number in range(SPARE)]
    rest = [one for one in usual if one["part"] not in there]
    lined = [] if "line" in there or any(one["part"] == "line" for one in rest) else [{"part": "line", **LINE}]
    form.put(ELEMENTS, [*placed, *rest, *lined, *spare][: layout_elements.MOST])
    # a line of its own stands on no design that has none
    shown = len(placed) or len(rest)
    found = []
    for row in form.rows(ELEMENTS, 0):
        part = row.field("part").text
        is_set = part not in layout_elements.PICTURES
        found.append(
            {
                "row": row,
                "part": part,
                "label": PARTS.get(part, part),
                "is_set": is_set,
                "has_colour": is_set or part == "line",
                "is_hidden": row.number >= shown,
            }
        )
    return found


class _Form(ToolForm):
    """Of a layout the tool changes only what it is given, and this form shows all of it: what is empty is emptied."""

    @property
    def arguments(self) -> dict[str, Any]:
        found = super().arguments
        if "layout" in found:
            found["layout"] = {**EMPTY, **found["layout"]}
        return found


@never_cache
@page("GET", "HEAD", "POST")
def picture(request: SignedInRequest, id: str) -> HttpResponse:
    """How it looks with somebody who does not exist; of what is posted as it would be, with what is wrong in it."""
    if request.method == "POST":
        return _tried(request, id)
    return HttpResponse(previews.picture(_of(request, id), width=SEEN), content_type="image/png")


def _tried(request: SignedInRequest, id: str) -> HttpResponse:
    found: Any = call(request, tools.get, id=id)["template"]
    form = _form(request, id, found)
    try:
        # its pictures are read while what was typed stands, and it is drawn when nothing is held any more
        draw, issues = attempt(request, form, lambda: previews.drawn(_of(request, id), width=SEEN))
        said: dict[str, Any] = {"picture": f"data:image/png;base64,{b64encode(draw()).decode()}"}
    except Refusal as refusal:
        said, issues = {}, []
        said["problem"] = refusal.message
    said["issues"] = [{"path": one.path, "label": form.label(one.path), "message": one.message} for one in issues]
    return JsonResponse(said)


def _of(request: SignedInRequest, id: str) -> Template:
    template = template_of(request.account, id)
    template.account = request.account
    for name in SIGNATURES:
        getattr(template, name)
    return template
