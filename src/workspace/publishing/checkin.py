"""Types that a product uses to take part in check-in.

Each product declares `checkin=CheckinSource(…)` in its manifest. `insights` combines them without importing a product.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from workspace.accounts.models import Account
from workspace.lib import name_key
from workspace.tools.tool import Tool

MAX_WORDS = 8
MIN_EMAIL_LETTERS = 3  # minimum length of an email address to search for
# Minimum number of digits to search for, and number of last digits that identify a phone number.
MIN_PHONE_DIGITS, MATCHING_PHONE_DIGITS = (
    4,
    7,
)


class CheckinState(StrEnum):
    """The state of a person at check-in, shown as a color and always in words."""

    GOOD = "good"
    SOON = "soon"  # staff should take a look, but need not turn the person away
    BAD = "bad"


class CheckinMatch(NamedTuple):
    name: str
    email: str = ""
    phone: str = ""


@dataclass(frozen=True, slots=True)
class CheckinSearch:
    """Search input: prefixes of words or of an email address, or digits of a phone number.

    `phone` starts with a plus if the text does. An empty search finds everyone who is expected.
    """

    words: tuple[str, ...] = ()
    email: str = ""
    phone: str = ""

    @classmethod
    def parse_text(cls, text: str) -> CheckinSearch:
        """Parse the input of the search field."""
        if "@" in text:
            return cls(email="".join(text.split()).casefold())
        found = extract_digits(text)
        if len(found) >= MIN_PHONE_DIGITS and not any(char.isalpha() for char in text):
            return cls(phone=f"+{found}" if text.strip().startswith("+") else found)
        return cls(words=name_key.split_words(text)[:MAX_WORDS])

    def __bool__(self) -> bool:
        return bool(self.words or self.email or self.phone)

    def matches_person(self, person: CheckinMatch) -> bool:
        """Return whether a person matches. In scripts without spaces, a word may match within a longer one."""
        if self.phone:
            return _is_phone_match(extract_digits(self.phone), extract_digits(person.phone))
        email = person.email.casefold()
        if self.email:
            return email.startswith(self.email)
        of_name = name_key.split_words(person.name)
        return all(
            any(word.startswith(one) or (not one.isascii() and one in word) for word in of_name)
            or (len(one) >= MIN_EMAIL_LETTERS and email.startswith(one))
            for one in self.words
        )


def extract_digits(text: str) -> str:
    """Convert the digits of any script to 0 to 9."""
    return "".join(str(unicodedata.decimal(char)) for char in text if char.isdecimal())


def _is_phone_match(typed: str, phone: str) -> bool:
    """Return whether the digits are part of a phone number.

    People give the start or the end of a number. Numbers match with and without their country code.
    """
    bare = typed.lstrip("0")
    if len(bare) >= MIN_PHONE_DIGITS and bare in phone:
        return True
    ours = phone.lstrip("0")
    return len(ours) >= MATCHING_PHONE_DIGITS and typed.endswith(ours)


@dataclass(frozen=True, slots=True)
class CheckinQuery:
    """People to look up, by the keys of their names (see `lib/name_key.py`) and by their email addresses."""

    keys: frozenset[str]
    emails: frozenset[str]

    def matches_person(self, person: CheckinMatch) -> bool:
        return name_key.build_key(person.name) in self.keys or (
            bool(person.email) and person.email.casefold() in self.emails
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinPerson:
    """A row of check-in for one person.

    `words` says the same as the color, `more` adds details, and `flags` are warnings for staff. `page` is below `/app`.
    `at` is when the person is expected today. `act` is the name of a CheckinAction that is run with `id`, or empty.
    """

    person: CheckinMatch
    state: CheckinState
    words: str
    page: str
    more: str = ""
    flags: Sequence[str] = ()
    at: datetime | None = None
    act: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class MissingItem:
    """The message for a person without an item, and the page that solves this: below `/app`, or for guests."""

    words: str
    url: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinAction:
    """An action that runs with one click: `tool` with `arguments(account, id)`, which raises NotFoundError.

    `done_message` is shown when it is done.
    """

    name: str
    label: str
    tool: Tool[Any]
    arguments: Callable[[Account, str], dict[str, Any]]
    done_message: str


class OfflineList(NamedTuple):
    """A list of the people of a day that works offline after it was opened once. `url` is below `/app`."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinSource:
    """The functions that a product provides for check-in.

    All take the account and its current day, and run a few bounded queries that do not get slower with more data.

    - `search_people`: the first people with a matching name, found through an index.
    - `people_for`: all data about these people.
    - `find_missing`: the item that people without one for that day are missing, or None if nothing is required.
    - `offline_lists`: lists of that day that work offline.
    """

    search_people: Callable[[Account, CheckinSearch, date], Sequence[CheckinMatch]]
    people_for: Callable[[Account, CheckinQuery, date], Sequence[CheckinPerson]]
    find_missing: Callable[[Account, date], MissingItem | None]
    actions: Sequence[CheckinAction] = ()
    offline_lists: Callable[[Account, date], Sequence[OfflineList]] = lambda account, day: ()


def format_day(day: date, today: date) -> str:
    """Format a day as `today`, `tomorrow`, `yesterday` or `on Tue 24 Nov`, with the year if it is not this year."""
    if (day - today).days in (-1, 0, 1):
        return {-1: "yesterday", 0: "today", 1: "tomorrow"}[(day - today).days]
    year = f" {day.year}" if day.year != today.year else ""
    return f"on {day:%a} {day.day} {day:%b}{year}"


def format_date(day: date) -> str:
    return f"{day.day} {day:%b} {day.year}"
