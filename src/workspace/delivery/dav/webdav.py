"""What calendars (CalDAV) and address books (CardDAV) are alike in: collections found from an address (RFC 6764), and
one file put into a collection, or taken out of it (RFC 4918)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from workspace.delivery.dav.client import Conversation, Trouble, in_words
from workspace.http_client.client import Reply

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET

DAV = "{DAV:}"
MOST_COLLECTIONS = 50
MOST_FILE = 256 * 1024  # bytes
LONGEST_NAME = 120
XML = {"Content-Type": "application/xml; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class Thing:
    """What a server says of one address."""

    url: str
    props: ET.Element

    def is_a(self, name: str) -> bool:
        return self.props.find(f"{DAV}resourcetype/{name}") is not None

    def text(self, name: str) -> str:
        return " ".join((self.props.findtext(name) or "").split())

    def href(self, name: str) -> str:
        return (self.props.findtext(f"{name}/{DAV}href") or "").strip()

    def name(self, default: str) -> str:
        named = self.text(f"{DAV}displayname") or urlsplit(self.url).path.rstrip("/").rpartition("/")[2] or default
        return named[:LONGEST_NAME]

    @property
    def writes(self) -> bool:
        """Whether we may write into it; a server that does not say so is believed to take it."""
        given = self.props.find(f"{DAV}current-user-privilege-set")
        rights = {one.tag for one in given.iter()} if given is not None else set()
        return given is None or bool(rights & {f"{DAV}all", f"{DAV}write", f"{DAV}write-content", f"{DAV}bind"})


@dataclass(frozen=True, slots=True)
class Kind:
    """Collections of one kind: their `well_known` address, the property that leads to all of somebody's (`home`), what
    is asked of each (`props`, a PROPFIND), and which of those found are `wanted`."""

    well_known: str
    home: str
    props: bytes
    wanted: Callable[[Thing], bool]


def collections_at(talk: Conversation, url: str, kind: Kind) -> list[Thing]:
    """Those that stand at an address: of one collection, of all of somebody's, or only of the server; none where nobody
    speaks this protocol. Raises Trouble."""
    begun = urlsplit(url)
    root = f"{begun.scheme}://{begun.netloc}"
    for place in dict.fromkeys((url, f"{root}/.well-known/{kind.well_known}", f"{root}/")):
        here = told(talk, place, kind.props)
        if here is None:
            continue
        if kind.wanted(here):
            return [here]
        if found := _of(talk, here, kind):
            return found[:MOST_COLLECTIONS]
    return []


def _of(talk: Conversation, here: Thing, kind: Kind) -> list[Thing]:
    home = here.href(kind.home)
    if not home and (principal := here.href(f"{DAV}current-user-principal")):
        known = told(talk, talk.joined(here.url, principal), kind.props)
        home = known.href(kind.home) if known is not None else ""
        here = known or here
    if not home and not here.is_a(f"{DAV}collection"):
        return []
    place = talk.joined(here.url, home) if home else here.url
    return [one for one in things(talk, place, kind.props, depth=1) if kind.wanted(one)]


def told(talk: Conversation, url: str, props: bytes) -> Thing | None:
    return next(iter(things(talk, url, props, depth=0)), None)


def things(talk: Conversation, url: str, props: bytes, *, depth: int) -> list[Thing]:
    """None at all where nobody speaks this protocol."""
    reply, place = talk.ask("PROPFIND", url, props, {**XML, "Depth": str(depth)})
    if reply.status >= 500 or reply.status == 429:
        raise Trouble(in_words(reply.status), status=reply.status)
    return list(_read(talk, reply, place)) if reply.status == 207 else []


def _read(talk: Conversation, reply: Reply, place: str) -> Iterator[Thing]:
    import xml.etree.ElementTree as ET  # noqa: PLC0415 - 2 MB, for those who have connected something

    try:
        text = reply.body.decode("utf-8-sig")
        if "<!DOCTYPE" in text:  # nothing is expanded or fetched for a stranger
            raise ValueError
        answers = ET.fromstring(text).findall(f"{DAV}response")  # noqa: S314
    except (ValueError, ET.ParseError):
        raise Trouble("The server's answer cannot be read") from None
    for answer in answers:
        href = (answer.findtext(f"{DAV}href") or "").strip()
        props = ET.Element("props")
        for one in answer.findall(f"{DAV}propstat"):
            if " 200" in (one.findtext(f"{DAV}status") or ""):
                props.extend(prop for given in one.findall(f"{DAV}prop") for prop in given)
        if href and len(props):
            yield Thing(talk.joined(place, href), props)


def put(talk: Conversation, url: str, content: bytes, media_type: str, etag: str) -> str:
    """Write a file: a new one without an `etag`, else over the one that has it. The new tag, empty where the server
    does not tell. Raises Trouble; its status is 412 where something else stands there."""
    condition = _if_match(etag) if etag else {"If-None-Match": "*"}
    reply, _ = talk.ask("PUT", url, content, {"Content-Type": f"{media_type}; charset=utf-8", **condition})
    if not 200 <= reply.status < 300:
        raise Trouble(in_words(reply.status), status=reply.status)
    return reply.headers.get("etag", "") or there(talk, url)[0]


def delete(talk: Conversation, url: str, etag: str) -> None:
    """Raises Trouble, also with 412 where somebody has changed it; what is gone already is gone."""
    reply, _ = talk.ask("DELETE", url, headers=_if_match(etag))
    if not 200 <= reply.status < 300 and reply.status not in (404, 410):
        raise Trouble(in_words(reply.status), status=reply.status)


def there(talk: Conversation, url: str) -> tuple[str, bytes]:
    """The tag of what stands at an address, and it; both empty for nothing. Raises Trouble."""
    reply, _ = talk.ask("GET", url, most=MOST_FILE)
    return (reply.headers.get("etag", ""), reply.body) if reply.status == 200 else ("", b"")


def _if_match(etag: str) -> dict[str, str]:
    """A weak tag never matches (RFC 9110, 13.1.1)."""
    return {"If-Match": etag} if etag and not etag.startswith("W/") else {}


def address_in(collection: str, file: str) -> str:
    return f"{collection.rstrip('/')}/{file}"
