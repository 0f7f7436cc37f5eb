"""Tools of the brand. They are in this package because a brand can refer to a published QR code."""

from __future__ import annotations

from typing import Annotated, Any, Unpack

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import SHARED
from workspace.brand.arguments import BrandEdit
from workspace.brand.models import Brand
from workspace.brand.style import DAY, NIGHT, Palette, Style, min_contrast
from workspace.lib.errors import InvalidInputError, NotFoundError, OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.lib.weekly_hours import format_hours
from workspace.publishing import items, messages
from workspace.storage import journal
from workspace.tools.answer import Answer, format_fact_list

QR_PRODUCT = "qr"
_COLUMNS = {"corners": "corner_style", "qr_style_from": "qr_style_source_id"}  # columns whose arguments differ


class ColorPair(TypedDict):
    """How the first color is shown where text must be readable."""

    color: str
    text: Annotated[str, Field(description="Text color on this color.")]
    contrast: Annotated[float, Field(description="Lowest contrast ratio, from 1 to 21. Text is easy to read from 4.5.")]


class BrandDetail(TypedDict):
    business_name: str
    slogan: str
    logo_id: str | None
    image_id: str | None
    colors: list[str]
    by_day: ColorPair
    by_night: ColorPair
    fonts: str
    corners: str
    address: str
    phone: str
    hours: list[dict[str, Any]]
    hours_text: str
    languages: list[str]
    qr_style_from: str
    stylesheet_url: str


@box.tool(
    "svc_brand_get",
    title="Get brand settings",
    about="Get the branding of your pages, QR codes, documents and emails: name, logo, colors, fonts, corners, "
    "address, phone and opening hours. Also returns the color contrast in light and dark mode.",
    short="Get your name, logo, colors, fonts, address and opening hours.",
    synonyms="branding, corporate design, style guide, theme, marke, farben, schriften, öffnungszeiten, marca, "
    "colores, tipografía, logotipo",
    reads=True,
    area=SHARED,
)
def get(account: Account) -> Answer[BrandDetail]:
    return brand_answer(account, "Brand of")


@box.tool(
    "svc_brand_edit",
    title="Update brand settings",
    about="Update your branding: logo, colors, fonts, corners, address, phone, opening hours. Changes apply to all "
    "items without a custom design. Pass only the fields to change. An empty string or list clears a field.",
    short="Update your logo, colors, fonts, address and opening hours.",
    synonyms="change logo, rebrand, corporate design, theme, logo ändern, farben ändern, schrift ändern, "
    "öffnungszeiten ändern, marke, cambiar logo, cambiar colores, horario de apertura, marca, new logo, "
    "logo everywhere, logo on all pages, neues logo, nuevo logo",
    idempotent=True,
)
def edit(account: Account, **fields: Unpack[BrandEdit]) -> Answer[BrandDetail]:
    given: dict[str, Any] = dict(fields)
    if code := given.get("qr_style_from"):
        given["qr_style_from"] = _resolve_code(account, code)
    journal.set_item("account", account.pk)
    if (name := given.pop("business_name", None)) is not None:
        journal.update_row(account, name=name)
    Brand.for_account(account).edit(**{_COLUMNS.get(name, name): value for name, value in given.items()})
    return brand_answer(account, "Updated the brand of" if journal.has_changed() else "No changes to the brand of")


def _resolve_code(account: Account, text: str) -> str:
    try:
        found = items.get_item(account, text)
    except (NotFoundError, OperationNotAllowedError):
        raise InvalidInputError.at_path("qr_style_from", messages.QR_CODE_NOT_FOUND) from None
    if found.kind != QR_PRODUCT:
        raise InvalidInputError.at_path("qr_style_from", messages.QR_CODE_NOT_FOUND)
    return found.id


def brand_answer(account: Account, act: str) -> Answer[BrandDetail]:
    brand = Brand.for_account(account)
    look = brand.style
    data: BrandDetail = {
        "business_name": account.name,
        "slogan": brand.slogan,
        "logo_id": brand.logo_id,
        "image_id": brand.image_id,
        "colors": brand.colors,
        "by_day": _color_pair(look, DAY),
        "by_night": _color_pair(look, NIGHT),
        "fonts": brand.fonts,
        "corners": brand.corner_style,
        "address": brand.address,
        "phone": brand.phone,
        "hours": [dict(window) for window in brand.hours],
        "hours_text": format_hours(brand.hours),
        "languages": brand.languages,
        "qr_style_from": brand.qr_style_source_id,
        "stylesheet_url": settings.BASE_URL + look.url,
    }
    lines = {
        "slogan": escape_markdown(brand.slogan),
        "logo": brand.logo_id,
        "image": brand.image_id,
        "colors": ", ".join(brand.colors) or f"{look.color} (default)",
        "light mode": _format_color_pair(data["by_day"]),
        "dark mode": _format_color_pair(data["by_night"]),
        "fonts": brand.fonts,
        "corners": brand.corner_style,
        "address": escape_markdown(brand.address.replace("\n", ", ")),
        "phone": escape_markdown(brand.phone),
        "opening hours": data["hours_text"],
        "languages": ", ".join(brand.languages),
        "QR code design from": brand.qr_style_source_id,
        "style sheet": data["stylesheet_url"],
    }
    return Answer(data, format_fact_list(f"{act} {escape_markdown(account.name)}", lines))


def _color_pair(style: Style, ground: Palette) -> ColorPair:
    hues = style.compute_colors(ground)
    return {"color": hues["brand"], "text": hues["on-brand"], "contrast": min_contrast(hues)}


def _format_color_pair(color_pair: ColorPair) -> str:
    return f"{color_pair['color']} with text {color_pair['text']}, contrast {color_pair['contrast']}:1"
