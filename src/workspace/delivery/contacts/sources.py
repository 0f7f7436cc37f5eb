"""Whose contacts there are: told from above, since products stand there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from workspace.accounts.models import Account
from workspace.lib.vcard import Contact


@dataclass(frozen=True, slots=True)
class Offer:
    """What of an account can go: `key` of its product, `title` for people; `is_first` goes at first."""

    key: str
    title: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who can be reached, by what they left and when. `digest` differs where that does; `contact` draws it
    up, since taking a name apart takes longer than all else."""

    id: str
    at: datetime
    name: str
    reachable_at: str
    digest: str
    contact: Callable[[], Contact]


@dataclass(frozen=True, slots=True)
class ContactSource:
    """`ids(account, key, since, most)`: of what was left since then, the newest first; `find_people(account, key,
    ids)`: who can be reached of these, and is still there."""

    list_offers: Callable[[], Sequence[Offer]]
    ids: Callable[[Account, str, datetime | None, int], Sequence[str]]
    find_people: Callable[[Account, str, Sequence[str]], Sequence[Person]]


_sources: list[ContactSource] = []


def register_source(source: ContactSource) -> None:
    """In the `ready` of the app that knows."""
    _sources[:] = [source]


def get_source() -> ContactSource:
    return _sources[0]
