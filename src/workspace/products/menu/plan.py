"""What each plan of QR menus allows. None is unlimited."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import register


@dataclass(frozen=True, slots=True)
class MenuLimits:
    """`items` and `sections` are of one menu; a page of more would be slow on a phone, whatever the plan."""

    menus: int | None
    items: int
    sections: int
    photos: bool
    history_days: int


FREE = MenuLimits(menus=1, items=60, sections=20, photos=False, history_days=30)
PRO = MenuLimits(menus=None, items=500, sections=60, photos=True, history_days=400)

register("menu", {"free": FREE, "pro": PRO})
