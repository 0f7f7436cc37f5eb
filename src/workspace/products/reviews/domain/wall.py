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
from workspace.products.reviews.models.testimonial import SOURCE_PAGE

PAGE_SIZE = 30
MIN_RATINGS = 3  # below this the average tells of single guests
WALL_EVENT, WIDGET_EVENT = "wall", "widget"  # events beside the view of the page that collects


@dataclass(slots=True)
class ReviewStats:
    """`received_count` leaves out what looks like spam; of those `showable_count` may be seen, `shown_count` as far as
    the plan shows them. `count_by_rating` counts the ratings that guests left on the page, `consented_by_rating` those
    of guests who agreed to have their review shown."""

    cap: int | None
    testimonials: int = 0
    received_count: int = 0
    showable_count: int = 0
    count_by_status: Counter[str] = field(default_factory=Counter)
    count_by_rating: Counter[int] = field(default_factory=Counter)
    consented_by_rating: Counter[int] = field(default_factory=Counter)

    @property
    def public_stats(self) -> ReviewStats:
        """The same as guests see it: no rating of those who did not agree, and no average of fewer than three."""
        ratings = self.consented_by_rating if self.consented_by_rating.total() >= MIN_RATINGS else Counter[int]()
        return replace(self, count_by_rating=ratings)

    @property
    def shown_count(self) -> int:
        return self.showable_count if self.cap is None else min(self.showable_count, self.cap)

    @property
    def rating_count(self) -> int:
        return self.count_by_rating.total()

    @property
    def average(self) -> float | None:
        """One decimal; None without ratings."""
        stars = sum(rating * count for rating, count in self.count_by_rating.items())
        return round(stars / self.rating_count, 1) if self.rating_count else None

    @property
    def average_text(self) -> str:
        return f"{self.average:.1f}" if self.average is not None else ""

    @property
    def star_counts(self) -> list[tuple[int, int]]:
        """How many gave 5, 4, 3, 2 and 1 stars."""
        return [(rating, self.count_by_rating[rating]) for rating in (5, 4, 3, 2, 1)]


def compute_stats(pages: Iterable[ReviewPage]) -> dict[str, ReviewStats]:
    """The figures of each page by its id: one query over an index, whatever the number of pages."""
    found = {page.pk: ReviewStats(page.account.limits(KIND).shown) for page in pages}
    grouped = Testimonial.objects.filter(page__in=list(found)).order_by()
    groups = grouped.values_list("page_id", "status", "suspicion", "source", "rating")
    for page_id, status, suspicion, source, rating, count, agreed in groups.annotate(
        count=Count("*"), agreed=Count("consented_at")
    ):
        one = found[page_id]
        one.testimonials += count
        one.count_by_status[status] += count
        if suspicion:
            continue
        one.received_count += count
        if status == Status.APPROVED:
            one.showable_count += agreed
        if source == SOURCE_PAGE and rating is not None:
            one.count_by_rating[rating] += count
            one.consented_by_rating[rating] += agreed
    return found


def get_page_stats(page: ReviewPage) -> ReviewStats:
    return compute_stats([page])[page.pk]


def list_shown(page: ReviewPage, start: int = 0, most: int | None = None) -> list[Testimonial]:
    """The testimonials from number `start` on, as far as the plan shows them."""
    cap = page.account.limits(KIND).shown
    end = cap if most is None else start + most if cap is None else min(cap, start + most)
    found: QuerySet[Testimonial] = Testimonial.shown_to_guests(page).select_related("photo")
    return list(found[start:end]) if end is None or end > start else []
