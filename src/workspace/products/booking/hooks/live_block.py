"""The next available time of a page's first service, for the account's other pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.utils.translation import get_language, gettext

from workspace.lib import clock
from workspace.products.booking.domain.availability_query import load_availability
from workspace.products.booking.domain.queries import offered_services
from workspace.products.booking.models import BookingPage
from workspace.publishing.language import DEFAULT_LANGUAGE, format_moment
from workspace.publishing.live_blocks import LiveBlock

TITLE = "Next available time"
LOOKAHEAD = timedelta(days=30)  # the range of the search


def build_next_time_block(page: BookingPage) -> LiveBlock | None:
    """Return the block with the next available time, or None if there is none within a month.

    The block is valid until that time can no longer be booked."""
    services = offered_services.fetch_some(1, page)
    if not services:
        return None
    [service] = services
    today = clock.today(page.time_zone)
    last = min(today + timedelta(days=service.max_days_ahead), today + LOOKAHEAD)
    start = load_availability(page, service.build_terms(), today, last, service=service).find_first_free(today, last)
    if start is None:
        return None
    begins = datetime.fromtimestamp(start, UTC)
    return LiveBlock(
        heading=gettext("Next available time"),
        lines=(service.name, format_moment(begins, page.zone, get_language() or DEFAULT_LANGUAGE)),
        url=f"/b/{page.slug}",
        label=gettext("Book a time"),
        fresh_until=begins - timedelta(minutes=service.min_notice_minutes),
    )
