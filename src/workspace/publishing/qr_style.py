"""The style of an item's QR code.

It is the item's own style, or else that of the QR code named in the brand, or else the brand's color, or else black on
white.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspace.accounts.models import Account
from workspace.brand.color_contrast import BLACK, WHITE, readable_color
from workspace.brand.models import Brand
from workspace.publishing import items
from workspace.qr_symbols.style import Style

QR_PRODUCT = "qr"
StyleWithLogo = tuple[Style, bytes | None]  # the bytes of its logo, or None


def default_style(account: Account) -> StyleWithLogo:
    """Return the style of the brand. A color that scanners would not recognize on white is darkened."""
    source_id, colors = Brand.qr_style_for(account)
    maker = items.get_manifest(QR_PRODUCT).qr_style if source_id else None
    if maker is not None and (found := maker(account, source_id)):
        return found
    return Style(foreground=readable_color(colors[0], (WHITE,), BLACK)) if colors else Style(), None


def item_style(style: Mapping[str, Any], brand_style: StyleWithLogo) -> StyleWithLogo:
    """Return the item's own style with the brand's logo, or the brand's style."""
    return (Style.model_validate(style), brand_style[1]) if style else brand_style
