"""Queries for an account's review pages and testimonials."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.reviews import messages
from workspace.products.reviews.models import ReviewPage, Testimonial
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once


@compile_once
def pages_for(account: Account) -> QuerySet[ReviewPage]:
    """Return the account's pages with all data that a row shows except its statistics."""
    return with_public_state(account.review_pages.all())


def get_page(account: Account, id: str) -> ReviewPage:
    """Return the page. Raise NotFoundError if the account has no such page."""
    return pages_for.get(id, messages.PAGE_NOT_FOUND, account)


def testimonials_for(account: Account) -> QuerySet[Testimonial]:
    """Return the account's testimonials, except those on pages in the bin."""
    binned = ReviewPage._base_manager.filter(account=account, binned_at__isnull=False)
    testimonials: QuerySet[Testimonial] = account.testimonials.exclude(page__in=binned.values("pk"))
    return testimonials.select_related("page")
