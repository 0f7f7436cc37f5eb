"""Queries for an account's review pages and testimonials."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.reviews import messages
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.publishing.serializers import get_or_404, with_public_state


def pages_for(account: Account) -> QuerySet[ReviewPage]:
    """Return the account's pages with everything that a row shows except its statistics."""
    return with_public_state(account.review_pages.all()).select_related("publication", "account")


def get_page(account: Account, id: str) -> ReviewPage:
    """Return the page. Raise NotFoundError if the account does not have it."""
    return get_or_404(pages_for(account), id, messages.PAGE_NOT_FOUND)


def testimonials_for(account: Account) -> QuerySet[Testimonial]:
    """Return the account's testimonials, except those on pages in the bin."""
    binned = ReviewPage._base_manager.filter(account=account, binned_at__isnull=False)
    testimonials: QuerySet[Testimonial] = account.testimonials.exclude(page__in=binned.values("pk"))
    return testimonials.select_related("page")
