"""Who may do what in an account: one table of a member's role, whose tool it is, and whether it changes something.

                      owner   editor   viewer   some (by product)
    a product's       yes     yes      reads    as it is held
    several's         yes     yes      reads    as all of them are held
    everybody's       yes     yes      reads    reads; changes with one product held as editor
    the account's     yes     yes      reads    no
    the owners'       yes     no       no       no

The door asks it for each tool, pages ask it for themselves, and what shows all products shows those in reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

OWNER, EDITOR, VIEWER = "owner", "editor", "viewer"
BY_PRODUCT = "some"  # as editor or viewer of named products
# whose a tool is that is no product's: everybody's, which narrows itself to what they reach; the account's as a whole;
# or the owners', who decide over the account
SHARED, WHOLE_ACCOUNT, OWNERS = "shared", "account", "owners"
SIGN_INS = "sign-in"  # whose a line of the activity is that tells of somebody's sign-in: the owners', and their own
_area_products: dict[str, set[str]] = {}


def register_area(tools: str, *products: str) -> None:
    """Tools that are no product's own, under a name of theirs, are about these products."""
    _area_products.setdefault(tools, set()).update(products)


def area_products(tools: str) -> frozenset[str]:
    """The products that tools under a name of their own are about; none for a product's."""
    return frozenset(_area_products.get(tools, ()))


def is_multi_product(tools: str) -> bool:
    return tools in _area_products


@dataclass(frozen=True, slots=True)
class PermissionScope:
    """A member's role; with `BY_PRODUCT`, `held` names products with the role of each."""

    role: str = OWNER
    product_roles: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def for_role(cls, role: str, held: Mapping[str, str] | None) -> PermissionScope:
        return cls(role, frozenset((held or {}).items()) if role == BY_PRODUCT else frozenset())

    def can_access(self, whose: str, *, writes: bool = False) -> bool:
        """The table. `whose`: a product's key, a name of several (`register_area`), SHARED, WHOLE or OWNERS."""
        if self.role == OWNER:
            return True
        if whose in (OWNERS, SIGN_INS) or self.role not in (EDITOR, VIEWER, BY_PRODUCT):
            return False
        if self.role != BY_PRODUCT:
            return self.role == EDITOR or not writes
        if whose == SHARED:
            return not writes or EDITOR in dict(self.product_roles).values()
        products = area_products(whose) or {whose}
        return all(
            (one, EDITOR) in self.product_roles or (not writes and (one, VIEWER) in self.product_roles)
            for one in products
        )

    def describe(self) -> str:
        """In words: `viewer`, or `editor of form, viewer of book`."""
        return ", ".join(f"{role} of {key}" for key, role in sorted(self.product_roles)) or self.role

    @property
    def can_change(self) -> bool:
        """Whether there is anything that they may change."""
        return self.role in (OWNER, EDITOR) or EDITOR in dict(self.product_roles).values()

    @property
    def has_all_products(self) -> bool:
        """Whether every product is in it."""
        return self.role in (OWNER, EDITOR, VIEWER)


FULL_SCOPE = PermissionScope()
_current_scope: ContextVar[PermissionScope] = ContextVar("reach", default=FULL_SCOPE)


@contextmanager
def use_scope(reach: PermissionScope) -> Iterator[None]:
    """Within it, what shows things of all products shows those in reach."""
    token = _current_scope.set(reach)
    try:
        yield
    finally:
        _current_scope.reset(token)


def is_permitted(whose: str, *, writes: bool = False) -> bool:
    """Whether who asks just now may look at it, or change it. Where nobody in particular does (a worker, a guest's
    page) nothing is out of reach."""
    return _current_scope.get().can_access(whose, writes=writes)


def permitted_products(products: Iterable[str]) -> list[str]:
    return [key for key in products if is_permitted(key)]


def parse_product_roles(chosen: Mapping[str, str]) -> dict[str, str]:
    """What is kept of a choice by product: those that may be looked at or changed."""
    return {key: role for key, role in chosen.items() if role in (EDITOR, VIEWER)}


def denial_reason(reach: PermissionScope, whose: str, title: str) -> str:
    """Why somebody may not do something, and who can change that; `title` is the product's."""
    if whose == OWNERS:
        return "That is for an owner of the account: ask one"
    if whose in (SHARED, WHOLE_ACCOUNT):
        title, other = "this account", "That is of the account as a whole"
    else:
        other = f"{title} is not among what you work with"
    what = f"You may look at {title}, not change it" if reach.can_access(whose) else other
    return f"{what}: an owner of the account can give you more, on Members"
