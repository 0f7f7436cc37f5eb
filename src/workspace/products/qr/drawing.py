"""How a stored code looks as a picture."""

from __future__ import annotations

from workspace.accounts.models import Account, Upload
from workspace.products.qr.models import Code
from workspace.publishing.code_look import Look, usual
from workspace.publishing.models import Address

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
