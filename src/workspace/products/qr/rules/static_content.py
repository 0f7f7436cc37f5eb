"""What a static code holds in its very symbol, in place of an address: a Wi-Fi, a contact, a text. It works without us,
so that it can neither be changed nor counted once it is printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, Required
from urllib.parse import quote

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib.email_address import mailbox
from workspace.lib.person_name import split
from workspace.lib.phone_number import dialled
from workspace.lib.vcard import Contact, vcard
from workspace.lib.web_address import clean_web_address
from workspace.tools.argument_types import Line, Lines, faulty

Kind = Literal["wifi", "contact", "email", "phone", "sms", "text"]
# what each needs, of a contact one of the first two, and what it may have besides
NEEDED: dict[str, tuple[str, ...]] = {
    "wifi": ("ssid",),
    "contact": (),
    "email": ("email",),
    "phone": ("phone",),
    "sms": ("phone",),
    "text": ("text",),
}
OPTIONAL: dict[str, tuple[str, ...]] = {
    "wifi": ("password", "security", "hidden"),
    "contact": ("name", "organization", "title", "phone", "email", "website", "address", "note"),
    "email": ("subject", "message"),
    "phone": (),
    "sms": ("message",),
    "text": (),
}
SECRET = "password"
MOST_SSID = 32  # octets, by IEEE 802.11
MOST, MOST_WITH_LOGO = 500, 280  # octets: 85 modules a side, which phones read well from paper 4.3 cm wide
_WEP = re.compile("(.{5}|.{13}|[0-9A-Fa-f]{10}|[0-9A-Fa-f]{26})")
_RESERVED = re.compile(r'([\\;,":])')


def _ssid(text: str) -> str:
    if len(text.encode()) > MOST_SSID:
        raise ValueError(f"A network's name has at most {MOST_SSID} characters: letters such as ä count two")
    return text


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("Use plain text on one line")
    return text


def _phone(text: str) -> str:
    return dialled(text) if text else ""


def _email(text: str) -> str:
    if text:
        mailbox(text)
    return text


def _website(text: str) -> str:
    return clean_web_address(text) if text else ""


def _whole(given: StaticContent) -> StaticContent:
    """What its kind needs, and nothing that another kind has; each fault at its place."""
    kind = given["kind"]
    found = {name: value for name, value in given.items() if value not in ("", None)}
    faults = dict(_faults(kind, found))
    if faults:
        raise faulty(faults, given)
    return found  # type: ignore[return-value]


def _faults(kind: str, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in NEEDED[kind]:
        if name not in given:
            yield name, "Required"
    if kind == "contact" and not ("name" in given or "organization" in given):
        yield "name", "Give a name or an organization"
    known = ("kind", *NEEDED[kind], *OPTIONAL[kind])
    for name in given:
        if name not in known:
            yield name, f"Does not go with {kind}: leave it out"
    if kind == "wifi":
        yield from _wifi_faults(given.get("security") or "", given.get(SECRET, ""))


def _wifi_faults(security: str, password: str) -> Iterator[tuple[str, str]]:
    if security == "nopass" and password:
        yield SECRET, "An open network has no password: leave it out, or choose WPA"
    elif security in ("WPA", "WEP") and not password:
        yield SECRET, "Required: or choose nopass for an open network"
    elif security == "WEP" and not _WEP.fullmatch(password):
        yield SECRET, "A WEP key has 5 or 13 characters, or 10 or 26 digits 0-9 and a-f"
    elif security in ("", "WPA") and password and not (8 <= len(password.encode()) <= 63):
        yield SECRET, "A WPA password has 8 to 63 characters"


Ssid = Annotated[str, Line(64), AfterValidator(_ssid), Field(description="The network's name, exactly")]
# Not stripped of white space, since a password is what it is.
Password = Annotated[
    str,
    StringConstraints(max_length=63),
    AfterValidator(_one_line),
    Field(description="Kept sealed; shown to you by svc_qr_get only"),
]
Security = Annotated[
    Literal["WPA", "WEP", "nopass"],
    Field(description="WPA (WPA2 and WPA3 too) with a password, nopass without, when left out"),
]


@with_config(extra="forbid", strict=True)
class StaticContent(TypedDict, total=False):
    """wifi needs ssid; contact a name or an organization; email an email; phone and sms a phone; text a text."""

    kind: Required[Kind]
    ssid: Ssid
    password: Password
    security: Security
    hidden: Annotated[bool, Field(description="Whether the network does not tell its name")]
    name: Annotated[str, Line(120, least=0)]
    organization: Annotated[str, Line(120, least=0)]
    title: Annotated[str, Line(80, least=0)]
    phone: Annotated[str, Line(40, least=0), AfterValidator(_phone)]
    email: Annotated[str, Line(254, least=0), AfterValidator(_email)]
    website: Annotated[str, Line(500, least=0), AfterValidator(_website)]
    address: Annotated[str, Lines(200)]
    note: Annotated[str, Lines(300)]
    subject: Annotated[str, Line(200, least=0)]
    message: Annotated[str, Lines(500)]
    text: Annotated[str, Lines(MOST)]


def _fits(given: StaticContent) -> StaticContent:
    check_room(text_of(given))
    return given


def check_room(text: str, *, with_logo: bool = False) -> None:
    """Raises ValueError for more than phones read well from paper."""
    size, most = len(text.encode()), MOST_WITH_LOGO if with_logo else MOST
    if size > most:
        logo = " with a logo" if with_logo else ""
        raise ValueError(
            f"This takes {size} characters, and a code{logo} that phones read well holds {most}: "
            f"shorten it by {size - most}. Letters such as ä count two"
        )


Static = Annotated[StaticContent, AfterValidator(_whole), AfterValidator(_fits)]


def text_of(content: Mapping[str, Any]) -> str:
    """What the symbol holds; of what an erased person has left it may be little."""
    return _WRITERS[content["kind"]](content)


def words_of(content: Mapping[str, Any]) -> str:
    """The same for people, without the password: `Wi-Fi Corner Café`."""
    kind = content["kind"]
    named = {"email": "email", "phone": "phone", "sms": "phone", "wifi": "ssid", "text": "text"}.get(kind)
    said = content.get(named, "") if named else " · ".join(filter(None, map(content.get, ("name", "organization"))))
    first = " ".join(said.split())
    return f"{TITLES[kind]} {first if len(first) <= SAID else first[: SAID - 1] + '…'}".strip()


def _wifi(content: Mapping[str, Any]) -> str:
    """As ZXing wrote it down and phones' cameras read it. Nothing is put into quotation marks: a password of WPA is
    none of hexadecimal digits to any reader, and iPhones take the marks for a part of it."""
    password = content.get(SECRET, "")
    security = content.get("security") or ("WPA" if password else "nopass")
    fields = {"T": security, "S": content.get("ssid", ""), "P": password, "H": "true" if content.get("hidden") else ""}
    said = "".join(f"{name}:{_RESERVED.sub(_BACKSLASH, value)};" for name, value in fields.items() if value)
    return f"WIFI:{said};"


def _contact(content: Mapping[str, Any]) -> str:
    """vCard 3.0, with no more lines than there is something to say."""
    full, company = content.get("name", ""), content.get("organization", "")
    name = split(full) if full else None
    return vcard(
        Contact(
            full_name=full or company,
            given_name=name.given if name else "",
            family_name=name.family if name else "",
            prefix=name.prefix if name else "",
            suffix=name.suffix if name else "",
            company=company,
            title=content.get("title", ""),
            phones=[(phone, "")] if (phone := content.get("phone")) else [],
            emails=[(email, "")] if (email := content.get("email")) else [],
            website=content.get("website", ""),
            address=content.get("address", ""),
            note=content.get("note", ""),
        )
    ).decode()


def _mail(content: Mapping[str, Any]) -> str:
    """RFC 6068."""
    parts = {"subject": content.get("subject", ""), "body": content.get("message", "").replace("\n", "\r\n")}
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in parts.items() if value)
    to = content.get("email", "")
    return f"mailto:{mailbox(to) if to else ''}{f'?{query}' if query else ''}"


def _sms(content: Mapping[str, Any]) -> str:
    message = content.get("message", "")
    return f"SMSTO:{content.get('phone', '')}{f':{message}' if message else ''}"


_BACKSLASH = r"\\\1"
_WRITERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "wifi": _wifi,
    "contact": _contact,
    "email": _mail,
    "phone": lambda content: f"tel:{content.get('phone', '')}",
    "sms": _sms,
    "text": lambda content: content.get("text", ""),
}
TITLES = {"wifi": "Wi-Fi", "contact": "Contact", "email": "E-mail", "phone": "Phone", "sms": "SMS", "text": "Text"}
SAID = 60  # characters of what a text begins with
