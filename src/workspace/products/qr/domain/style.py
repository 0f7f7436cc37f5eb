"""How a stored code looks as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInputError
from workspace.products.qr.models import Code
from workspace.products.qr.rules.types import BRAND_PRESET
from workspace.publishing.models import Address
from workspace.publishing.qr_style import StyleWithLogo, default_style
from workspace.qr_symbols.style import PRESETS

LOGO_WIDTH = 768


def resolve_style(code: Code, others: StyleWithLogo | None = None) -> StyleWithLogo:
    """Its own, or the one that the brand's codes have, which `others` is where it is known; a logo of its own stays."""
    if code.style:
        return code.parsed_style, load_logo(code.logo)
    style, logo = others or default_style(code.account)
    return style, load_logo(code.logo) or logo


def find_own_style(account: Account, id: str) -> StyleWithLogo | None:
    """The look of the code that others are made like; None where it has none of its own, or is gone."""
    code = account.codes.select_related("logo").filter(pk=id).first()
    return (code.parsed_style, load_logo(code.logo)) if code is not None and code.style else None


def style_at(address: Address) -> StyleWithLogo:
    return resolve_style(Code.from_address(address))


def load_logo(upload: Upload | None) -> bytes | None:
    """A logo as it stands in a drawing, for which a fifth of the largest picture is plenty."""
    return upload.content_at(LOGO_WIDTH) if upload else None


def with_stored_style(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a code with its look as it is stored. Raises InvalidInputError at `preset` where there are two."""
    found = dict(fields)
    preset, style = found.pop("preset", None), found.pop("style", None)
    if preset and style:
        raise InvalidInputError.at_path("preset", "Give a style or a preset, not both")
    if preset == BRAND_PRESET:
        found["style"] = {}
    elif look := style or PRESETS.get(preset or ""):
        found["style"] = look.model_dump()  # whole, since black on white is chosen, too, and nothing is the brand's
    return found
