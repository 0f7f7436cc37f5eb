"""The product checkboxes on the pages for consent, API keys and connections (`account_pages/checkboxes.html`)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.conf import settings
from django.http import QueryDict

from workspace.accounts import permissions, product_scope
from workspace.accounts.models import Account
from workspace.accounts.product_scope import ToolScope
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products import list_manifests

# Sent with the checkboxes. A form without this field did not offer any.
ASKED_FIELD = "asked_for_products"
PRODUCTS_FIELD = "products"


@dataclass(frozen=True, slots=True)
class ProductChoice:
    """A product on the form, and whether it is selected."""

    key: str
    title: str
    about: str
    is_ticked: bool


def list_choices(selected: ToolScope) -> list[ProductChoice]:
    """List the products in the order of the navigation, followed by linked apps."""
    own = [
        ProductChoice(
            product.key,
            product.page_title,
            product.summary,
            product_scope.has_product(selected, product.key),
        )
        for product in list_manifests()
    ]
    about = owner_gettext("Another app that you have connected")
    return own + [
        ProductChoice(key, title, about, product_scope.has_product(selected, key))
        for key, title in product_scope.linked_app_titles().items()
    ]


SHARED_ACCESS = (
    owner_gettext_lazy("All tools and data of the selected products"),
    owner_gettext_lazy("Search, analytics, contacts, activity, undo and jobs of these products"),
    owner_gettext_lazy("Account details: name, email, time zone, plans, brand and connected apps"),
    owner_gettext_lazy("Image and file uploads"),
)
EXCLUDED_ACCESS = owner_gettext_lazy(
    "Not allowed: exporting, importing or editing the account, editing the brand, support tickets and account-wide "
    "webhooks."
)
TITLES = {
    product_scope.PAYMENTS: owner_gettext_lazy("Payments"),
    product_scope.WEBHOOKS: owner_gettext_lazy("Webhooks"),
    product_scope.CALENDARS: owner_gettext_lazy("Calendars"),
    product_scope.CONTACTS: owner_gettext_lazy("Address books"),
}


def describe_limited_access() -> list[str]:
    """Return lines that describe the access of a limited key or connection."""
    text = owner_gettext("%(title)s (requires %(products)s)")
    shown_together = [
        text % {"title": title, "products": product_scope.join_titles(permissions.area_products(key))}
        for key, title in TITLES.items()
    ]
    return [*map(str, SHARED_ACCESS), *shown_together]


def build_checkbox_context(
    selected: ToolScope, *, has_permission: Callable[[str], bool] = lambda key: True
) -> dict[str, object]:
    """Return the context for the product checkboxes.

    `has_permission` says whether a product may be offered.
    """
    shown = [one for one in list_choices(selected) if has_permission(one.key)]
    return {"ticks": shown, "included": describe_limited_access(), "excluded": EXCLUDED_ACCESS}


def list_used_products(account: Account) -> ToolScope:
    """Return the products that the account uses, and its connected apps.

    If the account uses none, return None, which means all.
    """
    used = frozenset(product.key for product in list_manifests() if product.is_used(account))
    if used and settings.FAMILY:
        used |= set(account.linked_apps.values_list("application", flat=True))
    return used or None


def parse_selected_products(form: QueryDict) -> list[str] | None:
    """Return the selected products as they are stored, or None for all.

    Also return None if the form did not offer any.
    """
    ticked: Collection[str] = form.getlist(PRODUCTS_FIELD)
    return product_scope.normalize_scope(ticked) if ASKED_FIELD in form else None
