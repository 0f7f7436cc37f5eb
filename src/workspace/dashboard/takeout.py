"""The dashboard's tables in an account's export."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.dashboard.models import CheckinSetting, Onboarding

MAX_HIDDEN_KINDS = 100
TAKEOUT_TABLES = (
    TakeoutTable(model=Onboarding, replaces=True),
    TakeoutTable(
        model=CheckinSetting,
        replaces=True,
        column_types={"hidden_kinds": column_types.list_of(column_types.ProductKey, MAX_HIDDEN_KINDS)},
    ),
)
