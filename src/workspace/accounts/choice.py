"""The owner's choice of products for a key or a connection: whose tools it has. None is all of them, also those that
come later. What is no product, the account's own tools, everybody has."""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings

from workspace.accounts import plans, roles
from workspace.accounts.models import Account, ConnectionChoice, OAuthClient, Person
from workspace.storage.database import writing

Choice = frozenset[str] | None
# tools of no product, called as a product's are: had with any that takes money, pushes events, takes up time, is left
# contacts
SEVERAL = PAYMENTS, WEBHOOKS, CALENDARS, CONTACTS = "payments", "webhooks", "calendars", "contacts"


def others() -> dict[str, str]:
    """The family's other applications, which are chosen as products are: their titles by their names."""
    return {one.name: one.title for one in settings.FAMILY}


def offered() -> list[str]:
    return [key for key in plans.PRODUCTS if plans.is_built(key)]


def settled(ticked: Collection[str]) -> list[str] | None:
    """What is kept of the products that somebody ticked: None where that is all of them."""
    whole = [*offered(), *others()]
    kept = [key for key in whole if key in ticked]
    return None if kept == whole else kept


def holds(choice: Choice, product: str) -> bool:
    if choice is None or product in choice:
        return True
    if roles.is_several(product):
        return not choice.isdisjoint(roles.along(product))
    return product not in plans.PRODUCTS and product not in others()


def read(kept: list[str] | None) -> Choice:
    return None if kept is None else frozenset(kept)


def said(choice: Choice) -> str:
    """The products in words: `QR codes and Menus`."""
    if choice is None:
        return "all products"
    titles = [plans.PRODUCTS[key].title for key in plans.PRODUCTS if key in choice]
    titles += [title for name, title in others().items() if name in choice]
    if not titles:
        return "no product"
    return " and ".join([", ".join(titles[:-1]), titles[-1]] if titles[1:] else titles)


def choose(account: Account, client: OAuthClient, person: Person, products: list[str] | None) -> None:
    """Keep what a connection may use; a later choice takes the place of the earlier one."""
    with writing():
        ConnectionChoice.objects.update_or_create(
            account=account, client=client, person=person, defaults={"products": products}
        )


def earlier(account: Account, client: OAuthClient, person: Person) -> ConnectionChoice | None:
    """What was chosen when the client was connected before, or since."""
    return ConnectionChoice.objects.filter(account=account, client=client, person=person).first()
