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
SOME = "some"  # as editor or viewer of named products
# whose a tool is that is no product's: everybody's, which narrows itself to what they reach; the account's as a whole;
# or the owners', who decide over the account
SHARED, WHOLE, OWNERS = "shared", "account", "owners"
SIGN_INS = "sign-in"  # whose a line of the activity is that tells of somebody's sign-in: the owners', and their own
_along: dict[str, set[str]] = {}


def go_along(tools: str, *products: str) -> None:
    """Tools that are no product's own, under a name of theirs, are about these products."""
    _along.setdefault(tools, set()).update(products)


def along(tools: str) -> frozenset[str]:
    """The products that tools under a name of their own are about; none for a product's."""
    return frozenset(_along.get(tools, ()))


def is_several(tools: str) -> bool:
    return tools in _along


@dataclass(frozen=True, slots=True)
class Reach:
    """A member's role; with `SOME`, `held` names products with the role of each."""

    role: str = OWNER
    held: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, role: str, held: Mapping[str, str] | None) -> Reach:
        return cls(role, frozenset((held or {}).items()) if role == SOME else frozenset())

    def may(self, whose: str, *, writes: bool = False) -> bool:
        """The table. `whose`: a product's key, a name of several (`go_along`), SHARED, WHOLE or OWNERS."""
        if self.role == OWNER:
            return True
        if whose in (OWNERS, SIGN_INS) or self.role not in (EDITOR, VIEWER, SOME):
            return False
        if self.role != SOME:
            return self.role == EDITOR or not writes
        if whose == SHARED:
            return not writes or EDITOR in dict(self.held).values()
        products = along(whose) or {whose}
        return all((one, EDITOR) in self.held or (not writes and (one, VIEWER) in self.held) for one in products)

    def said(self) -> str:
        """In words: `viewer`, or `editor of form, viewer of book`."""
        return ", ".join(f"{role} of {key}" for key, role in sorted(self.held)) or self.role

    @property
    def changes_something(self) -> bool:
        """Whether there is anything that they may change."""
        return self.role in (OWNER, EDITOR) or EDITOR in dict(self.held).values()

    @property
    def is_whole(self) -> bool:
        """Whether every product is in it."""
        return self.role in (OWNER, EDITOR, VIEWER)


EVERYTHING = Reach()
_reach: ContextVar[Reach] = ContextVar("reach", default=EVERYTHING)


@contextmanager
def reaching(reach: Reach) -> Iterator[None]:
    """Within it, what shows things of all products shows those in reach."""
    token = _reach.set(reach)
    try:
        yield
    finally:
        _reach.reset(token)


def reaches(whose: str, *, writes: bool = False) -> bool:
    """Whether who asks just now may look at it, or change it. Where nobody in particular does (a worker, a guest's
    page) nothing is out of reach."""
    return _reach.get().may(whose, writes=writes)


def in_reach(products: Iterable[str]) -> list[str]:
    return [key for key in products if reaches(key)]


def held(chosen: Mapping[str, str]) -> dict[str, str]:
    """What is kept of a choice by product: those that may be looked at or changed."""
    return {key: role for key, role in chosen.items() if role in (EDITOR, VIEWER)}


def refused(reach: Reach, whose: str, title: str) -> str:
    """Why somebody may not do something, and who can change that; `title` is the product's."""
    if whose == OWNERS:
        return "That is for an owner of the account: ask one"
    if whose in (SHARED, WHOLE):
        title, other = "this account", "That is of the account as a whole"
    else:
        other = f"{title} is not among what you work with"
    what = f"You may look at {title}, not change it" if reach.may(whose) else other
    return f"{what}: an owner of the account can give you more, on Members"
