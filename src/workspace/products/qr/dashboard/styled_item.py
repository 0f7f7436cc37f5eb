"""The subject of the style editor: the style of a QR code, or of another published item's code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.qr.api import style_tools, tools
from workspace.products.qr.dashboard.item_layout import LAYOUT
from workspace.products.qr.domain.code_style import load_logo
from workspace.products.qr.models import KIND
from workspace.publishing import qr_style
from workspace.publishing.items import Item, get_item, get_manifest

LABELS = {
    "style": owner_gettext_lazy("Design"),
    "style.foreground": owner_gettext_lazy("QR code color"),
    "style.background": owner_gettext_lazy("Background"),
    "style.gradient_end": owner_gettext_lazy("Second color"),
    "style.gradient_angle": owner_gettext_lazy("Direction"),
    "style.eye_frame_color": owner_gettext_lazy("Corner frame color"),
    "style.eye_ball_color": owner_gettext_lazy("Corner center color"),
    "style.caption": owner_gettext_lazy("Caption"),
    "style.caption_color": owner_gettext_lazy("Caption color"),
    "style.logo_share": owner_gettext_lazy("Logo size"),
    "style.logo_padding": owner_gettext_lazy("Space around logo"),
    "logo": owner_gettext_lazy("Logo"),
    "logo_id": owner_gettext_lazy("Logo"),
}


@dataclass(frozen=True, slots=True)
class StyledItem:
    """An item in the style editor.

    `url` is the URL of its editor. `thing` is None for a QR code, which is the only kind with its own logo.
    """

    id: str
    url: str
    public_url: str
    style: Mapping[str, Any]
    logo_id: str
    thing: Item | None
    symbol_text: str = field(repr=False)  # may contain a password

    @classmethod
    def load(cls, request: SignedInRequest, id: str) -> StyledItem:
        """Load the item with this id. Raise NotFoundError if it does not exist."""
        item = get_item(request.account, id)
        if item.kind == KIND:
            code = call_tool(request, tools.get, id=item.id)
            url, logo_id = f"{LAYOUT.home}/{item.id}/look", code["logo_id"] or ""
            return cls(item.id, url, item.public_url, code["style"], logo_id, None, item.symbol_text)
        style = qr_style.item_style(item.code_style, qr_style.default_style(request.account))[0].model_dump()
        return cls(item.id, f"{LAYOUT.home}/styles/{item.id}", item.public_url, style, "", item, item.symbol_text)

    def build_form(self, request: SignedInRequest) -> ToolForm:
        if self.thing is not None:
            fixed, initial = {"thing": self.id}, {"style": self.style}
            return ToolForm(style_tools.edit_style, request, initial=initial, fixed=fixed, editing=True, labels=LABELS)
        shown = {"style": self.style, "logo_id": self.logo_id}
        return ToolForm(tools.edit, request, initial=shown, fixed={"id": self.id}, editing=True, labels=LABELS)

    def load_logo(self, request: SignedInRequest, chosen: Any) -> bytes | None:
        """Return the logo: the chosen picture for a QR code, or the brand's for other items."""
        return load_logo(chosen) if self.thing is None else qr_style.default_style(request.account)[1]

    def render_page(self, request: SignedInRequest, context: Mapping[str, Any], status: int) -> HttpResponse:
        if self.thing is None:
            return LAYOUT.render_item_page(request, self.id, "qr/owner/design.html", context, status)
        around = {"thing": self.thing, "product": get_manifest(self.thing.kind), "above": f"{self._item_path}/share"}
        return render(request, "qr/owner/item_style.html", {**around, **context}, status=status)

    @property
    def done_url(self) -> str:
        return f"{self._item_path}/share" if self.thing else self.url

    @property
    def _item_path(self) -> str:
        return urlsplit(self.thing.page).path if self.thing else self.url
