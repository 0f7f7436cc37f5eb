"""The product checkboxes of the consent, API key and connection pages (`account_pages/checkboxes.html`)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from django.conf import settings
from django.http import QueryDict

from workspace.accounts import permissions, product_scope
from workspace.accounts.models import Account
from workspace.accounts.product_scope import ToolScope
from workspace.products import list_manifests

# Sent with the checkboxes: a form without it offered none.
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
    """List the products in the order of the navigation, then linked apps."""
    own = [
        ProductChoice(
            product.key,
            product.label or product.title,
            product.summary,
            product_scope.has_product(selected, product.key),
        )
        for product in list_manifests()
    ]
    about = "Another application, where you have connected it"
    return own + [
        ProductChoice(key, title, about, product_scope.has_product(selected, key))
        for key, title in product_scope.linked_app_titles().items()
    ]


SHARED_ACCESS = (
    "All tools and data of the products you tick.",
    "Search, the overview, contacts people left, the activity and its undo, and jobs: for these products only.",
    "Account details: name, email, time zone, plans, brand, and which applications are connected.",
    "Uploading pictures and files.",
)
EXCLUDED_ACCESS = (
    "It cannot export, import or edit the account, edit the brand, read or write support requests, "
    "or use webhooks of the whole account."
)
TITLES = {
    product_scope.PAYMENTS: "Payments",
    product_scope.WEBHOOKS: "Webhooks",
    product_scope.CALENDARS: "Calendars",
    product_scope.CONTACTS: "Address books",
}


def describe_limited_access() -> list[str]:
    """Return what a limited key or connection can use, one line each."""
    shown_together = [
        f"{title}, if you tick {_join_titles(permissions.area_products(key))}." for key, title in TITLES.items()
    ]
    return [*SHARED_ACCESS, *shown_together]


def _join_titles(products: Collection[str]) -> str:
    """Return the titles as one phrase which makes clear that all of them are needed."""
    how = {1: "", 2: "both "}.get(len(products), "all of ")
    return f"{how}{product_scope.join_titles(products)}"


def build_checkbox_context(
    selected: ToolScope, *, has_permission: Callable[[str], bool] = lambda key: True
) -> dict[str, object]:
    """Return the context of the part of the page with the products.

    `has_permission` excludes products without permission.
    """
    shown = [one for one in list_choices(selected) if has_permission(one.key)]
    return {"ticks": shown, "included": describe_limited_access(), "excluded": EXCLUDED_ACCESS}


def list_used_products(account: Account) -> ToolScope:
    """Return the products that the account uses, and its connected apps.

    Return None, which means all, if it uses none.
    """
    used = frozenset(product.key for product in list_manifests() if product.is_used(account))
    if used and settings.FAMILY:
        used |= set(account.linked_apps.values_list("application", flat=True))
    return used or None


def parse_selected_products(form: QueryDict) -> list[str] | None:
    """Return the selected products as they are stored. Return None for all, and if the form offered none."""
    ticked: Collection[str] = form.getlist(PRODUCTS_FIELD)
    return product_scope.normalize_scope(ticked) if ASKED_FIELD in form else None
