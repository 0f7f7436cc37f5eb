"""Guest submissions: contacts, reviews, answers.

Each product declares its kinds in its manifest, for statistics, search and the list of contacts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired

from django.db.models import Q, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.text import escape_markdown
from workspace.storage.database.compiled_function import QueryConstant
from workspace.tools.tool import Tool

ALL_ROWS = Q()


class ContactFields(TypedDict, total=False):
    """A guest's contact data, and their message."""

    email: str
    phone: str
    note: str


class Submission(ContactFields):
    """A submission, with its guest and its item.

    `at` is empty if nothing was submitted. `page` is below `/app`. `rating` is from 1 to 5, and `consent` is the text
    that the guest agreed to.
    """

    id: str
    name: str
    at: str
    thing_id: str
    page: str
    rating: NotRequired[int]
    consent: NotRequired[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionAction:
    """An action that an owner can run on a submission with one click: `tool` with `arguments(submission)`.

    `name` is used in URLs and `label` on the button. `done_message` is shown afterwards. With `only_waiting`, it is
    offered only for waiting submissions. Email and phone links need no action, because they follow from
    `ContactFields`.
    """

    name: str
    label: str
    tool: Tool[Any]
    arguments: Callable[[Submission], dict[str, Any]]
    done_message: str
    icon: str = "check"
    only_waiting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubmissionSource(QueryConstant):
    """A kind of submission.

    - `kind`, `noun`: names of one submission (`lead`).
    - `title`: its name in the plural.
    - `page`: the page with all of them.
    - `rows`: returns the account's rows of items that are not deleted, with `created_at` and the normalized text
      `search`. It is compiled once, so it must not read attributes of the account.
    - `within_limit`, `is_limited`: condition for rows within the plan's limit, and whether the account has one.
    - `item_column`: column of the rows that refers to the item.
    - `serialize`: converts rows to submissions.
    - `is_contact`: whether guests expect an answer or a call.
    - `from_guests`: the condition for rows that guests submitted, if owners can add some, too.
    - `waiting_filter`, `waiting_reason`: which rows wait for the owner, and for what.
    - `word`: the owner's name for a submission, if it is not the noun.
    - `action_phrase`: continues a sentence after a name: `left a review`.
    - `actions`: what the owner can do with a submission immediately.
    """

    kind: str
    noun: str
    title: str
    page: str
    rows: Callable[[Account], QuerySet[Any]]
    within_limit: Q = ALL_ROWS
    is_limited: Callable[[Account], bool] = lambda account: False
    item_column: str
    serialize: Callable[[Sequence[Any]], list[Submission]]
    is_contact: bool = False
    from_guests: Q = ALL_ROWS
    waiting_filter: Q | None = None
    waiting_reason: str = ""
    word: str = ""
    action_phrase: str = ""
    actions: Sequence[SubmissionAction] = ()

    def list_rows(self, account: Account) -> QuerySet[Any]:
        """Return those of the account's rows that its plan includes."""
        return self.select_rows(account, limited=self.is_limited(account))

    def select_rows(self, account: Account, *, limited: bool) -> QuerySet[Any]:
        """Return the account's rows, or only those within the plan's limit if `limited`."""
        rows = self.rows(account)
        return rows.filter(self.within_limit) if limited else rows

    def format_waiting(self, count: int, *, is_more: bool = False) -> str:
        """Return a phrase such as `2 reviews wait for your decision`, or `2 more reviews wait…` after others."""
        word, verb = (self.display_noun, "waits") if count == 1 else (f"{self.display_noun}s", "wait")
        return f"{count:,}{' more' if is_more else ''} {word} {verb} {self.waiting_reason}"

    @property
    def display_noun(self) -> str:
        return self.word or self.noun


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSource:
    """A list of people that owners manage, such as the guests of a wedding.

    They are searched like submissions, but not counted as such. `kind` and `noun` name one person. `search(account,
    words)` returns some people who match all normalized words, best first.
    """

    kind: str
    noun: str
    search: Callable[[Account, Sequence[str]], Sequence[Submission]]


def contact_fields(submission: Submission) -> ContactFields:
    """Return the contact fields that are not empty."""
    found: ContactFields = {}
    if email := submission.get("email"):
        found["email"] = email
    if phone := submission.get("phone"):
        found["phone"] = phone
    if note := submission.get("note"):
        found["note"] = note
    return found


def format_contact(row: ContactFields) -> list[str]:
    """Return the contact fields as Markdown."""
    note = row.get("note", "")
    texts = [escape_markdown(row.get("email", "")), escape_markdown(row.get("phone", ""))]
    return [part for part in (*texts, f"“{escape_markdown(note)}”" if note else "") if part]
