"""Immediate and complete erasure of testimonials, at the writer's request."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM_PURPOSE
from workspace.publishing import guest_links
from workspace.storage import journal


def erase_testimonials(account: Account, testimonials: Sequence[Testimonial]) -> None:
    """Irreversibly erase testimonials with photos, emails, confirmation links and previous values in changes."""
    journal.set_item(KIND, testimonials[0].page_id)
    guest_links.revoke_links(CONFIRM_PURPOSE, *(testimonial.pk for testimonial in testimonials))
    change_log.erase_rows(
        account, testimonials, [testimonial.photo_id for testimonial in testimonials if testimonial.photo_id]
    )
    mark_pages_changed(testimonials)


def mark_pages_changed(testimonials: Sequence[Testimonial]) -> None:
    """Mark the pages that show these testimonials as changed."""
    pages = {
        testimonial.page_id: testimonial.page for testimonial in testimonials if testimonial.page.binned_at is None
    }
    if pages:
        ReviewPage.mark_many_changed(list(pages.values()))
