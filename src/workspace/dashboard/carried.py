"""What an owner chose in the dashboard, when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried
from workspace.accounts.plans import KEYS
from workspace.dashboard.models import DoorChoice, FirstSteps

CARRIED = (
    Carried(model=FirstSteps, replaces=True),
    Carried(
        model=DoorChoice,
        replaces=True,
        reads={"left_out": readers.list_of(readers.one_of(*KEYS), len(KEYS))},
    ),
)
