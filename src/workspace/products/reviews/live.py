"""A page's newest approved testimonial, for the account's other pages."""

from __future__ import annotations

from workspace.products.reviews.models import ReviewPage, Status, Testimonial
from workspace.products.reviews.telling import stars
from workspace.publishing.live_blocks import LiveBlock

TITLE = "Newest review"
LONGEST = 220


def newest(page: ReviewPage) -> LiveBlock | None:
    found = page.testimonials.filter(status=Status.APPROVED, suspicion="").exclude(consented_at=None)
    one = found.order_by("-written_at", "-id").first()
    if one is None:
        return None
    return LiveBlock(
        heading="What people say",
        lines=(f"“{_short((one.excerpt or one.text).strip())}”", _signed(one)),
        url=f"/r/{page.slug}/wall",
        label="Read more",
    )


def _signed(one: Testimonial) -> str:
    # the figure is for those who do not see the stars
    return f"{stars(one.rating)} · {one.name}" if one.rating else one.name


def _short(words: str) -> str:
    """The beginning, cut between words, with a mark that there is more."""
    words = " ".join(words.split())
    return words if len(words) <= LONGEST else words[:LONGEST].rpartition(" ")[0] + " …"
