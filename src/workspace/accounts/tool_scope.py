"""The owner's choice of products for a key or a connection. None is all of them, also those that come later. A choice
limits: it gives the reach of a member who has these products, and what is for the whole account is refused."""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings

from workspace.accounts import permissions, plans
from workspace.accounts.models import Account, ConnectionChoice, OAuthClient, Person
from workspace.accounts.permissions import EDITOR, OWNER, SOME, VIEWER, Reach
from workspace.storage.database.transactions import writing

Choice = frozenset[str] | None
# Tools of no product that show several products together. They take every product that takes money, pushes events,
# takes up time or collects contacts.
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
    if permissions.is_several(product):
        return bool(permissions.along(product)) and not missing(choice, product)
    return product not in plans.PRODUCTS and product not in others()


def missing(choice: Choice, tools: str) -> list[str]:
    """Return the products that a choice lacks for tools of several products."""
    return [] if choice is None else [key for key in plans.PRODUCTS if key in permissions.along(tools) - choice]


def limit(reach: Reach, choice: Choice) -> Reach:
    """Return what is left of a member's reach. A choice of all products of today takes nothing away."""
    if choice is None or choice.issuperset(offered()) or reach.role not in (OWNER, EDITOR, VIEWER, SOME):
        return reach
    if reach.role == SOME:
        return Reach(SOME, frozenset(one for one in reach.held if one[0] in choice))
    role = VIEWER if reach.role == VIEWER else EDITOR
    return Reach(SOME, frozenset((key, role) for key in choice))


def read(kept: list[str] | None) -> Choice:
    return None if kept is None else frozenset(kept)


def said(choice: Choice) -> str:
    """The products in words: `QR codes and Menus`."""
    if choice is None:
        return "all products"
    return named(choice) or "no product"


def named(products: Collection[str]) -> str:
    """Return the titles of products as one phrase, empty for none."""
    titles = [plans.PRODUCTS[key].title for key in plans.PRODUCTS if key in products]
    titles += [title for name, title in others().items() if name in products]
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
