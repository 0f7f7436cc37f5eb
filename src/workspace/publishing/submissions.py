"""What guests leave with an account's things: contacts, testimonials, answers. Each product says in its manifest what
it takes in, so that figures, search and the list of contacts know of it without asking the product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired

from django.db.models import Q, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.text import escape_markdown
from workspace.tools.tool import Tool

EVERY = Q()


class Reach(TypedDict, total=False):
    """How to reach who left it, and their own words."""

    email: str
    phone: str
    note: str


class Left(Reach):
    """One of them: who left it, and with which thing. `at` is empty for who left nothing; `page` is below `/app`;
    `rating` is of five stars, `consent` the words that they agreed to."""

    id: str
    name: str
    at: str
    thing_id: str
    page: str
    rating: NotRequired[int]
    consent: NotRequired[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What an owner does with one of them where it is told, by one press: `tool` with `arguments(left)`. `name` is its
    word in addresses, `label` that of its button, `told` says that it is done. `only_waiting`: not offered once it
    waits no more. What reaches people (mail, telephone) needs no act: it follows from `Reach`."""

    name: str
    label: str
    tool: Tool[Any]
    arguments: Callable[[Left], dict[str, Any]]
    told: str
    icon: str = "check"
    only_waiting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """`kind` and `noun` name one of them (`lead`), `title` what comes in, in the plural; `page` leads to all of them.
    `rows(account)` are those of things that are there, with `created_at` and the folded words `search`; `of` is their
    column with the thing that they were left with; `told` says them. `waits` are those that wait for the owner,
    `waiting` says what for. `came` are those that guests left, where owners add some too. `is_contact`: whether they
    are left for being written or called back. `word` is what owners call one, where it
    is not the noun; `did` goes on from a name: `left a review`. `acts` are what its owner
    does with one on the spot."""

    kind: str
    noun: str
    title: str
    page: str
    rows: Callable[[Account], QuerySet[Any]]
    of: str
    told: Callable[[Sequence[Any]], list[Left]]
    is_contact: bool = False
    came: Q = EVERY
    waits: Q | None = None
    waiting: str = ""
    word: str = ""
    did: str = ""
    acts: Sequence[Act] = ()

    def waits_told(self, count: int) -> str:
        """`2 reviews wait for your decision`."""
        word, verb = (self.called, "waits") if count == 1 else (f"{self.called}s", "wait")
        return f"{count:,} {word} {verb} {self.waiting}"

    @property
    def called(self) -> str:
        return self.word or self.noun


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Whom owners keep lists of: the guests of a wedding. They are searched as what guests leave, and left nothing, so
    that no figure counts them. `kind` and `noun` name one of them; `found(account, words)` are some who have all of
    these folded words, the best first."""

    kind: str
    noun: str
    found: Callable[[Account, Sequence[str]], Sequence[Left]]


def reach(one: Left) -> Reach:
    """Without what was left empty."""
    found: Reach = {}
    if email := one.get("email"):
        found["email"] = email
    if phone := one.get("phone"):
        found["phone"] = phone
    if note := one.get("note"):
        found["note"] = note
    return found


def reach_line(row: Reach) -> list[str]:
    """The same in words."""
    note = row.get("note", "")
    told = [escape_markdown(row.get("email", "")), escape_markdown(row.get("phone", ""))]
    return [part for part in (*told, f"“{escape_markdown(note)}”" if note else "") if part]
