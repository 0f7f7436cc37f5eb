"""CalDAV (RFC 4791): which calendars there are at an address, what is in one, and an event put into one."""

from __future__ import annotations

from datetime import UTC, datetime

from workspace.delivery.dav import webdav
from workspace.delivery.dav.client import Conversation, Trouble, in_words
from workspace.delivery.dav.webdav import DAV, Kind, Thing
from workspace.delivery.models.calendar import Part

MOST = 10 * 1024 * 1024  # bytes of a calendar
_CAL, _CS = "{urn:ietf:params:xml:ns:caldav}", "{http://calendarserver.org/ns/}"
_PROPS = (
    b'<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" '
    b'xmlns:s="http://calendarserver.org/ns/"><d:prop><d:resourcetype/><d:displayname/><d:current-user-principal/>'
    b"<d:current-user-privilege-set/><d:sync-token/><c:calendar-home-set/><c:supported-calendar-component-set/>"
    b"<s:getctag/></d:prop></d:propfind>"
)
_NOT_THERE = "There is no calendar server at this address. For a private address that ends in .ics, choose ICS"


def _is_calendar(here: Thing) -> bool:
    """Of events: lists of tasks are calendars as well."""
    kinds = [one.get("name", "").upper() for one in here.props.iter(f"{_CAL}comp")]
    return here.is_a(f"{_CAL}calendar") and (not kinds or "VEVENT" in kinds)


CALENDARS = Kind("caldav", f"{_CAL}calendar-home-set", _PROPS, _is_calendar)


def calendars_at(talk: Conversation, url: str) -> list[Part]:
    """Those that stand at an address: of one calendar, of all of somebody's, or only of the server. Raises Trouble."""
    found = [_part(one) for one in webdav.collections_at(talk, url, CALENDARS)]
    if not found:
        raise Trouble(_NOT_THERE, lasts=True)
    return sorted(found, key=lambda part: (part["name"].casefold(), part["url"]))


def _part(here: Thing) -> Part:
    return {"url": here.url, "name": here.name("Calendar"), "reads": True, "writes": here.writes}


def tag_of(talk: Conversation, url: str) -> str:
    """What changes with the calendar; empty where the server does not tell. Raises Trouble."""
    here = webdav.told(talk, url, _PROPS)
    if here is None:
        raise Trouble("This calendar is not there any more: choose again which ones count", lasts=True)
    return (here.text(f"{_CS}getctag") or here.text(f"{DAV}sync-token"))[:300]


def events_of(talk: Conversation, url: str, start: datetime, end: datetime) -> bytes:
    """The server's answer, unread: all that happens between the two. Raises Trouble."""
    span = " ".join(f'{name}="{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"' for name, at in (("start", start), ("end", end)))
    body = (
        '<?xml version="1.0" encoding="utf-8"?><c:calendar-query xmlns:d="DAV:" '
        'xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter>'
        f'<c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range {span}/></c:comp-filter>'
        "</c:comp-filter></c:filter></c:calendar-query>"
    ).encode()
    reply, _ = talk.ask("REPORT", url, body, {**webdav.XML, "Depth": "1"}, most=MOST)
    if reply.status != 207:
        raise Trouble(in_words(reply.status), status=reply.status)
    return reply.body


def put(talk: Conversation, url: str, event: bytes, etag: str) -> str:
    """As `webdav.put`."""
    return webdav.put(talk, url, event, "text/calendar", etag)


def address_in(collection: str, subject: str) -> str:
    """Where an event of ours stands in a calendar."""
    return webdav.address_in(collection, f"{subject}.ics")
