"""How a stored code looks as a picture."""

from __future__ import annotations

from workspace.accounts.models import Upload
from workspace.products.qr.models import Code
from workspace.publishing.models import Address
from workspace.publishing.own_code import drawn
from workspace.symbols.style import Style

LOGO_WIDTH = 768


def look_of(code: Code) -> tuple[Style, bytes | None]:
    return code.looks, logo_of(code.logo)


def look_at(address: Address) -> tuple[Style, bytes | None]:
    return look_of(Code.at(address))


def svg_of(code: Code) -> str:
    return drawn(code.printed_url, *look_of(code), code.public_url)


def logo_of(upload: Upload | None) -> bytes | None:
    """A logo as it stands in a drawing, for which a fifth of the largest picture is plenty."""
    return upload.at(LOGO_WIDTH) if upload else None
