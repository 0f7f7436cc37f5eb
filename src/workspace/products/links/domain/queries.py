"""Queries for an account's link pages."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.links import messages
from workspace.products.links.models import Page
from workspace.publishing.serializers import (
    get_or_404,
    with_public_state,
)


def pages_for(account: Account) -> QuerySet[Page]:
    """Return the account's pages with everything that a row shows except its visits."""
    pages = with_public_state(account.link_pages.all()).select_related(
        "publication", "account", "avatar", "share_image"
    )
    return pages.prefetch_related("publication__addresses", "elements")


def get_page(account: Account, id: str) -> Page:
    """Return the page. Raise NotFoundError if the account does not have it."""
    return get_or_404(pages_for(account), id, messages.PAGE_NOT_FOUND)
