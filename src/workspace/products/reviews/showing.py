"""What guests see of a page's testimonials, and the figures that stand above them.

The plan caps how many are shown, never how many are kept. The average is over every rating that a guest left on the
page, shown or not: what the owner added from elsewhere is a selection, so it is shown with its source and not counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Avg, Count, QuerySet

from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import PAGE

PER_PAGE = 30


@dataclass(frozen=True, slots=True)
class Figures:
    """`shown` of `received` testimonials stand on the wall; `average` (one decimal, None without ratings) is over
    `ratings`, and `shares` tells how many gave 5, 4, 3, 2 and 1 stars."""

    shown: int
    received: int
    average: float | None
    ratings: int
    shares: tuple[tuple[int, int], ...]

    @property
    def average_text(self) -> str:
        return f"{self.average:.1f}" if self.average is not None else ""

    @property
    def half_stars(self) -> int:
        """The average in half stars, for drawing."""
        return round((self.average or 0) * 2)


def shown_on(page: ReviewPage, start: int = 0, most: int | None = None) -> list[Testimonial]:
    """The testimonials from number `start` on, as far as the plan shows them."""
    cap = page.account.limits(KIND).shown
    end = cap if most is None else start + most if cap is None else min(cap, start + most)
    found: QuerySet[Testimonial] = Testimonial.shown_on(page).select_related("photo")
    return list(found[start:end]) if end is None or end > start else []


def figures_of(page: ReviewPage) -> Figures:
    cap = page.account.limits(KIND).shown
    shown = Testimonial.shown_on(page).count()
    all_of_them = Testimonial.of_page(page)
    rated = all_of_them.filter(source=PAGE).exclude(rating=None)
    told = rated.aggregate(average=Avg("rating"), ratings=Count("rating"))
    shares = dict(rated.order_by().values_list("rating").annotate(count=Count("id")))
    return Figures(
        shown=shown if cap is None else min(shown, cap),
        received=all_of_them.count(),
        average=round(told["average"], 1) if told["average"] is not None else None,
        ratings=told["ratings"],
        shares=tuple((rating, shares.get(rating, 0)) for rating in (5, 4, 3, 2, 1)),
    )
