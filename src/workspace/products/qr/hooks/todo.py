"""To-dos for codes whose destination is an item of the same account that is not live."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.owner_translation import owner_gettext, owner_gettext_noop
from workspace.products.qr.models import Code
from workspace.publishing import items
from workspace.publishing.manifest import TodoItem
from workspace.publishing.models import Address, Publication, State
from workspace.storage.database.compiled_function import compile_once

MAX_CODES, MAX_ITEMS = 200, 3
_STATE_TEXTS = {
    State.PAUSED: owner_gettext_noop("The QR code “%(code)s” opens a page that is paused."),
    State.EXPIRED: owner_gettext_noop("The QR code “%(code)s” opens a page that has expired."),
    State.DELETED: owner_gettext_noop("The QR code “%(code)s” opens a page that was deleted."),
}


def list_todo_items(account: Account) -> list[TodoItem]:
    """Return a to-do for each code whose destination can be resumed, with a link for that.

    Run two queries, and two more for each kind of destination.
    """
    leads = [
        (code, reference)
        for code in _codes_to_own_pages.fetch_some(MAX_CODES, account, f"{settings.BASE_URL}/")
        if (reference := items.parse_reference(code.target_url)) and reference.kind
    ]
    if not leads:
        return []
    kinds, slugs = ({getattr(reference, name) for _, reference in leads} for name in ("kind", "slug"))
    addresses = _addresses_of_kinds.fetch(account, sorted(kinds), sorted(slugs))
    led = {(address.kind, address.slug): address.publication for address in addresses}
    resting = [
        (code, reference.kind, publication)
        for code, reference in leads
        if (publication := led.get((reference.kind, reference.slug))) and publication.state in _STATE_TEXTS
    ][:MAX_ITEMS]
    shown = items.items_by_publication(account, [(kind, publication.pk) for _, kind, publication in resting])
    return [
        TodoItem(
            owner_gettext(_STATE_TEXTS[publication.state]) % {"code": code.name},
            _resume_path(shown.get(publication.pk), publication) or f"/app/qr/{code.pk}",
        )
        for code, _, publication in resting
    ]


@compile_once
def _codes_to_own_pages(account: Account, prefix: str) -> QuerySet[Code]:
    return account.codes.filter(target_url__startswith=prefix, publication__paused_at=None)


@compile_once
def _addresses_of_kinds(account: Account, kinds: list[str], slugs: list[str]) -> QuerySet[Address]:
    addresses = Address.objects.filter(publication__account=account, kind__in=kinds, slug__in=slugs)
    return addresses.select_related("publication")


def _resume_path(item: items.Item | None, publication: Publication) -> str:
    """Return the page where the owner can resume the item, or an empty string if that is not possible."""
    if item is None or publication.state is State.DELETED:
        return ""
    path = urlsplit(item.page).path
    return path if publication.state is State.PAUSED else f"{path}/settings"
