"""What a product knows of who stands at the door. Each says it in its manifest, `door=Door(…)`; what joins them looks
into no product (`checkin_search.py`)."""

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
MIN_EMAIL_LETTERS = 3  # from which an e-mail address is looked for
MIN_PHONE_DIGITS, MATCHING_PHONE_DIGITS = (
    4,
    7,
)  # from which a number is looked for, and those at its end by which two are one


class CheckinState(StrEnum):
    """A colour, which words always say as well."""

    GOOD = "good"
    SOON = "soon"  # somebody should look, and nobody is turned away
    BAD = "bad"


class CheckinMatch(NamedTuple):
    name: str
    email: str = ""
    phone: str = ""


@dataclass(frozen=True, slots=True)
class CheckinSearch:
    """What was typed: the beginnings of the words of a name or of an e-mail address, or digits of a telephone number
    (`phone`, with a plus where one was typed). Empty: whoever is expected."""

    words: tuple[str, ...] = ()
    email: str = ""
    phone: str = ""

    @classmethod
    def parse_text(cls, text: str) -> CheckinSearch:
        if "@" in text:
            return cls(email="".join(text.split()).casefold())
        found = extract_digits(text)
        if len(found) >= MIN_PHONE_DIGITS and not any(char.isalpha() for char in text):
            return cls(phone=f"+{found}" if text.strip().startswith("+") else found)
        return cls(words=name_key.split_words(text)[:MAX_WORDS])

    def __bool__(self) -> bool:
        return bool(self.words or self.email or self.phone)

    def matches_person(self, person: CheckinMatch) -> bool:
        """Scripts without spaces have words to look into."""
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
    """Those of any script, as 0 to 9."""
    return "".join(str(unicodedata.decimal(char)) for char in text if char.isdecimal())


def _is_phone_match(typed: str, whole: str) -> bool:
    """Whether digits are a piece of a number, wherever they stand in it: people say its beginning or its end. One that
    is written with its country and one without end alike."""
    bare = typed.lstrip("0")
    if len(bare) >= MIN_PHONE_DIGITS and bare in whole:
        return True
    ours = whole.lstrip("0")
    return len(ours) >= MATCHING_PHONE_DIGITS and typed.endswith(ours)


@dataclass(frozen=True, slots=True)
class CheckinQuery:
    """People who were found, by the keys of their names (`lib/name_key.py`) and by their e-mail addresses."""

    keys: frozenset[str]
    emails: frozenset[str]

    def matches_person(self, person: CheckinMatch) -> bool:
        return name_key.build_key(person.name) in self.keys or (
            bool(person.email) and person.email.casefold() in self.emails
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinPerson:
    """A line of one person. `words` tell it without its colour; `more` is beside them, `flags` is what somebody at the
    door should read. `page` is below `/app`. `at`: when today they are expected. `act` is the name of one of the door's
    acts, done with `id`; empty for none."""

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
    """What is said of who has none, and where that is mended: the page below `/app`, or one for guests."""

    words: str
    url: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinAction:
    """By one press: `tool` with `arguments(account, id)`, which raises NotFound. `done_message` says that it is
    done."""

    name: str
    label: str
    tool: Tool[Any]
    arguments: Callable[[Account, str], dict[str, Any]]
    done_message: str


class OfflineList(NamedTuple):
    """A list of who comes that day, which works without a connection once it was opened; `url` is below `/app`."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinSource:
    """All take the account and its day, ask the database a few bounded questions, and cost the same however much there
    is.

    found   who is called so: the first of them, by an index
    of      all that is known of these people
    asks    what is missing of who has none; None where nothing is asked for that day
    kept    the lists of that day that work without a connection
    """

    search_people: Callable[[Account, CheckinSearch, date], Sequence[CheckinMatch]]
    people_for: Callable[[Account, CheckinQuery, date], Sequence[CheckinPerson]]
    find_missing: Callable[[Account, date], MissingItem | None]
    actions: Sequence[CheckinAction] = ()
    offline_lists: Callable[[Account, date], Sequence[OfflineList]] = lambda account, day: ()


def format_day(day: date, today: date) -> str:
    """`today`, `tomorrow`, `on Tue 24 Nov`, and with the year where that is another."""
    if (day - today).days in (-1, 0, 1):
        return {-1: "yesterday", 0: "today", 1: "tomorrow"}[(day - today).days]
    year = f" {day.year}" if day.year != today.year else ""
    return f"on {day:%a} {day.day} {day:%b}{year}"


def format_date(day: date) -> str:
    return f"{day.day} {day:%b} {day.year}"
