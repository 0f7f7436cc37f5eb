"""How a code looks that has no look of its own: as the code that the brand names, else in the brand's colour, else
black on white."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.brand.colours import BLACK, WHITE, readable
from workspace.brand.models import Brand
from workspace.publishing import things
from workspace.symbols.style import Style

CODES = "qr"
Look = tuple[Style, bytes | None]  # with its logo


def usual(account: Account) -> Look:
    """A colour that readers would miss on white is darkened until they do not."""
    brand = Brand.of(account)
    maker = things.manifest(CODES).code_look if brand.code_like else None
    if maker is not None and (found := maker(account, brand.code_like)):
        return found
    colours = brand.colours[:1]
    return Style(foreground=readable(colours[0], (WHITE,), BLACK)) if colours else Style(), None
