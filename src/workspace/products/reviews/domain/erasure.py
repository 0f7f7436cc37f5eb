"""Immediate and complete erasure of testimonials, at the writer's request."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.products.reviews.models import KIND, ReviewPage, Testimonial
from workspace.products.reviews.models.testimonial import CONFIRM_PURPOSE
from workspace.publishing import guest_links
from workspace.storage import journal


def erase_testimonials(account: Account, found: Sequence[Testimonial]) -> None:
    """Erase testimonials with photos, emails, confirmation links and former values in changes. It is irreversible."""
    journal.set_item(KIND, found[0].page_id)
    guest_links.revoke_links(CONFIRM_PURPOSE, *(one.pk for one in found))
    change_log.erase_rows(account, found, [one.photo_id for one in found if one.photo_id])
    mark_pages_changed(found)


def mark_pages_changed(found: Sequence[Testimonial]) -> None:
    """Mark the pages that show these testimonials as changed."""
    pages = {one.page_id: one.page for one in found if one.page.binned_at is None}
    if pages:
        ReviewPage.mark_many_changed(list(pages.values()))
