"""CalDAV (RFC 4791, RFC 6764): which calendars there are at an address, what is in one, and an event put into one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from workspace.delivery.calendars.asking import MOST, Conversation, Trouble, in_words
from workspace.delivery.http import Reply
from workspace.delivery.models.calendar import Part

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET

MOST_PARTS = 50
MOST_EVENT = 256 * 1024  # bytes
LONGEST_NAME = 120
_DAV, _CAL, _CS = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}", "{http://calendarserver.org/ns/}"
_XML = {"Content-Type": "application/xml; charset=utf-8"}
_PROPS = (
    b'<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" '
    b'xmlns:s="http://calendarserver.org/ns/"><d:prop><d:resourcetype/><d:displayname/><d:current-user-principal/>'
    b"<d:current-user-privilege-set/><d:sync-token/><c:calendar-home-set/><c:supported-calendar-component-set/>"
    b"<s:getctag/></d:prop></d:propfind>"
)
_NOT_THERE = "There is no calendar server at this address. For a private address that ends in .ics, choose ICS"


@dataclass(frozen=True, slots=True)
class Thing:
    """What a server says of one address."""

    url: str
    props: ET.Element

    def is_a(self, name: str) -> bool:
        return self.props.find(f"{_DAV}resourcetype/{name}") is not None

    def text(self, name: str) -> str:
        return " ".join((self.props.findtext(name) or "").split())

    def href(self, name: str) -> str:
        return (self.props.findtext(f"{name}/{_DAV}href") or "").strip()

    @property
    def is_calendar(self) -> bool:
        """Of events: lists of tasks are calendars as well."""
        kinds = [one.get("name", "").upper() for one in self.props.iter(f"{_CAL}comp")]
        return self.is_a(f"{_CAL}calendar") and (not kinds or "VEVENT" in kinds)

    @property
    def tag(self) -> str:
        return (self.text(f"{_CS}getctag") or self.text(f"{_DAV}sync-token"))[:300]

    def part(self) -> Part:
        given = self.props.find(f"{_DAV}current-user-privilege-set")
        rights = {one.tag for one in given.iter()} if given is not None else set()
        writes = given is None or bool(rights & {f"{_DAV}all", f"{_DAV}write", f"{_DAV}write-content", f"{_DAV}bind"})
        name = self.text(f"{_DAV}displayname") or urlsplit(self.url).path.rstrip("/").rpartition("/")[2] or "Calendar"
        return {"url": self.url, "name": name[:LONGEST_NAME], "reads": True, "writes": writes}


def calendars_at(talk: Conversation, url: str) -> list[Part]:
    """Those that stand at an address: of one calendar, of all of somebody's, or only of the server. Raises Trouble."""
    begun = urlsplit(url)
    root = f"{begun.scheme}://{begun.netloc}"
    for place in dict.fromkeys((url, f"{root}/.well-known/caldav", f"{root}/")):
        here = _told(talk, place)
        if here is None:
            continue
        if here.is_calendar:
            return [here.part()]
        if found := _of(talk, here):
            return found
    raise Trouble(_NOT_THERE, lasts=True)


def _of(talk: Conversation, here: Thing) -> list[Part]:
    home = here.href(f"{_CAL}calendar-home-set")
    if not home and (principal := here.href(f"{_DAV}current-user-principal")):
        known = _told(talk, talk.joined(here.url, principal))
        home = known.href(f"{_CAL}calendar-home-set") if known is not None else ""
        here = known or here
    if not home and not here.is_a(f"{_DAV}collection"):
        return []
    place = talk.joined(here.url, home) if home else here.url
    found = [one.part() for one in _things(talk, place, depth=1) if one.is_calendar]
    return sorted(found, key=lambda part: (part["name"].casefold(), part["url"]))[:MOST_PARTS]


def tag_of(talk: Conversation, url: str) -> str:
    """What changes with the calendar; empty where the server does not tell. Raises Trouble."""
    here = _told(talk, url)
    if here is None:
        raise Trouble("This calendar is not there any more: choose again which ones count", lasts=True)
    return here.tag


def events_of(talk: Conversation, url: str, start: datetime, end: datetime) -> bytes:
    """The server's answer, unread: all that happens between the two. Raises Trouble."""
    span = " ".join(f'{name}="{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"' for name, at in (("start", start), ("end", end)))
    body = (
        '<?xml version="1.0" encoding="utf-8"?><c:calendar-query xmlns:d="DAV:" '
        'xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter>'
        f'<c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range {span}/></c:comp-filter>'
        "</c:comp-filter></c:filter></c:calendar-query>"
    ).encode()
    reply, _ = talk.ask("REPORT", url, body, {**_XML, "Depth": "1"}, most=MOST)
    if reply.status != 207:
        raise Trouble(in_words(reply.status), status=reply.status)
    return reply.body


def put(talk: Conversation, url: str, event: bytes, etag: str) -> str:
    """Write an event: a new one without an `etag`, else over the one that has it. The new tag, empty where the server
    does not tell. Raises Trouble; its status is 412 where something else stands there."""
    condition = _if_match(etag) if etag else {"If-None-Match": "*"}
    reply, _ = talk.ask("PUT", url, event, {"Content-Type": "text/calendar; charset=utf-8", **condition})
    if not 200 <= reply.status < 300:
        raise Trouble(in_words(reply.status), status=reply.status)
    return reply.headers.get("etag", "") or etag_of(talk, url)


def delete(talk: Conversation, url: str, etag: str) -> None:
    """Raises Trouble, also with 412 where somebody has changed it; what is gone already is gone."""
    reply, _ = talk.ask("DELETE", url, b"", _if_match(etag))
    if not (200 <= reply.status < 300 or reply.status in (404, 410)):
        raise Trouble(in_words(reply.status), status=reply.status)


def etag_of(talk: Conversation, url: str) -> str:
    """Of what stands there; empty for nothing. Raises Trouble."""
    reply, _ = talk.ask("GET", url, most=MOST_EVENT)
    return reply.headers.get("etag", "") if reply.status == 200 else ""


def _if_match(etag: str) -> dict[str, str]:
    """A weak tag never matches (RFC 9110, 13.1.1)."""
    return {"If-Match": etag} if etag and not etag.startswith("W/") else {}


def _told(talk: Conversation, url: str) -> Thing | None:
    return next(iter(_things(talk, url, depth=0)), None)


def _things(talk: Conversation, url: str, *, depth: int) -> list[Thing]:
    """None at all where nobody speaks CalDAV."""
    reply, place = talk.ask("PROPFIND", url, _PROPS, {**_XML, "Depth": str(depth)})
    if reply.status >= 500 or reply.status == 429:
        raise Trouble(in_words(reply.status), status=reply.status)
    return list(_read(talk, reply, place)) if reply.status == 207 else []


def _read(talk: Conversation, reply: Reply, place: str) -> Iterator[Thing]:
    import xml.etree.ElementTree as ET  # 2 MB, for those who have such a calendar

    try:
        text = reply.body.decode("utf-8-sig")
        if "<!DOCTYPE" in text:  # nothing is expanded or fetched for a stranger
            raise ValueError
        answers = ET.fromstring(text).findall(f"{_DAV}response")  # noqa: S314
    except (ValueError, ET.ParseError):
        raise Trouble("The server's answer is not CalDAV") from None
    for answer in answers:
        href = (answer.findtext(f"{_DAV}href") or "").strip()
        props = ET.Element("props")
        for told in answer.findall(f"{_DAV}propstat"):
            if " 200" in (told.findtext(f"{_DAV}status") or ""):
                props.extend(one for given in told.findall(f"{_DAV}prop") for one in given)
        if href and len(props):
            yield Thing(talk.joined(place, href), props)


def address_in(collection: str, subject: str) -> str:
    """Where an event of ours stands in a calendar."""
    return f"{collection.rstrip('/')}/{subject}.ics"
