"""What each plan of business cards allows. None is unlimited."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import register


@dataclass(frozen=True, slots=True)
class CardLimits:
    """`lead_capture`: whether a card with the flag shows guests the form; the flag itself may be set on any plan."""

    cards: int | None
    lead_capture: bool
    history_days: int


FREE = CardLimits(cards=2, lead_capture=False, history_days=30)
PRO = CardLimits(cards=10, lead_capture=True, history_days=400)
TEAM = CardLimits(cards=None, lead_capture=True, history_days=400)

register("card", {"free": FREE, "pro": PRO, "team": TEAM})
