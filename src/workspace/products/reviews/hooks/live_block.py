"""A page's newest approved testimonial, for the account's other pages."""

from __future__ import annotations

from django.utils.translation import gettext

from workspace.products.reviews.models import ReviewPage, Status, Testimonial
from workspace.publishing.live_blocks import LiveBlock

TITLE = "Newest review"
LONGEST = 220


def newest(page: ReviewPage) -> LiveBlock | None:
    found = page.testimonials.filter(status=Status.APPROVED, suspicion="").exclude(consented_at=None)
    one = found.order_by("-written_at", "-id").first()
    if one is None:
        return None
    return LiveBlock(
        heading=gettext("What people say"),
        lines=(gettext("“{words}”").format(words=_short((one.excerpt or one.text).strip())), _signed(one)),
        url=f"/r/{page.slug}/wall",
        label=gettext("Read more"),
    )


def _signed(one: Testimonial) -> str:
    # the figure is for those who do not see the stars
    if not one.rating:
        return one.name
    figure = gettext("{rating} of 5").format(rating=one.rating)
    return f"{'★' * one.rating}{'☆' * (5 - one.rating)} {figure} · {one.name}"


def _short(words: str) -> str:
    """The beginning, cut between words, with a mark that there is more."""
    words = " ".join(words.split())
    return words if len(words) <= LONGEST else words[:LONGEST].rpartition(" ")[0] + " …"
