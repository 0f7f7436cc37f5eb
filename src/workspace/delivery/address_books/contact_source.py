"""The source of an account's contacts. Products register it, because they are above this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from workspace.accounts.models import Account
from workspace.lib.vcard import Contact


@dataclass(frozen=True, slots=True)
class ContactOffer:
    """Contacts that can be synchronized.

    `key` is the product, `title` the name shown to people. With `is_first`, it is selected by default."""

    key: str
    title: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A person who left contact details, and when they did.

    `digest` changes with the details. `contact` builds the contact on demand, because splitting a name into parts is
    slow.
    """

    id: str
    at: datetime
    name: str
    reachable_at: str
    digest: str
    contact: Callable[[], Contact]


@dataclass(frozen=True, slots=True)
class ContactSource:
    """The functions that list an account's contacts.

    `ids(account, key, since, most)` returns ids of submissions since then, newest first. `find_people(account, key,
    ids)` returns the people of those that still exist and can be contacted.
    """

    list_offers: Callable[[], Sequence[ContactOffer]]
    ids: Callable[[Account, str, datetime | None, int], Sequence[str]]
    find_people: Callable[[Account, str, Sequence[str]], Sequence[Person]]


_sources: list[ContactSource] = []


def register_source(source: ContactSource) -> None:
    """Register the source. Call it in the `ready` method of the app that provides it."""
    _sources[:] = [source]


def get_source() -> ContactSource:
    return _sources[0]
