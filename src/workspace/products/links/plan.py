"""What each plan of link pages allows. None is unlimited."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import register

MOST_BUTTONS = 100  # of a page, on every plan


@dataclass(frozen=True, slots=True)
class LinkLimits:
    pages: int | None
    buttons_per_page: int
    click_statistics: bool
    history_days: int


FREE = LinkLimits(pages=1, buttons_per_page=MOST_BUTTONS, click_statistics=False, history_days=400)
PRO = LinkLimits(pages=None, buttons_per_page=MOST_BUTTONS, click_statistics=True, history_days=400)

register("link", {"free": FREE, "pro": PRO})
