"""The page for the content of a card."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.card.api import tools
from workspace.products.card.dashboard.item_layout import LAYOUT, THEME_CHOICES
from workspace.products.card.models import KIND, MAX_LINKS

# the fields of each section that can be expanded, by the first part of their error paths
FORM_SECTIONS = {
    "reach": ("phone", "email", "more_phones", "more_emails", "website", "address"),
    "links": ("links",),
    "leads": ("lead_capture", "consent_text"),
    "look": ("color",),
}
# the most common sites of links, with examples
LINK_EXAMPLES = (
    ("Instagram", "instagram.com/yourname"),
    ("LinkedIn", "linkedin.com/in/yourname"),
    ("WhatsApp", "wa.me/4312345678"),
    ("Facebook", "facebook.com/yourname"),
    ("YouTube", "youtube.com/@yourname"),
    ("TikTok", "tiktok.com/@yourname"),
    (owner_gettext_lazy("Link"), "example.com"),
)


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str) -> HttpResponse:
    card = call_tool(request, tools.get, card_id=id)
    form = LAYOUT.edit_form(request, id, initial=card)
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Card saved."), f"{LAYOUT.home}/{id}")
    titles = {name: title for name, title, _ in THEME_CHOICES}
    context = {"card": card, "theme_title": titles[card["theme"]], **form_context(request, form)}
    return LAYOUT.render_item_page(request, id, "card/owner/edit.html", context, form.status)


def form_context(request: SignedInRequest, form: ToolForm, *opened: str) -> dict[str, Any]:
    """Return the context of the form's template: the expanded sections, and links that can be added, by website.

    Sections with errors are always expanded.
    """
    wrong = {path.split(".")[0] for path in form.errors}
    spare = [row for row in form.list_rows("links", spare=MAX_LINKS) if row.is_spare]
    existing = " ".join(str(link.get("url", "")) for link in form.values.get("links") or ())
    *sites, other = [(name, like) for name, like in LINK_EXAMPLES if like.partition("/")[0] not in existing]
    offered = [*sites[: max(0, len(spare) - 1)], other]
    return {
        "form": form,
        "open": {part: part in opened or not wrong.isdisjoint(names) for part, names in FORM_SECTIONS.items()},
        "link_adds": [(row, name, like) for row, (name, like) in zip(spare, offered, strict=False)],
        "leads_planned": request.account.limits(KIND).lead_capture,
    }
