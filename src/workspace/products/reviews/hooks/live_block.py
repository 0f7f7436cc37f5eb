"""The newest approved testimonial as a live block on the account's other pages."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext

from workspace.owner_translation import owner_gettext_noop
from workspace.products.reviews.models import ReviewPage, Status, Testimonial
from workspace.publishing.live_blocks import LiveBlock
from workspace.storage.database.compiled_function import compile_once

TITLE = owner_gettext_noop("Newest review")
MAX_TEXT_LENGTH = 220


def build_block(page: ReviewPage) -> LiveBlock | None:
    testimonials = _newest_testimonials.fetch_some(1, page)
    if not testimonials:
        return None
    [testimonial] = testimonials
    return LiveBlock(
        heading=gettext("What people say"),
        lines=(
            gettext("“{words}”").format(words=_shorten((testimonial.excerpt or testimonial.text).strip())),
            _format_signature(testimonial),
        ),
        url=f"/r/{page.slug}/wall",
        label=gettext("Read more"),
    )


@compile_once
def _newest_testimonials(page: ReviewPage) -> QuerySet[Testimonial]:
    testimonials = page.testimonials.filter(status=Status.APPROVED, suspicion="").exclude(consented_at=None)
    return testimonials.order_by("-written_at", "-id")


def _format_signature(testimonial: Testimonial) -> str:
    # the number is for people who cannot see the stars
    if not testimonial.rating:
        return testimonial.name
    figure = gettext("{rating} out of 5").format(rating=testimonial.rating)
    return f"{'★' * testimonial.rating}{'☆' * (5 - testimonial.rating)} {figure} · {testimonial.name}"


def _shorten(text: str) -> str:
    """Shorten the text at a space, and add an ellipsis."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_TEXT_LENGTH else text[:MAX_TEXT_LENGTH].rpartition(" ")[0] + " …"
