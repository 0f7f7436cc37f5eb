"""The page as guests would see it, with what is being typed laid over it; for a frame beside the forms."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from pydantic import ValidationError

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import page
from workspace.products.links import tools
from workspace.products.links.arguments import Profile
from workspace.products.links.models import Element, Kind, Page
from workspace.products.links.rows import page_of
from workspace.products.links.shown import draw
from workspace.products.links.themes import THEMES
from workspace.publishing import live_blocks
from workspace.toolkit import clock

# as every page's, but that our own pages may frame it; no script at all
POLICY = "default-src 'none'; img-src 'self' data:; style-src 'self'; frame-ancestors 'self'; base-uri 'none'"
NEW = "new"


@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Nothing is saved, nothing is counted, and nothing leads anywhere."""
    found = page_of(request.account, id)
    elements = list(found.elements.all())
    if request.method == "POST":
        which = request.POST.get("_element", "")
        if which:
            _lay_element(request, elements, which)
        else:
            _lay_page(request, found)
    drawn = draw(found, elements, found.slug, clock.now(), preview=True)
    response = HttpResponse(drawn.html)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Cache-Control"] = "no-store"
    return response


def _lay_page(request: SignedInRequest, found: Page) -> None:
    values = ToolForm(tools.edit, request, editing=True).values
    found.title = _text(values, "title", 80) or found.title
    if "bio" in values:
        found.bio = _text(values, "bio", 300)
    if values.get("theme") in THEMES:
        found.theme = str(values["theme"])
    if isinstance(values.get("social_profiles"), list):
        profiles = [_profile(row) for row in values["social_profiles"][:12]]
        found.social_profiles = [profile for profile in profiles if profile]


def _profile(row: Any) -> dict[str, str] | None:
    """A profile that is half typed still shows its sign."""
    network = row.get("network") if isinstance(row, dict) else None
    try:
        return Profile.model_validate(row).model_dump()
    except ValidationError:
        return {"network": str(network), "url": ""} if network else None


def _lay_element(request: SignedInRequest, elements: list[Element], which: str) -> None:
    is_new = which == NEW
    values = ToolForm(tools.save_links, request, editing=True, entry="items").values
    element = next((one for one in elements if one.pk == which), None)
    if is_new and (values.get("title") or values.get("url")):
        element = Element(kind=Kind.LINK)
        elements.append(element)
    if element is None:
        return
    for name, most in (("title", 120), ("url", 2048), ("icon", 16), ("text", 1000)):
        if name in values:
            setattr(element, name, _text(values, name, most))
    if isinstance(values.get("is_on"), bool):
        element.is_on = values["is_on"]
    for choice in live_blocks.choices(request.account, {str(values.get("thing") or "")} - {""}):
        element.live, element.thing = choice.kind, choice.id


def _text(values: dict[str, Any], name: str, most: int) -> str:
    return str(values.get(name) or "")[:most]
