"""From an address to its page of reviews."""

from __future__ import annotations

from workspace.products.reviews.models import ReviewPage
from workspace.publishing.models import Address


def page_at(address: Address) -> ReviewPage:
    """The page of an address that is open."""
    page = ReviewPage.objects.get(publication_id=address.publication_id)
    page.publication = address.publication  # brings the account along
    if address.publication.account is not None:
        page.account = address.publication.account
    return page
