"""The brand when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried
from workspace.brand.arguments import BrandEdit, Country, Trade
from workspace.brand.models import Brand

CARRIED = Carried(
    model=Brand,
    replaces=True,
    reads={
        **readers.as_given(BrandEdit, "colours", "fonts", "corners", "address", "phone", "hours", "languages"),
        "line": readers.OneLine,
        "country": Country,
        "trade": Trade,
        "code_like": readers.Identifier,
        "stamp": readers.Identifier,
    },
)
