"""How a stored code looks as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.accounts.models import Account, Upload
from workspace.lib.errors import InvalidInput
from workspace.products.qr.models import Code
from workspace.products.qr.rules.types import AS_THE_BRAND
from workspace.publishing.models import Address
from workspace.publishing.qr_style import Look, usual
from workspace.qr_symbols.style import PRESETS

LOGO_WIDTH = 768


def look_of(code: Code, others: Look | None = None) -> Look:
    """Its own, or the one that the brand's codes have, which `others` is where it is known; a logo of its own stays."""
    if code.style:
        return code.looks, logo_of(code.logo)
    style, logo = others or usual(code.account)
    return style, logo_of(code.logo) or logo


def model_look(account: Account, id: str) -> Look | None:
    """The look of the code that others are made like; None where it has none of its own, or is gone."""
    code = account.codes.select_related("logo").filter(pk=id).first()
    return (code.looks, logo_of(code.logo)) if code is not None and code.style else None


def look_at(address: Address) -> Look:
    return look_of(Code.at(address))


def logo_of(upload: Upload | None) -> bytes | None:
    """A logo as it stands in a drawing, for which a fifth of the largest picture is plenty."""
    return upload.at(LOGO_WIDTH) if upload else None


def dressed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a code with its look as it is stored. Raises InvalidInput at `preset` where there are two."""
    found = dict(fields)
    preset, style = found.pop("preset", None), found.pop("style", None)
    if preset and style:
        raise InvalidInput.at("preset", "Give a style or a preset, not both")
    if preset == AS_THE_BRAND:
        found["style"] = {}
    elif look := style or PRESETS.get(preset or ""):
        found["style"] = look.model_dump()  # whole, since black on white is chosen, too, and nothing is the brand's
    return found
