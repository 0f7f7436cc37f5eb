"""The testimonials of a page visible to guests, and the statistics above them.

The plan limits how many are shown, but never how many are stored. The owner's average includes every rating that a
guest left on the page, shown or not. Testimonials added by the owner are a selection, so they are shown with their
source and not counted. The public average counts only guests who agreed to have their review shown, and requires at
least three of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from django.db.models import Count, QuerySet

from workspace.products.reviews.models import KIND, ReviewPage, Status, Testimonial
from workspace.products.reviews.models.testimonial import SOURCE_PAGE

PAGE_SIZE = 30
MIN_RATINGS = 3  # with fewer, the average would reveal individual ratings
WALL_EVENT, WIDGET_EVENT = "wall", "widget"  # events besides views of the review page


@dataclass(slots=True)
class ReviewStats:
    """Statistics of a page.

    `received_count` excludes suspected spam. Of these, `showable_count` may be shown, and `shown_count` are within the
    plan's limit. `count_by_rating` counts the ratings that guests left on the page, and `consented_by_rating` those of
    guests who agreed to have their review shown.
    """

    cap: int | None
    testimonials: int = 0
    received_count: int = 0
    showable_count: int = 0
    count_by_status: Counter[str] = field(default_factory=Counter)
    count_by_rating: Counter[int] = field(default_factory=Counter)
    consented_by_rating: Counter[int] = field(default_factory=Counter)

    @property
    def public_stats(self) -> ReviewStats:
        """The statistics for guests.

        They include only ratings by guests who agreed, and an average only if there are at least three of them.
        """
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
        """The average with one decimal, or None if there are no ratings."""
        stars = sum(rating * count for rating, count in self.count_by_rating.items())
        return round(stars / self.rating_count, 1) if self.rating_count else None

    @property
    def average_text(self) -> str:
        return f"{self.average:.1f}" if self.average is not None else ""

    @property
    def star_counts(self) -> list[tuple[int, int]]:
        """The numbers of ratings with 5, 4, 3, 2 and 1 stars."""
        return [(rating, self.count_by_rating[rating]) for rating in (5, 4, 3, 2, 1)]


def compute_stats(pages: Iterable[ReviewPage]) -> dict[str, ReviewStats]:
    """Return the statistics of each page, keyed by page id. The single query uses an index."""
    result = {page.pk: ReviewStats(page.account.limits(KIND).shown) for page in pages}
    grouped = Testimonial.objects.filter(page__in=list(result)).order_by()
    groups = grouped.values_list("page_id", "status", "suspicion", "source", "rating")
    for page_id, status, suspicion, source, rating, count, agreed in groups.annotate(
        count=Count("*"), agreed=Count("consented_at")
    ):
        stats = result[page_id]
        stats.testimonials += count
        stats.count_by_status[status] += count
        if suspicion:
            continue
        stats.received_count += count
        if status == Status.APPROVED:
            stats.showable_count += agreed
        if source == SOURCE_PAGE and rating is not None:
            stats.count_by_rating[rating] += count
            stats.consented_by_rating[rating] += agreed
    return result


def get_page_stats(page: ReviewPage) -> ReviewStats:
    return compute_stats([page])[page.pk]


def list_shown_testimonials(page: ReviewPage, start: int = 0, limit: int | None = None) -> list[Testimonial]:
    """Return the shown testimonials, starting with number `start`, within the plan's limit."""
    cap = page.account.limits(KIND).shown
    end = cap if limit is None else start + limit if cap is None else min(cap, start + limit)
    testimonials: QuerySet[Testimonial] = Testimonial.shown_to_guests(page).select_related("photo")
    return list(testimonials[start:end]) if end is None or end > start else []
