"""What guests leave with an account's things: contacts, testimonials, answers. Each product says in its manifest what
it takes in, so that figures, search and the list of contacts know of it without asking the product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired

from django.db.models import Q, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account


class Left(TypedDict):
    """One of them: who left it, in their own words, and with which thing. `page` is below `/app`."""

    id: str
    name: str
    email: NotRequired[str]
    phone: NotRequired[str]
    note: NotRequired[str]
    at: str
    thing_id: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """`kind` and `noun` name one of them (`lead`), `title` what comes in, in the plural; `page` leads to all of them.
    `rows(account)` are those of things that are there, with `created_at` and the folded words `search`; `told` says one
    of them. `waits` are those that ask the owner for something, which `waiting` says in words that follow a number.
    `is_contact`: whether they are left for being written or called back."""

    kind: str
    noun: str
    title: str
    page: str
    rows: Callable[[Account], QuerySet[Any]]
    told: Callable[[Sequence[Any]], list[Left]]
    is_contact: bool = False
    waits: Q | None = None
    waiting: str = ""
