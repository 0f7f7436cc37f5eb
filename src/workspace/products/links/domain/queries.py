"""Queries for an account's link pages."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.links import messages
from workspace.products.links.models import Page
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once


@compile_once
def pages_for(account: Account) -> QuerySet[Page]:
    """Return the account's pages with all data that a row shows except the number of visits."""
    pages = with_public_state(account.link_pages.all()).select_related("publication", "avatar", "share_image")
    return pages.prefetch_related("publication__addresses", "elements")


def get_page(account: Account, id: str) -> Page:
    """Return the page. Raise NotFoundError if the account has no such page."""
    return pages_for.get(id, messages.PAGE_NOT_FOUND, account)
