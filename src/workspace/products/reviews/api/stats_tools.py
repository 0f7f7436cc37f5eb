"""The tool for a review page's statistics."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from typing import Annotated

from pydantic import Field

from workspace.accounts.models import Account
from workspace.analytics.queries import compute_statistics
from workspace.analytics.serializers import (
    DayStats,
    VisitStats,
    add_previous_counts,
    format_days,
    format_stats,
    list_day_stats,
    visit_stats,
)
from workspace.lib import clock
from workspace.lib.text import escape_markdown, format_count
from workspace.products.reviews.api.arguments import PageId
from workspace.products.reviews.api.tools import box
from workspace.products.reviews.domain.queries import get_page
from workspace.products.reviews.domain.wall_content import WALL_EVENT, WIDGET_EVENT, get_page_stats
from workspace.products.reviews.models import KIND, ReviewPage
from workspace.products.reviews.models.testimonial import SOURCE_PAGE
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.shared_item_arguments import Days, limit_days
from workspace.tools.answer import Answer, format_fact_list


class ReviewDay(DayStats):
    wall_views: int
    widget_views: int
    received: int


class Stats(VisitStats):
    """The statistics of a page.

    Visits are those of the page that collects reviews. Views of the wall and the widget are counts.
    """

    page_id: str
    title: str
    wall_views: int
    wall_views_in_days: int
    widget_views: int
    widget_views_in_days: int
    received_in_days: int
    shown: int
    received: int
    average: float | None
    ratings: int
    stars: Annotated[list[int], Field(description="Number of ratings with 1, 2, 3, 4 and 5 stars.")]
    by_day: list[ReviewDay]


@box.tool(
    "svc_reviews_stats",
    title="Get review page analytics",
    about="Get views and ratings of a review page, its wall and its widget, in total and by day. Also get views by "
    "device, city, country and referrer. Bots are counted separately. Days are in the account's time zone. "
    "Your plan limits how far back the data goes.",
    short="Get views and ratings of a review page.",
    synonyms="analytics, statistics, average rating over time, how many reviews, visits, statistik, aufrufe, "
    "estadísticas, visitas",
    reads=True,
)
def stats(account: Account, page_id: PageId, days: Days | None = None) -> Answer[Stats]:
    page = get_page(account, page_id)
    history = account.limits(KIND).history_days
    days = limit_days(days, history)
    views, wall, widget = (
        compute_statistics(page.publication_id, event, days=days, zone=account.zone)
        for event in (VIEW_EVENT, WALL_EVENT, WIDGET_EVENT)
    )
    figures, came = get_page_stats(page), _count_by_day(account, page, 2 * days)
    received = sum(came[day["date"]] for day in list_day_stats(views))
    earlier = {"wall_views": wall.before, "widget_views": widget.before, "received": came.total() - received}
    data: Stats = {
        **add_previous_counts(visit_stats(views, account), history, views=views.before, **earlier),
        "page_id": page.pk,
        "title": page.title,
        "wall_views": wall.total,
        "wall_views_in_days": wall.total_in_window,
        "widget_views": widget.total,
        "widget_views_in_days": widget.total_in_window,
        "received_in_days": received,
        "shown": figures.shown_count,
        "received": figures.received_count,
        "average": figures.average,
        "ratings": figures.rating_count,
        "stars": [figures.count_by_rating[rating] for rating in range(1, 6)],
        "by_day": [
            {**day, "wall_views": walls.count, "widget_views": frames.count, "received": came[day["date"]]}
            for day, walls, frames in zip(list_day_stats(views), wall.by_day, widget.by_day, strict=True)
        ],
    }
    pairs = {
        "page": f"`{page.pk}`",
        **{
            f"views of the page {name}" if name.startswith("in ") else name: value
            for name, value in format_stats(data).items()
        },
        "views of the wall": f"{wall.total}, {wall.total_in_window} in the last {days} days",
        "views of the widget": f"{widget.total}, {widget.total_in_window} in the last {days} days",
        f"testimonials in the last {days} days": data["received_in_days"],
        "shown": f"{figures.shown_count} of {figures.received_count}",
        "average": f"{figures.average} of 5 from {figures.rating_count} ratings"
        if figures.rating_count
        else "no ratings yet",
        "stars": ", ".join(f"{format_count(rating, 'star')}: {count}" for rating, count in enumerate(data["stars"], 1)),
    }
    text = format_fact_list(f"Analytics of “{escape_markdown(page.title)}”", pairs)
    return Answer(data, "\n".join([text, *format_days(data["by_day"])]))


def _count_by_day(account: Account, page: ReviewPage, days: int) -> Counter[str]:
    """Return the number of submissions by day in the account's time zone, with ISO dates as keys."""
    first = clock.now().astimezone(account.zone).date() - timedelta(days=days - 1)
    since = datetime.combine(first, time.min, account.zone).astimezone(UTC)
    left = page.testimonials.filter(source=SOURCE_PAGE, created_at__gte=since).order_by()
    moments = left.values_list("created_at", flat=True)
    return Counter(at.astimezone(account.zone).date().isoformat() for at in moments.iterator())
