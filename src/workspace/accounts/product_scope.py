"""The products that an owner chooses for a key or a connection.

None means all, including future ones. A choice limits permissions to those of a member with these products; tools for
the whole account are refused.
"""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings

from workspace.accounts import permissions, plans
from workspace.accounts.models import Account, ConnectionChoice, OAuthClient, Person
from workspace.accounts.permissions import BY_PRODUCT, EDITOR, OWNER, VIEWER, PermissionScope
from workspace.storage.database.transactions import write_transaction

ToolScope = frozenset[str] | None
# Areas of tools that show several products together. They require every product that takes payments, sends events, uses
# calendars or collects contacts.
MULTI_PRODUCT_AREAS = PAYMENTS, WEBHOOKS, CALENDARS, CONTACTS = "payments", "webhooks", "calendars", "contacts"


def linked_app_titles() -> dict[str, str]:
    """Return the titles, keyed by name, of linked apps, which can be chosen like products."""
    return {one.name: one.title for one in settings.FAMILY}


def available_products() -> list[str]:
    return [key for key in plans.PRODUCTS if plans.is_built(key)]


def normalize_scope(ticked: Collection[str]) -> list[str] | None:
    """Return the value to store for a choice: a list of keys, or None if everything is chosen."""
    whole = [*available_products(), *linked_app_titles()]
    kept = [key for key in whole if key in ticked]
    return None if kept == whole else kept


def has_product(choice: ToolScope, product: str) -> bool:
    if choice is None or product in choice:
        return True
    if permissions.is_multi_product(product):
        return bool(permissions.area_products(product)) and not missing_products(choice, product)
    return product not in plans.PRODUCTS and product not in linked_app_titles()


def missing_products(choice: ToolScope, tools: str) -> list[str]:
    """Return the products of an area that are missing from a choice."""
    return [] if choice is None else [key for key in plans.PRODUCTS if key in permissions.area_products(tools) - choice]


def limit_permissions(scope: PermissionScope, choice: ToolScope) -> PermissionScope:
    """Limit a member's permissions to a choice. If it has all current products, there is no limit."""
    if (
        choice is None
        or choice.issuperset(available_products())
        or scope.role not in (OWNER, EDITOR, VIEWER, BY_PRODUCT)
    ):
        return scope
    if scope.role == BY_PRODUCT:
        return PermissionScope(BY_PRODUCT, frozenset(one for one in scope.product_roles if one[0] in choice))
    role = VIEWER if scope.role == VIEWER else EDITOR
    return PermissionScope(BY_PRODUCT, frozenset((key, role) for key in choice))


def parse_scope(stored: list[str] | None) -> ToolScope:
    return None if stored is None else frozenset(stored)


def describe_scope(choice: ToolScope) -> str:
    """Return the titles of the products as a phrase, such as `QR codes and Menus`."""
    if choice is None:
        return "all products"
    return join_titles(choice) or "no product"


def join_titles(products: Collection[str]) -> str:
    """Join the titles of products into a phrase, or return "" if there are none."""
    titles = [plans.PRODUCTS[key].title for key in plans.PRODUCTS if key in products]
    titles += [title for name, title in linked_app_titles().items() if name in products]
    return " and ".join([", ".join(titles[:-1]), titles[-1]] if titles[1:] else titles)


def save_choice(account: Account, client: OAuthClient, person: Person, products: list[str] | None) -> None:
    """Save the products of a connection. A later choice replaces the earlier one."""
    with write_transaction():
        ConnectionChoice.objects.update_or_create(
            account=account, client=client, person=person, defaults={"products": products}
        )


def find_choice(account: Account, client: OAuthClient, person: Person) -> ConnectionChoice | None:
    """Return the saved choice of a connection, or None."""
    return ConnectionChoice.objects.filter(account=account, client=client, person=person).first()
