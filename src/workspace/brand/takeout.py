"""Export and import of the brand."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.brand.arguments import BrandEdit, Country, Trade
from workspace.brand.models import Brand

TAKEOUT_TABLE = TakeoutTable(
    model=Brand,
    replaces=True,
    column_types={
        **column_types.from_arguments(
            BrandEdit, "colors", "fonts", "address", "phone", "hours", "languages", corner_style="corners"
        ),
        "slogan": column_types.OneLine,
        "country": Country,
        "trade": Trade,
        "qr_style_source_id": column_types.Identifier,
        "version": column_types.Identifier,
    },
)
