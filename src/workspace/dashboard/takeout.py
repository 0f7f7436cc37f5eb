"""What an owner chose in the dashboard, when an account moves."""

from __future__ import annotations

from workspace.accounts.plans import KEYS
from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried
from workspace.dashboard.models import DoorChoice, FirstSteps

CARRIED = (
    Carried(model=FirstSteps, replaces=True),
    Carried(
        model=DoorChoice,
        replaces=True,
        reads={"left_out": column_types.list_of(column_types.one_of(*KEYS), len(KEYS))},
    ),
)
