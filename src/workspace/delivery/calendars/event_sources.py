"""Sources of our events, such as bookings.

A source identifies its own events, so that they do not block their own time when they are read back. It also lists
upcoming events for a newly connected calendar."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

from workspace.accounts.models import Account
from workspace.lib.ics import Event
from workspace.storage.models import InstanceFact


@dataclass(frozen=True, slots=True)
class UpcomingEvent:
    """An upcoming event of the account.

    `subject` is the id at the start of the event's UID. `page_id` selects the calendars that it is written to.
    """

    subject: str
    event: Event
    page_id: str = ""


@dataclass(frozen=True, slots=True)
class EventSource:
    """A source of events.

    `find_own_ids(account, ids)` returns those of the ids that belong to the account. `list_upcoming(account)`
    returns its upcoming events. `list_pages(account)` returns the id and title of each item that calendars can
    block."""

    name: str
    find_own_ids: Callable[[Account, Collection[str]], Collection[str]]
    list_upcoming: Callable[[Account], Iterable[UpcomingEvent]]
    list_pages: Callable[[Account], Iterable[tuple[str, str]]] = lambda account: ()


_sources: dict[str, EventSource] = {}


def register_source(source: EventSource) -> EventSource:
    """Register a source. Call it in the `ready` method of the app that owns the events."""
    _sources[source.name] = source
    return source


def filter_own_ids(account: Account, ids: Collection[str]) -> set[str]:
    """Return those of the ids that belong to the account, from all sources."""
    return {id for source in _sources.values() for id in source.find_own_ids(account, ids)} if ids else set()


def upcoming_events(account: Account) -> list[UpcomingEvent]:
    """Return the upcoming events of an account, from all sources."""
    return [one for source in _sources.values() for one in source.list_upcoming(account)]


def list_pages(account: Account) -> list[tuple[str, str]]:
    """Return the id and title of all items whose times calendars can block."""
    return [one for source in _sources.values() for one in source.list_pages(account)]


def uid_host() -> str:
    """Return the part of our UIDs after the @."""
    return urlsplit(settings.BASE_URL).hostname or "localhost"


def uid_hosts() -> list[str]:
    """Return all hosts that our UIDs have ever contained, including those of earlier base URLs."""
    known = InstanceFact.get_value("base-url") or {}
    urls = [known.get("url", ""), *(one["url"] for one in known.get("earlier", []))]
    return sorted({uid_host(), *(name for name in (urlsplit(url).hostname for url in urls) if name)})
