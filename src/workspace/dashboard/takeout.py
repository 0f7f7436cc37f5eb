"""The dashboard's tables in an account's export."""

from __future__ import annotations

from workspace.accounts.plans import PRODUCT_KEYS
from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.dashboard.models import DoorChoice, FirstSteps

TAKEOUT_TABLES = (
    TakeoutTable(model=FirstSteps, replaces=True),
    TakeoutTable(
        model=DoorChoice,
        replaces=True,
        column_types={"left_out": column_types.list_of(column_types.one_of(*PRODUCT_KEYS), len(PRODUCT_KEYS))},
    ),
)
