"""The tool for the style of any published item's QR code."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown
from workspace.products.qr import messages
from workspace.products.qr.api.arguments import SafeStyle
from workspace.products.qr.api.serializers import print_urls
from workspace.products.qr.api.tools import box
from workspace.products.qr.domain.code_style import resolve_style, with_stored_style
from workspace.products.qr.domain.queries import get_code
from workspace.products.qr.domain.scan_check import find_problem, get_scan_report
from workspace.products.qr.models import KIND
from workspace.products.qr.rules.code_fields import Preset
from workspace.publishing import items, qr_style
from workspace.publishing.items import Item
from workspace.publishing.models import Publication
from workspace.qr_symbols.style import PRESETS, Style, UnsafeStyleError
from workspace.storage import journal
from workspace.tools.answer import Answer, format_fact_list
from workspace.tools.argument_types import AnyItem


class ItemStyle(TypedDict):
    """The style of an item's QR code.

    `style` is the complete style, whether it is the item's own or the brand's.
    """

    id: str
    noun: str
    title: str
    public_url: str
    svg_url: str
    png_url: str
    style: dict[str, Any]


def _check_scannable_with_logo(account: Account, value: Any) -> None:
    """Check the style together with the brand's logo, because a logo covers modules."""
    style = value.style or PRESETS.get(value.preset or "")
    item = items.get_item(account, value.thing)
    logo = _resolve_style(account, item)[1]
    if style is None or logo is None:
        return
    try:
        problem = find_problem(get_scan_report(style, item.symbol_text, logo))
    except UnsafeStyleError as unsafe:
        problem = str(unsafe)
    if problem:
        raise InvalidInputError.at_path(
            "style" if value.style else "preset", messages.UNSCANNABLE_WITH_LOGO(problem=problem)
        )


@box.tool(
    "svc_qr_style",
    title="Design the QR code of a page",
    about="Customize the QR code design of any published item (menu, card, link page, review page): colors, "
    "shapes, frame and caption, on screen and in print. preset=brand applies your branding. Designs that would not "
    "scan are rejected. For the logo of a QR code, use svc_qr_edit.",
    short="Customize the QR code of a menu, card, link or review page.",
    synonyms="look, colors, frame, caption, style, menu code, qr of my menu, gestalten, aussehen, rahmen, farben, "
    "diseño, personalizar, marco, colores",
    idempotent=True,
    prepare=_check_scannable_with_logo,
)
def edit_style(
    account: Account, thing: AnyItem, style: SafeStyle | None = None, preset: Preset | None = None
) -> Answer[ItemStyle]:
    item = items.get_item(account, thing)
    fields = with_stored_style(
        {name: value for name, value in (("style", style), ("preset", preset)) if value is not None}
    )
    if fields and item.kind == KIND:
        get_code(account, item.id).edit(**fields)
    elif fields:
        journal.set_item(item.kind, item.id)
        Publication.objects.get(pk=item.publication_id).set_qr_style(fields["style"])
    item = items.get_item(account, item.id)
    worn, _ = _resolve_style(account, item)
    files = print_urls(item.id)
    data: ItemStyle = {
        "id": item.id,
        "noun": item.noun,
        "title": item.title,
        "public_url": item.public_url,
        "svg_url": f"{item.public_url}.svg" if item.public_url else files["svg_url"],
        "png_url": f"{item.public_url}.png" if item.public_url else files["png_url"],
        "style": worn.model_dump(),
    }
    what = "Updated" if journal.has_changed() else "No changes to"
    own = ", ".join(f"{name} {value}" for name, value in worn.model_dump(exclude_defaults=True).items())
    pairs = {
        "id": data["id"],
        "public link": data["public_url"],
        "SVG": data["svg_url"],
        "PNG": data["png_url"],
        "design": escape_markdown(own) or "black on white",
    }
    return Answer(
        data, format_fact_list(f"{what} the QR code design of “{escape_markdown(item.title)}” ({item.noun})", pairs)
    )


def _resolve_style(account: Account, item: Item) -> tuple[Style, bytes | None]:
    if item.kind == KIND:
        return resolve_style(get_code(account, item.id))
    return qr_style.item_style(item.code_style, qr_style.default_style(account))
