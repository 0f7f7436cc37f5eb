"""Permissions by role, area of a tool, and whether it writes.

    area of the tool    owner   editor   viewer   some (by product)
    a product           yes     yes      reads    by the role for the product
    several products    yes     yes      reads    by the roles for all of them
    shared              yes     yes      reads    reads; writes with editor of any product
    whole account       yes     yes      reads    no
    owners              yes     no       no       no

The dispatcher checks permissions for each tool, and pages check them themselves. Lists that cover all products show
only permitted ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from workspace.accounts import messages
from workspace.storage.database.compiled_function import refuse_while_compiling

OWNER, EDITOR, VIEWER = "owner", "editor", "viewer"
BY_PRODUCT = "some"  # editor or viewer of individual products
# Areas of tools that belong to no single product: shared by all members, where each sees their permitted products; for
# the account as a whole; or only for owners.
SHARED, WHOLE_ACCOUNT, OWNERS = "shared", "account", "owners"
SIGN_INS = "sign-in"  # area of changes of a person's sign-in, visible to owners and that person
_area_products: dict[str, set[str]] = {}


def register_area(tools: str, *products: str) -> None:
    """Register an area whose tools belong to several products."""
    _area_products.setdefault(tools, set()).update(products)


def area_products(tools: str) -> frozenset[str]:
    """Return the products of an area, or an empty set if the area is a single product."""
    return frozenset(_area_products.get(tools, ()))


def is_multi_product(tools: str) -> bool:
    return tools in _area_products


@dataclass(frozen=True, slots=True)
class PermissionScope:
    """A member's permissions. With the role `BY_PRODUCT`, `product_roles` has the role for each product."""

    role: str = OWNER
    product_roles: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def for_role(cls, role: str, product_roles: Mapping[str, str] | None) -> PermissionScope:
        return cls(role, frozenset((product_roles or {}).items()) if role == BY_PRODUCT else frozenset())

    def can_access(self, area: str, *, writes: bool = False) -> bool:
        """Return whether the scope allows an area.

        `area` is a product's key, an area (`register_area`), SHARED, WHOLE_ACCOUNT or OWNERS.
        """
        if self.role == OWNER:
            return True
        if area in (OWNERS, SIGN_INS) or self.role not in (EDITOR, VIEWER, BY_PRODUCT):
            return False
        if self.role != BY_PRODUCT:
            return self.role == EDITOR or not writes
        if area == SHARED:
            return not writes or EDITOR in dict(self.product_roles).values()
        products = area_products(area) or {area}
        return all(
            (one, EDITOR) in self.product_roles or (not writes and (one, VIEWER) in self.product_roles)
            for one in products
        )

    def describe(self) -> str:
        """Return a phrase such as `viewer`, or `editor of form, viewer of book`."""
        return ", ".join(f"{role} of {key}" for key, role in sorted(self.product_roles)) or self.role

    @property
    def can_change(self) -> bool:
        """True if the member can change anything."""
        return self.role in (OWNER, EDITOR) or EDITOR in dict(self.product_roles).values()

    @property
    def has_all_products(self) -> bool:
        """True if the scope includes every product."""
        return self.role in (OWNER, EDITOR, VIEWER)


FULL_SCOPE = PermissionScope()
_current_scope: ContextVar[PermissionScope] = ContextVar("current_scope", default=FULL_SCOPE)


@contextmanager
def use_scope(scope: PermissionScope) -> Iterator[None]:
    """Limit lists that cover all products to this scope inside the context."""
    token = _current_scope.set(scope)
    try:
        yield
    finally:
        _current_scope.reset(token)


def is_permitted(area: str, *, writes: bool = False) -> bool:
    """Return whether the current caller may read the area, or write to it.

    If there is no caller, as in a worker or on a guest page, everything is permitted.
    """
    refuse_while_compiling("the caller's scope")
    return _current_scope.get().can_access(area, writes=writes)


def permitted_products(products: Iterable[str]) -> list[str]:
    return [key for key in products if is_permitted(key)]


def parse_product_roles(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the valid roles among the chosen ones, keyed by product."""
    return {key: role for key, role in chosen.items() if role in (EDITOR, VIEWER)}


def denial_reason(scope: PermissionScope, area: str, title: str) -> str:
    """Return why an action is not permitted and who can change that. `title` is the product's title."""
    if area == OWNERS:
        return str(messages.OWNERS_ONLY)
    can_view = scope.can_access(area)
    if area in (SHARED, WHOLE_ACCOUNT):
        return str(messages.ACCOUNT_READ_ONLY if can_view else messages.ACCOUNT_DENIED)
    return str((messages.PRODUCT_READ_ONLY if can_view else messages.PRODUCT_DENIED)(product=title))
