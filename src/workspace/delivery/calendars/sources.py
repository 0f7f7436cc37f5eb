"""What owns events of ours: booking, and whatever writes into people's calendars. A source says which ids are its own,
so that its events do not block their own time when they come back, and what is to stand in a calendar that bookings
are written into from now on."""

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
    """`subject` is the id that the UID of the event begins with; `page_id` whose calendars it goes into."""

    subject: str
    event: Event
    page_id: str = ""


@dataclass(frozen=True, slots=True)
class EventSource:
    """`own(account, ids)`: those among the ids that are the account's; `coming(account)`: what is yet to come;
    `list_pages(account)`: id and title of each thing whose times a calendar can block."""

    name: str
    find_own_ids: Callable[[Account, Collection[str]], Collection[str]]
    list_upcoming: Callable[[Account], Iterable[UpcomingEvent]]
    list_pages: Callable[[Account], Iterable[tuple[str, str]]] = lambda account: ()


_sources: dict[str, EventSource] = {}


def register_source(source: EventSource) -> EventSource:
    """In the `ready` of the app that owns it."""
    _sources[source.name] = source
    return source


def own_ids(account: Account, ids: Collection[str]) -> set[str]:
    """Those that are the account's own, of whatever source."""
    return {id for source in _sources.values() for id in source.find_own_ids(account, ids)} if ids else set()


def upcoming_events(account: Account) -> list[UpcomingEvent]:
    return [one for source in _sources.values() for one in source.list_upcoming(account)]


def list_pages(account: Account) -> list[tuple[str, str]]:
    return [one for source in _sources.values() for one in source.list_pages(account)]


def uid_host() -> str:
    """What stands behind the @ of our UIDs."""
    return urlsplit(settings.BASE_URL).hostname or "localhost"


def uid_hosts() -> list[str]:
    """Those that our UIDs have ended in: the base URL may have been another."""
    known = InstanceFact.get_value("base-url") or {}
    urls = [known.get("url", ""), *(one["url"] for one in known.get("earlier", []))]
    return sorted({uid_host(), *(name for name in (urlsplit(url).hostname for url in urls) if name)})
