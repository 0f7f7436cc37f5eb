"""What guests see of a page's testimonials, and the figures that stand above them.

The plan caps how many are shown, never how many are kept. The owner's average is over every rating that a guest left on
the page, shown or not: what the owner added from elsewhere is a selection, so it is shown with its source and not
counted. The public average counts only the guests who agreed to have their review shown, and needs three of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.db.models import Count, QuerySet

from workspace.products.reviews.models import KIND, ReviewPage, Status, Testimonial
from workspace.products.reviews.models.testimonial import PAGE

PER_PAGE = 30
LEAST_RATINGS = 3  # below this the average tells of single guests
WALL, WIDGET = "wall", "widget"  # events beside the view of the page that collects


@dataclass(slots=True)
class Figures:
    """`received` leaves out what looks like spam; of those `showable` may be seen, `shown` as far as the plan shows
    them. `by_rating` counts the ratings that guests left on the page, `agreed_by_rating` those of guests who agreed to
    have their review shown."""

    cap: int | None
    testimonials: int = 0
    received: int = 0
    showable: int = 0
    by_status: Counter[str] = field(default_factory=Counter)
    by_rating: Counter[int] = field(default_factory=Counter)
    agreed_by_rating: Counter[int] = field(default_factory=Counter)

    @property
    def public(self) -> Figures:
        """The same as guests see it: no rating of those who did not agree, and no average of fewer than three."""
        ratings = self.agreed_by_rating if self.agreed_by_rating.total() >= LEAST_RATINGS else Counter[int]()
        return replace(self, by_rating=ratings)

    @property
    def shown(self) -> int:
        return self.showable if self.cap is None else min(self.showable, self.cap)

    @property
    def ratings(self) -> int:
        return self.by_rating.total()

    @property
    def average(self) -> float | None:
        """One decimal; None without ratings."""
        stars = sum(rating * count for rating, count in self.by_rating.items())
        return round(stars / self.ratings, 1) if self.ratings else None

    @property
    def average_text(self) -> str:
        return f"{self.average:.1f}" if self.average is not None else ""

    @property
    def shares(self) -> list[tuple[int, int]]:
        """How many gave 5, 4, 3, 2 and 1 stars."""
        return [(rating, self.by_rating[rating]) for rating in (5, 4, 3, 2, 1)]


def figures(pages: Iterable[ReviewPage]) -> dict[str, Figures]:
    """The figures of each page by its id: one query over an index, whatever the number of pages."""
    found = {page.pk: Figures(page.account.limits(KIND).shown) for page in pages}
    grouped = Testimonial.objects.filter(page__in=list(found)).order_by()
    groups = grouped.values_list("page_id", "status", "suspicion", "source", "rating")
    for page_id, status, suspicion, source, rating, count, agreed in groups.annotate(
        count=Count("*"), agreed=Count("consented_at")
    ):
        one = found[page_id]
        one.testimonials += count
        one.by_status[status] += count
        if suspicion:
            continue
        one.received += count
        if status == Status.APPROVED:
            one.showable += agreed
        if source == PAGE and rating is not None:
            one.by_rating[rating] += count
            one.agreed_by_rating[rating] += agreed
    return found


def figures_of(page: ReviewPage) -> Figures:
    return figures([page])[page.pk]


def shown_on(page: ReviewPage, start: int = 0, most: int | None = None) -> list[Testimonial]:
    """The testimonials from number `start` on, as far as the plan shows them."""
    cap = page.account.limits(KIND).shown
    end = cap if most is None else start + most if cap is None else min(cap, start + most)
    found: QuerySet[Testimonial] = Testimonial.shown_on(page).select_related("photo")
    return list(found[start:end]) if end is None or end > start else []
