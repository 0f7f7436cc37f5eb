"""The brand as tools. They stand here since a brand may name one of the things that are published."""

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
from workspace.brand.style import DAY, NIGHT, Ground, Look, ratio
from workspace.lib.errors import InvalidInput, NotFound, ToolError
from workspace.lib.text import escape_markdown
from workspace.lib.weekly_hours import in_words
from workspace.publishing import items
from workspace.storage import journal
from workspace.tools.answer import Answer, facts

CODES = "qr"
NO_CODE = "There is no such QR code of yours: svc_qr_list shows them"


class Shown(TypedDict):
    """How the first colour is shown where it can be read."""

    colour: str
    text: Annotated[str, Field(description="The colour of text on it")]
    contrast: Annotated[float, Field(description="The least, of 1 to 21; 4.5 and more is easy to read")]


class BrandWhole(TypedDict):
    business_name: str
    line: str
    logo_id: str | None
    picture_id: str | None
    colours: list[str]
    by_day: Shown
    by_night: Shown
    fonts: str
    corners: str
    address: str
    phone: str
    hours: list[dict[str, Any]]
    hours_text: str
    languages: list[str]
    code_like: str
    stylesheet_url: str


@box.tool("svc_brand_get", title="Get the brand", reads=True, whose=SHARED)
def get(account: Account) -> Answer[BrandWhole]:
    """What pages, codes, papers and mails wear: name, logo, colours with their contrast by day and night, typefaces,
    corners, address, phone, hours."""
    return told(account, "The brand of")


@box.tool("svc_brand_edit", title="Edit the brand", idempotent=True)
def edit(account: Account, **fields: Unpack[BrandEdit]) -> Answer[BrandWhole]:
    """Change the brand; what chose otherwise keeps its own. Only what is given changes; an empty text or list
    clears."""
    given: dict[str, Any] = dict(fields)
    if code := given.get("code_like"):
        given["code_like"] = _code(account, code)
    journal.about("account", account.pk)
    if (name := given.pop("business_name", None)) is not None:
        journal.change(account, name=name)
    Brand.of(account).edit(**given)
    return told(account, "Changed the brand of" if journal.has_changed() else "Nothing changed in the brand of")


def _code(account: Account, text: str) -> str:
    try:
        found = items.thing(account, text)
    except (NotFound, ToolError):
        raise InvalidInput.at("code_like", NO_CODE) from None
    if found.kind != CODES:
        raise InvalidInput.at("code_like", NO_CODE)
    return found.id


def told(account: Account, act: str) -> Answer[BrandWhole]:
    brand = Brand.of(account)
    look = brand.look
    data: BrandWhole = {
        "business_name": account.name,
        "line": brand.line,
        "logo_id": brand.logo_id,
        "picture_id": brand.picture_id,
        "colours": brand.colours,
        "by_day": _shown(look, DAY),
        "by_night": _shown(look, NIGHT),
        "fonts": brand.fonts,
        "corners": brand.corners,
        "address": brand.address,
        "phone": brand.phone,
        "hours": [dict(window) for window in brand.hours],
        "hours_text": in_words(brand.hours),
        "languages": brand.languages,
        "code_like": brand.code_like,
        "stylesheet_url": settings.BASE_URL + look.url,
    }
    lines = {
        "line": escape_markdown(brand.line),
        "logo": brand.logo_id,
        "picture": brand.picture_id,
        "colours": ", ".join(brand.colours) or f"{look.colour}, which is ours: none is chosen",
        "by day": _in_words(data["by_day"]),
        "by night": _in_words(data["by_night"]),
        "typefaces": brand.fonts,
        "corners": brand.corners,
        "address": escape_markdown(brand.address.replace("\n", ", ")),
        "phone": escape_markdown(brand.phone),
        "open": data["hours_text"],
        "languages": ", ".join(brand.languages),
        "codes look like": brand.code_like,
        "style sheet": data["stylesheet_url"],
    }
    return Answer(data, facts(f"{act} {escape_markdown(account.name)}", lines))


def _shown(look: Look, ground: Ground) -> Shown:
    hues = look.hues(ground)
    return {"colour": hues["brand"], "text": hues["on-brand"], "contrast": ratio(hues)}


def _in_words(shown: Shown) -> str:
    return f"{shown['colour']} with text {shown['text']}, contrast {shown['contrast']} to 1"
