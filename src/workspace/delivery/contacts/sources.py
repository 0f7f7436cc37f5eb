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
    reached: str
    digest: str
    contact: Callable[[], Contact]


@dataclass(frozen=True, slots=True)
class Source:
    """`ids(account, key, since, most)`: of what was left since then, the newest first; `found(account, key, ids)`: who
    can be reached of these, and is still there."""

    offered: Callable[[], Sequence[Offer]]
    ids: Callable[[Account, str, datetime | None, int], Sequence[str]]
    found: Callable[[Account, str, Sequence[str]], Sequence[Person]]


_sources: list[Source] = []


def register(source: Source) -> None:
    """In the `ready` of the app that knows."""
    _sources[:] = [source]


def source() -> Source:
    return _sources[0]
