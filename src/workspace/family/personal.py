"""What the family holds of people: the name under which an application knows them."""

from __future__ import annotations

from workspace.accounts.personal import Held
from workspace.family.mine import PAGE
from workspace.family.models import Grant

PERSONAL = (
    Held(
        model=Grant,
        noun="connection of an application",
        rows=lambda account: Grant.objects.filter(account=account),
        page=lambda row: PAGE,
    ),
)
