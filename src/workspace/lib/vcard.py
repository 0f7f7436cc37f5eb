"""vCard 3.0 (RFC 2426) for phones and email clients, and 4.0 (RFC 6350) for address books that require it.

Cards are written in UTF-8 with CRLF, have both N and FN, and are folded at 75 octets. This module only writes cards. It
does not depend on where a contact comes from.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

from workspace.lib.content_lines import escape_text, escape_uri, fold_line

# labels of a phone number or an email address, in the languages of guests, by their type
_PHONES = {
    "CELL": ("", "mobile", "cell", "handy", "mobil", "móvil"),
    "WORK,VOICE": ("work", "office", "büro", "arbeit", "trabajo", "oficina"),
    "HOME,VOICE": ("home", "private", "privat", "casa"),
    "WORK,FAX": ("fax",),
}
_EMAILS = {"INTERNET,WORK": ("", *_PHONES["WORK,VOICE"]), "INTERNET,HOME": _PHONES["HOME,VOICE"]}


@dataclass(frozen=True, slots=True)
class Contact:
    """A contact.

    `family_name`, `given_name`, `prefix` and `suffix` form N, and `full_name` is FN. `texts` contains additional text
    properties by name, such as {"ORG": "Corner Café"}. `phones` and `emails` are pairs of a value and its label, which
    is often empty, main one first. `address` is free text, and `links` are pairs of a label and a URL. `photo` is a
    JPEG. `source` is the URL of the latest version.
    """

    full_name: str
    given_name: str = ""
    family_name: str = ""
    prefix: str = ""
    suffix: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    phones: Sequence[tuple[str, str]] = ()
    emails: Sequence[tuple[str, str]] = ()
    website: str = ""
    address: str = ""
    note: str = ""
    links: Sequence[tuple[str, str]] = ()
    photo: bytes | None = None
    uid: str = ""
    source: str = ""
    revised_at: datetime | None = None
    categories: Sequence[str] = ()


def build_vcard(contact: Contact, version: str = "3.0") -> bytes:
    """Return the contact as a vCard. `version` is 3.0 or 4.0."""
    lines = _card_lines(contact) if version == "3.0" else map(_upgrade_line, _card_lines(contact))
    return b"".join(fold_line(line) for line in lines)


def _upgrade_line(line: str) -> str:
    """Convert a line from version 3.0 to 4.0."""
    name, _, value = line.partition(":")
    match name:
        case "VERSION":
            return "VERSION:4.0"
        case "UID":
            return f"UID;VALUE=text:{value}"
        case "REV":
            return f"REV:{value.replace('-', '').replace(':', '')}"
        case "PHOTO;ENCODING=b;TYPE=JPEG":
            return f"PHOTO:data:image/jpeg;base64,{value}"
    return f"{name.replace('TYPE=INTERNET,', 'TYPE=')}:{value}"


def _card_lines(contact: Contact) -> Iterator[str]:
    yield "BEGIN:VCARD"
    yield "VERSION:3.0"
    name = contact.family_name, contact.given_name, "", contact.prefix, contact.suffix
    yield f"N:{';'.join(map(escape_text, name))}"
    yield f"FN:{escape_text(contact.full_name)}"
    groups = count(1)
    for key, text in contact.texts.items():
        if text:
            yield f"{key}:{escape_text(text)}"
    for number, label in contact.phones:
        yield from _labeled_lines("TEL", _PHONES, number, label, groups)
    for email, label in contact.emails:
        yield from _labeled_lines("EMAIL", _EMAILS, email, label, groups)
    if contact.address:
        # post box, extension, street, town, region, postcode, country: the free text becomes the street
        yield f"ADR;TYPE=WORK:;;{escape_text(contact.address)};;;;"
    if contact.website:
        yield f"URL:{escape_uri(contact.website)}"
    for label, address in contact.links:
        group = f"item{next(groups)}"
        yield f"{group}.URL:{escape_uri(address)}"
        yield f"{group}.X-ABLabel:{escape_text(label)}"
    yield from _optional_lines(contact)
    yield "END:VCARD"


def _optional_lines(contact: Contact) -> Iterator[str]:
    if contact.note:
        yield f"NOTE:{escape_text(contact.note)}"
    if contact.categories:
        yield f"CATEGORIES:{','.join(map(escape_text, contact.categories))}"
    if contact.photo:
        yield f"PHOTO;ENCODING=b;TYPE=JPEG:{b64encode(contact.photo).decode('ascii')}"
    if contact.source:
        yield f"SOURCE:{escape_uri(contact.source)}"
    if contact.uid:
        yield f"UID:{escape_text(contact.uid)}"
    if contact.revised_at:
        yield f"REV:{contact.revised_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _labeled_lines(
    name: str, types: Mapping[str, Sequence[str]], value: str, label: str, groups: Iterator[int]
) -> Iterator[str]:
    """Yield lines for a phone number or an email address.

    A known label becomes a type. Other labels are written as text, with the type for work.
    """
    kinds = {word: kind for kind, words in types.items() for word in words}
    if kind := kinds.get(label.strip().casefold()):
        yield f"{name};TYPE={kind}:{escape_text(value)}"
        return
    group = f"item{next(groups)}"
    yield f"{group}.{name};TYPE={kinds['work']}:{escape_text(value)}"
    yield f"{group}.X-ABLabel:{escape_text(label)}"
