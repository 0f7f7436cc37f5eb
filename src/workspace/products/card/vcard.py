"""vCard 3.0 (RFC 2426), as phones and mail programs read it: UTF-8, CRLF, both N and FN, folded at 75 octets.

A pure writer: it knows a contact and nothing of where it comes from.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

FOLD_AT = 75  # octets of a line, without its CRLF
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff]")
_BREAKS = re.compile("\r\n|[\r\u2028\u2029\u0085]")


@dataclass(frozen=True, slots=True)
class Contact:
    """`given_name` and `family_name` make N, `full_name` FN. `address` is free text, `links` are (label, address).
    `photo` is a JPEG. `source` is where the newest version is to be had."""

    full_name: str
    given_name: str = ""
    family_name: str = ""
    company: str = ""
    title: str = ""
    phone: str = ""
    email: str = ""
    website: str = ""
    address: str = ""
    note: str = ""
    links: Sequence[tuple[str, str]] = ()
    photo: bytes | None = None
    uid: str = ""
    source: str = ""
    revised_at: datetime | None = None


def vcard(contact: Contact) -> bytes:
    """The contact as a vCard's bytes."""
    return b"".join(fold(line) for line in _lines(contact))


def escape(text: str) -> str:
    """A text value: backslash, semicolon, comma and line break escaped, other control characters as spaces."""
    text = _CONTROLS.sub(" ", _BREAKS.sub("\n", text))
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return text.replace("\n", "\\n")


def fold(line: str) -> bytes:
    """A content line as UTF-8 with its CRLF. What is longer than 75 octets goes on after CRLF and a space, which counts
    too; a character is never split."""
    out, room = bytearray(), FOLD_AT
    for char in line:
        octets = char.encode("utf-8", "replace")
        if len(octets) > room:
            out += b"\r\n "
            room = FOLD_AT - 1
        out += octets
        room -= len(octets)
    return bytes(out) + b"\r\n"


def _lines(contact: Contact) -> Iterator[str]:
    yield "BEGIN:VCARD"
    yield "VERSION:3.0"
    yield f"N:{escape(contact.family_name)};{escape(contact.given_name)};;;"
    yield f"FN:{escape(contact.full_name)}"
    for name, value in (
        ("ORG", contact.company),
        ("TITLE", contact.title),
        ("TEL;TYPE=CELL", contact.phone),
        ("EMAIL;TYPE=INTERNET,WORK", contact.email),
    ):
        if value:
            yield f"{name}:{escape(value)}"
    if contact.address:
        # post box, extension, street, town, region, postcode, country: free text is the street
        yield f"ADR;TYPE=WORK:;;{escape(contact.address)};;;;"
    if contact.website:
        yield f"URL:{_uri(contact.website)}"
    for number, (label, address) in enumerate(contact.links, start=1):
        yield f"item{number}.URL:{_uri(address)}"
        yield f"item{number}.X-ABLabel:{escape(label)}"
    if contact.note:
        yield f"NOTE:{escape(contact.note)}"
    if contact.photo:
        yield f"PHOTO;ENCODING=b;TYPE=JPEG:{b64encode(contact.photo).decode('ascii')}"
    if contact.source:
        yield f"SOURCE:{_uri(contact.source)}"
    if contact.uid:
        yield f"UID:{escape(contact.uid)}"
    if contact.revised_at:
        yield f"REV:{contact.revised_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    yield "END:VCARD"


def _uri(address: str) -> str:
    """An address is no text, so backslashes would become part of it; yet some readers cut it at a comma. Written out as
    %2C and %3B it is the same address to every one of them."""
    return re.sub(r"[\x00-\x20\x7f\\]", "", address).replace(",", "%2C").replace(";", "%3B")
