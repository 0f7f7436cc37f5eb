"""The account's own pages, offered wherever an owner enters the address of a page."""

from __future__ import annotations

from workspace.accounts import permissions, plans
from workspace.accounts.models import Account
from workspace.publishing import items
from workspace.publishing.items import Item

MAX_PAGES = 100
# A QR code is no page, and a proposal is for a single client.
_EXCLUDED_KINDS = ("qr", "bid")


def list_own_pages(account: Account) -> list[Item]:
    """Return the newest pages that the member may see, sorted by product."""
    kinds = [kind for kind in permissions.permitted_products(plans.PRODUCTS) if kind not in _EXCLUDED_KINDS]
    rows = (
        account.publications.filter(kind__in=kinds, deleted_at=None, banned_at=None, slug__gt="")
        .order_by("-created_at", "-pk")
        .values_list("kind", "pk")[:MAX_PAGES]
    )
    found = items.items_by_publication(account, rows)
    order = {kind: place for place, kind in enumerate(plans.PRODUCTS)}
    pages = [found[id] for _, id in rows if id in found]
    return sorted(pages, key=lambda one: order[one.kind])
