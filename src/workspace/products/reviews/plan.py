"""What each plan of reviews allows. None is unlimited. A plan decides what is shown: nothing is lost."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import register


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """`shown`: testimonials that a wall shows at most; `made_with`: whether the widget says what it is made with."""

    pages: int | None
    shown: int | None
    made_with: bool


FREE = ReviewLimits(pages=1, shown=25, made_with=True)
PRO = ReviewLimits(pages=None, shown=None, made_with=False)

register("review", {"free": FREE, "pro": PRO})
