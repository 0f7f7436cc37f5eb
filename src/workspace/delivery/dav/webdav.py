"""WebDAV as used by CalDAV and CardDAV.

Collections are discovered from a URL (RFC 6764), and files are written to or removed from a collection (RFC 4918)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from workspace.delivery import messages
from workspace.delivery.dav.client import DavError, DavSession, describe_status
from workspace.http_client.client import Reply

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET

DAV = "{DAV:}"
MAX_COLLECTIONS = 50
MAX_FILE_BYTES = 256 * 1024
MAX_NAME_LENGTH = 120
XML_HEADERS = {"Content-Type": "application/xml; charset=utf-8"}


@dataclass(frozen=True, slots=True)
class Resource:
    """The properties that a server returned for one URL."""

    url: str
    props: ET.Element

    def has_type(self, name: str) -> bool:
        return self.props.find(f"{DAV}resourcetype/{name}") is not None

    def text(self, name: str) -> str:
        return " ".join((self.props.findtext(name) or "").split())

    def href(self, name: str) -> str:
        return (self.props.findtext(f"{name}/{DAV}href") or "").strip()

    def display_name(self, default: str) -> str:
        named = self.text(f"{DAV}displayname") or urlsplit(self.url).path.rstrip("/").rpartition("/")[2] or default
        return named[:MAX_NAME_LENGTH]

    @property
    def is_writable(self) -> bool:
        """True if we may write to it. A server that lists no privileges is assumed to allow writing."""
        given = self.props.find(f"{DAV}current-user-privilege-set")
        rights = {one.tag for one in given.iter()} if given is not None else set()
        return given is None or bool(rights & {f"{DAV}all", f"{DAV}write", f"{DAV}write-content", f"{DAV}bind"})


@dataclass(frozen=True, slots=True)
class CollectionKind:
    """A kind of collection.

    `well_known` is its well-known path. `home` is the property with the URL of a user's collections. `props` is the
    body of the PROPFIND request. `is_wanted` selects collections of this kind.
    """

    well_known: str
    home: str
    props: bytes
    is_wanted: Callable[[Resource], bool]


def find_collections(session: DavSession, url: str, kind: CollectionKind) -> list[Resource]:
    """Return the collections at a URL, which may belong to one collection, to a user or to the server.

    Return an empty list if the server does not support the protocol. Raise DavError on failure.
    """
    begun = urlsplit(url)
    root = f"{begun.scheme}://{begun.netloc}"
    for place in dict.fromkeys((url, f"{root}/.well-known/{kind.well_known}", f"{root}/")):
        here = fetch_resource(session, place, kind.props)
        if here is None:
            continue
        if kind.is_wanted(here):
            return [here]
        if found := _list_home_collections(session, here, kind):
            return found[:MAX_COLLECTIONS]
    return []


def _list_home_collections(session: DavSession, resource: Resource, kind: CollectionKind) -> list[Resource]:
    home = resource.href(kind.home)
    if not home and (principal := resource.href(f"{DAV}current-user-principal")):
        known = fetch_resource(session, session.resolve_url(resource.url, principal), kind.props)
        home = known.href(kind.home) if known is not None else ""
        resource = known or resource
    if not home and not resource.has_type(f"{DAV}collection"):
        return []
    place = session.resolve_url(resource.url, home) if home else resource.url
    return [one for one in fetch_resources(session, place, kind.props, depth=1) if kind.is_wanted(one)]


def fetch_resource(session: DavSession, url: str, props: bytes) -> Resource | None:
    """Return a resource, or None if the server does not support WebDAV at this URL."""
    return next(iter(fetch_resources(session, url, props, depth=0)), None)


def fetch_resources(session: DavSession, url: str, props: bytes, *, depth: int) -> list[Resource]:
    """Return the resources at a URL, or an empty list if the server does not support WebDAV."""
    reply, place = session.request("PROPFIND", url, props, {**XML_HEADERS, "Depth": str(depth)})
    if reply.status >= 500 or reply.status == 429:
        raise DavError(describe_status(reply.status), status=reply.status)
    return list(_parse_multistatus(session, reply, place)) if reply.status == 207 else []


def _parse_multistatus(session: DavSession, reply: Reply, place: str) -> Iterator[Resource]:
    import xml.etree.ElementTree as ET  # noqa: PLC0415 - 2 MB, needed only by accounts with a connection

    try:
        text = reply.body.decode("utf-8-sig")
        if "<!DOCTYPE" in text:  # untrusted XML: no entity is expanded or fetched
            raise ValueError
        answers = ET.fromstring(text).findall(f"{DAV}response")  # noqa: S314
    except (ValueError, ET.ParseError):
        raise DavError(messages.UNREADABLE_RESPONSE) from None
    for answer in answers:
        href = (answer.findtext(f"{DAV}href") or "").strip()
        props = ET.Element("props")
        for one in answer.findall(f"{DAV}propstat"):
            if " 200" in (one.findtext(f"{DAV}status") or ""):
                props.extend(prop for given in one.findall(f"{DAV}prop") for prop in given)
        if href and len(props):
            yield Resource(session.resolve_url(place, href), props)


def put(session: DavSession, url: str, content: bytes, media_type: str, etag: str) -> str:
    """Write a file and return its new ETag, or "" if the server sends none.

    Without an `etag` the file must be new. With one, it replaces the file that has this ETag. Raise DavError, with
    status 412 if another file is there."""
    condition = _if_match(etag) if etag else {"If-None-Match": "*"}
    reply, _ = session.request("PUT", url, content, {"Content-Type": f"{media_type}; charset=utf-8", **condition})
    if not 200 <= reply.status < 300:
        raise DavError(describe_status(reply.status), status=reply.status)
    return reply.headers.get("etag", "") or fetch_file(session, url)[0]


def delete(session: DavSession, url: str, etag: str) -> None:
    """Delete a file. Do nothing if it does not exist.

    Raise DavError, with status 412 if the file was changed.
    """
    reply, _ = session.request("DELETE", url, headers=_if_match(etag))
    if not 200 <= reply.status < 300 and reply.status not in (404, 410):
        raise DavError(describe_status(reply.status), status=reply.status)


def fetch_file(session: DavSession, url: str) -> tuple[str, bytes]:
    """Return the ETag and the content of a file, both empty if it does not exist. Raise DavError on failure."""
    reply, _ = session.request("GET", url, max_bytes=MAX_FILE_BYTES)
    return (reply.headers.get("etag", ""), reply.body) if reply.status == 200 else ("", b"")


def _if_match(etag: str) -> dict[str, str]:
    """Return the If-Match header. Omit weak ETags, which never match (RFC 9110, section 13.1.1)."""
    return {"If-Match": etag} if etag and not etag.startswith("W/") else {}


def file_url(collection: str, file: str) -> str:
    """Return the URL of a file in a collection."""
    return f"{collection.rstrip('/')}/{file}"
