"""The next free time of a page's first service, for the account's other pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.utils.translation import get_language, gettext

from workspace.lib import clock
from workspace.products.booking.domain.availability_query import availability_of
from workspace.products.booking.models import BookingPage
from workspace.publishing.language import USUAL, moment
from workspace.publishing.live_blocks import LiveBlock

TITLE = "Next free time"
AHEAD = timedelta(days=30)  # in which it is looked for


def next_free(page: BookingPage) -> LiveBlock | None:
    """None where nothing is free within a month. It is so until the time can be booked no more."""
    service = page.services.filter(hidden=False).first()
    if service is None:
        return None
    service.page = page
    today = clock.today(page.time_zone)
    last = min(today + timedelta(days=service.horizon), today + AHEAD)
    start = availability_of(page, service.terms(), today, last, service=service).first_free(today, last)
    if start is None:
        return None
    begins = datetime.fromtimestamp(start, UTC)
    return LiveBlock(
        heading=gettext("Next free time"),
        lines=(service.name, moment(begins, page.zone, get_language() or USUAL)),
        url=f"/b/{page.slug}",
        label=gettext("Book a time"),
        fresh_until=begins - timedelta(minutes=service.notice),
    )
