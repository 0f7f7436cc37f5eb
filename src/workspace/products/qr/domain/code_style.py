"""The style of a stored code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInputError
from workspace.products.qr import messages
from workspace.products.qr.models import Code
from workspace.products.qr.rules.code_fields import BRAND_PRESET
from workspace.publishing.models import Address
from workspace.publishing.qr_style import StyleWithLogo, default_style
from workspace.qr_symbols.style import PRESETS

LOGO_WIDTH = 768


def resolve_style(code: Code, brand_default: StyleWithLogo | None = None) -> StyleWithLogo:
    """Return the style of a code, or else the style of the brand. A logo of the code replaces that of the brand.

    `brand_default` is the style of the brand's codes, if it is known.
    """
    if code.style:
        return code.parsed_style, load_logo(code.logo)
    style, logo = brand_default or default_style(code.account)
    return style, load_logo(code.logo) or logo


def find_model_style(account: Account, id: str) -> StyleWithLogo | None:
    """Return the style of the code to imitate. Return None if it was deleted or has no style."""
    code = account.codes.select_related("logo").filter(pk=id).first()
    return (code.parsed_style, load_logo(code.logo)) if code is not None and code.style else None


def style_for_address(address: Address) -> StyleWithLogo:
    return resolve_style(Code.from_address(address))


def load_logo(upload: Upload | None) -> bytes | None:
    """Return a logo at the size needed for drawings, which is a fifth of the largest picture."""
    return upload.content_at(LOGO_WIDTH) if upload else None


def with_stored_style(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields with the style in its stored form.

    Raise InvalidInputError at `preset` if both a style and a preset are given.
    """
    result = dict(fields)
    preset, style = result.pop("preset", None), result.pop("style", None)
    if preset and style:
        raise InvalidInputError.at_path("preset", messages.STYLE_AND_PRESET)
    if preset == BRAND_PRESET:
        result["style"] = {}
    elif look := style or PRESETS.get(preset or ""):
        # stored completely: black on white is a choice, too, and the brand does not override it
        result["style"] = look.model_dump()
    return result
