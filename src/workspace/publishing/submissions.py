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

ALL_ROWS = Q()


class ContactFields(TypedDict, total=False):
    """How to reach who left it, and their own words."""

    email: str
    phone: str
    note: str


class Submission(ContactFields):
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
class SubmissionAction:
    """What an owner does with one of them where it is told, by one press: `tool` with `arguments(left)`. `name` is its
    word in addresses, `label` that of its button, `told` says that it is done. `only_waiting`: not offered once it
    waits no more. What reaches people (mail, telephone) needs no act: it follows from `ContactFields`."""

    name: str
    label: str
    tool: Tool[Any]
    arguments: Callable[[Submission], dict[str, Any]]
    done_message: str
    icon: str = "check"
    only_waiting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionSource:
    """`kind` and `noun` name one of them (`lead`), `title` what comes in, in the plural; `page` leads to all of them.
    `rows(account)` are those of things that are there, with `created_at` and the folded words `search`; `item_column`
    is their column with the thing that they were left with; `told` says them. `waiting_filter` are those that wait for
    the owner, `waiting_reason` says what for. `from_guests` are those that guests left, where owners add some too.
    `is_contact`: whether they are left for being written or called back. `word` is what owners call one, where it is
    not the noun; `action_phrase` goes on from a name: `left a review`. `actions` are what its owner does with one on
    the spot."""

    kind: str
    noun: str
    title: str
    page: str
    rows: Callable[[Account], QuerySet[Any]]
    item_column: str
    serialize: Callable[[Sequence[Any]], list[Submission]]
    is_contact: bool = False
    from_guests: Q = ALL_ROWS
    waiting_filter: Q | None = None
    waiting_reason: str = ""
    word: str = ""
    action_phrase: str = ""
    actions: Sequence[SubmissionAction] = ()

    def format_waiting(self, count: int) -> str:
        """`2 reviews wait for your decision`."""
        word, verb = (self.display_noun, "waits") if count == 1 else (f"{self.display_noun}s", "wait")
        return f"{count:,} {word} {verb} {self.waiting_reason}"

    @property
    def display_noun(self) -> str:
        return self.word or self.noun


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSource:
    """Whom owners keep lists of: the guests of a wedding. They are searched as what guests leave, and left nothing, so
    that no figure counts them. `kind` and `noun` name one of them; `search(account, words)` are some who have all of
    these folded words, the best first."""

    kind: str
    noun: str
    search: Callable[[Account, Sequence[str]], Sequence[Submission]]


def contact_fields(one: Submission) -> ContactFields:
    """Without what was left empty."""
    found: ContactFields = {}
    if email := one.get("email"):
        found["email"] = email
    if phone := one.get("phone"):
        found["phone"] = phone
    if note := one.get("note"):
        found["note"] = note
    return found


def format_contact(row: ContactFields) -> list[str]:
    """The same in words."""
    note = row.get("note", "")
    told = [escape_markdown(row.get("email", "")), escape_markdown(row.get("phone", ""))]
    return [part for part in (*told, f"“{escape_markdown(note)}”" if note else "") if part]
