"""CalDAV (RFC 4791): finding the calendars at a URL, reading their events and writing an event."""

from __future__ import annotations

from datetime import UTC, datetime

from workspace.delivery import messages
from workspace.delivery.dav import webdav
from workspace.delivery.dav.client import DavError, DavSession, describe_status
from workspace.delivery.dav.webdav import DAV, CollectionKind, Resource
from workspace.delivery.models.calendar import CalendarPart
from workspace.owner_translation import owner_gettext

MAX_CALENDAR_BYTES = 10 * 1024 * 1024
_CAL, _CS = "{urn:ietf:params:xml:ns:caldav}", "{http://calendarserver.org/ns/}"
_PROPS = (
    b'<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" '
    b'xmlns:s="http://calendarserver.org/ns/"><d:prop><d:resourcetype/><d:displayname/><d:current-user-principal/>'
    b"<d:current-user-privilege-set/><d:sync-token/><c:calendar-home-set/><c:supported-calendar-component-set/>"
    b"<s:getctag/></d:prop></d:propfind>"
)


def _is_calendar(resource: Resource) -> bool:
    """Return whether a resource is a calendar with events, because task lists are calendars too."""
    kinds = [one.get("name", "").upper() for one in resource.props.iter(f"{_CAL}comp")]
    return resource.has_type(f"{_CAL}calendar") and (not kinds or "VEVENT" in kinds)


CALENDARS = CollectionKind("caldav", f"{_CAL}calendar-home-set", _PROPS, _is_calendar)


def find_calendars(session: DavSession, url: str) -> list[CalendarPart]:
    """Return the calendars at a URL, sorted by name.

    The URL may belong to one calendar, to a user or to the server. Raise DavError if there are none.
    """
    found = [_part_data(one) for one in webdav.find_collections(session, url, CALENDARS)]
    if not found:
        raise DavError(messages.NO_CALENDAR_SERVER, is_permanent=True)
    return sorted(found, key=lambda part: (part["name"].casefold(), part["url"]))


def _part_data(resource: Resource) -> CalendarPart:
    return {
        "url": resource.url,
        "name": resource.display_name(owner_gettext("Calendar")),
        "reads": True,
        "writes": resource.is_writable,
    }


def fetch_tag(session: DavSession, url: str) -> str:
    """Return a tag that changes with the calendar, or "" if the server sends none.

    Raise DavError if the calendar no longer exists or cannot be reached.
    """
    here = webdav.fetch_resource(session, url, _PROPS)
    if here is None:
        raise DavError(messages.CALENDAR_IS_GONE, is_permanent=True)
    return (here.text(f"{_CS}getctag") or here.text(f"{DAV}sync-token"))[:300]


def fetch_events(session: DavSession, url: str, start: datetime, end: datetime) -> bytes:
    """Return the server's unparsed response with all events between two times. Raise DavError on failure."""
    span = " ".join(f'{name}="{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"' for name, at in (("start", start), ("end", end)))
    body = (
        '<?xml version="1.0" encoding="utf-8"?><c:calendar-query xmlns:d="DAV:" '
        'xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter>'
        f'<c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range {span}/></c:comp-filter>'
        "</c:comp-filter></c:filter></c:calendar-query>"
    ).encode()
    reply, _ = session.request("REPORT", url, body, {**webdav.XML_HEADERS, "Depth": "1"}, max_bytes=MAX_CALENDAR_BYTES)
    if reply.status != 207:
        raise DavError(describe_status(reply.status), status=reply.status)
    return reply.body


def put(session: DavSession, url: str, event: bytes, etag: str) -> str:
    """Write an event as `webdav.put` does."""
    return webdav.put(session, url, event, "text/calendar", etag)


def event_url(collection: str, subject: str) -> str:
    """Return the URL of one of our events in a calendar."""
    return webdav.file_url(collection, f"{subject}.ics")
