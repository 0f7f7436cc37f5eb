"""CardDAV (RFC 6352): finding address books at a URL, and the URL and revision of a contact."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from workspace.delivery import messages
from workspace.delivery.dav import webdav
from workspace.delivery.dav.client import DavError, DavSession, clean_url
from workspace.delivery.dav.webdav import CollectionKind, Resource
from workspace.delivery.models.address_book import Book
from workspace.owner_translation import owner_gettext

_CARD = "{urn:ietf:params:xml:ns:carddav}"
_PROPS = (
    b'<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">'
    b"<d:prop><d:resourcetype/><d:displayname/><d:current-user-principal/><d:current-user-privilege-set/>"
    b"<c:addressbook-home-set/><c:supported-address-data/></d:prop></d:propfind>"
)
ADDRESS_BOOKS = CollectionKind(
    "carddav", f"{_CARD}addressbook-home-set", _PROPS, lambda here: here.has_type(f"{_CARD}addressbook")
)
MEDIA_TYPE = "text/vcard"

# servers of email providers whose address books are not at the email address's domain
_SERVERS = {
    "https://contacts.icloud.com/": ("icloud.com", "me.com", "mac.com"),
    "https://carddav.fastmail.com/": ("fastmail.com", "fastmail.fm"),
    "https://carddav.gmx.net/": ("gmx.net", "gmx.de", "gmx.at", "gmx.ch"),
    "https://carddav.web.de/": ("web.de",),
    "https://dav.mailbox.org/": ("mailbox.org",),
    "https://posteo.de:8443/": ("posteo.de", "posteo.net"),
}
_UNSUPPORTED_PROVIDERS = {
    "Google": ("gmail.com", "googlemail.com", "google.com", "googleapis.com"),
    "Microsoft": ("outlook.com", "hotmail.com", "live.com", "msn.com", "office365.com", "office.com"),
}


def parse_address(text: str) -> str:
    """Return the URL to probe for an entered web address, domain or email address.

    Raise ValueError if it is invalid or the provider is not supported.
    """
    text = text.strip()
    domain = ""
    if "://" not in text and "@" in text:
        domain = text.rpartition("@")[2].lower()
        text = next((url for url, domains in _SERVERS.items() if domain in domains), f"https://{domain}/")
    found = clean_url(text)
    host = domain or urlsplit(found).hostname or ""
    for name, domains in _UNSUPPORTED_PROVIDERS.items():
        if any(host == one or host.endswith(f".{one}") for one in domains):
            raise ValueError(messages.UNSUPPORTED_ADDRESS_BOOK(provider=name))
    return found


def find_books(session: DavSession, url: str) -> list[Book]:
    """Return the address books at a URL, which may belong to one book, to a user or to the server.

    Raise DavError if there are none.
    """
    found = [_book_data(one) for one in webdav.find_collections(session, url, ADDRESS_BOOKS)]
    if not found:
        raise DavError(messages.NO_ADDRESS_BOOK_SERVER, is_permanent=True)
    return found


def _book_data(resource: Resource) -> Book:
    """Return the data of an address book.

    The vCard version is 3.0, which every phone reads, unless the book accepts only 4.0."""
    taken = [one.get("version", "3.0") for one in resource.props.iter(f"{_CARD}address-data-type")]
    version = "4.0" if "4.0" in taken and "3.0" not in taken else "3.0"
    return {
        "url": resource.url,
        "name": resource.display_name(owner_gettext("Address book")),
        "writes": resource.is_writable,
        "version": version,
    }


def check_book(session: DavSession, url: str) -> None:
    """Raise DavError if the address book cannot be reached."""
    if webdav.fetch_resource(session, url, _PROPS) is None:
        raise DavError(messages.ADDRESS_BOOK_IS_GONE, is_permanent=True)


def contact_url(book: str, subject: str) -> str:
    """Return the URL of one of our contacts in an address book."""
    return webdav.file_url(book, f"{subject}.vcf")


def parse_revision(card: bytes) -> str:
    """Return the digits of a vCard's REV property, which changes with each edit, or "" if it has none."""
    found = re.search(rb"(?im)^REV(?:;[^:\r\n]*)?:([^\r\n]*)", card)
    return re.sub(r"\D", "", found[1].decode("ascii", "replace"))[:14] if found else ""
