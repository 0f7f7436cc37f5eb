"""Content of static codes, stored in the symbol itself instead of a URL: Wi-Fi, a contact or text.

They work without this service. Therefore they cannot be changed after printing, and scans are not counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal, Required
from urllib.parse import quote

from pydantic import AfterValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.lib.email_address import to_mailto_address
from workspace.lib.person_name import parse_name
from workspace.lib.phone_number import to_dialable
from workspace.lib.vcard import Contact, build_vcard
from workspace.lib.web_address import clean_web_address
from workspace.owner_translation import owner_gettext_noop
from workspace.products.qr import messages
from workspace.tools.argument_types import Line, Lines, build_validation_error

ContentKind = Literal["wifi", "contact", "email", "phone", "sms", "text"]
# fields required by each kind (for a contact, one of the first two), and optional fields
REQUIRED_FIELDS: dict[str, tuple[str, ...]] = {
    "wifi": ("ssid",),
    "contact": (),
    "email": ("email",),
    "phone": ("phone",),
    "sms": ("phone",),
    "text": ("text",),
}
OPTIONAL_FIELDS: dict[str, tuple[str, ...]] = {
    "wifi": ("password", "security", "hidden"),
    "contact": ("name", "organization", "title", "phone", "email", "website", "address", "note"),
    "email": ("subject", "message"),
    "phone": (),
    "sms": ("message",),
    "text": (),
}
SECRET_FIELD = "password"
MAX_SSID_BYTES = 32  # octets, by IEEE 802.11
# octets: 85 modules per side, which phones read reliably if they are printed 4.3 cm wide
MAX_BYTES, MAX_BYTES_WITH_LOGO = 500, 280
_WEP_PATTERN = re.compile("(.{5}|.{13}|[0-9A-Fa-f]{10}|[0-9A-Fa-f]{26})")
_RESERVED_PATTERN = re.compile(r'([\\;,":])')


def _check_ssid(text: str) -> str:
    if len(text.encode()) > MAX_SSID_BYTES:
        raise ValueError(str(messages.SSID_TOO_LONG(most=MAX_SSID_BYTES)))
    return text


def _check_one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError(str(messages.NOT_ONE_LINE))
    return text


def _clean_phone(text: str) -> str:
    return to_dialable(text) if text else ""


def _clean_email(text: str) -> str:
    if text:
        to_mailto_address(text)
    return text


def _clean_website(text: str) -> str:
    return clean_web_address(text) if text else ""


def _check_fields(content: StaticContent) -> StaticContent:
    """Check that the content has the fields of its kind and no others. Each error has its path."""
    kind = content["kind"]
    result = {name: value for name, value in content.items() if value not in ("", None)}
    faults = dict(_find_faults(kind, result))
    if faults:
        raise build_validation_error(faults, content)
    return result  # type: ignore[return-value]


def _find_faults(kind: str, fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in REQUIRED_FIELDS[kind]:
        if name not in fields:
            yield name, str(messages.FIELD_NEEDED)
    if kind == "contact" and not ("name" in fields or "organization" in fields):
        yield "name", str(messages.NAME_NEEDED)
    known = ("kind", *REQUIRED_FIELDS[kind], *OPTIONAL_FIELDS[kind])
    for name in fields:
        if name not in known:
            yield name, str(messages.FIELD_NOT_ALLOWED(kind=kind, allowed=", ".join(known[1:])))
    if kind == "wifi":
        yield from _find_wifi_faults(fields.get("security") or "", fields.get(SECRET_FIELD, ""))


def _find_wifi_faults(security: str, password: str) -> Iterator[tuple[str, str]]:
    if security == "nopass" and password:
        yield SECRET_FIELD, str(messages.OPEN_NETWORK_HAS_PASSWORD)
    elif security in ("WPA", "WEP") and not password:
        yield SECRET_FIELD, str(messages.PASSWORD_NEEDED)
    elif security == "WEP" and not _WEP_PATTERN.fullmatch(password):
        yield SECRET_FIELD, str(messages.INVALID_WEP_KEY)
    elif security in ("", "WPA") and password and not (8 <= len(password.encode()) <= 63):
        yield SECRET_FIELD, str(messages.INVALID_WPA_PASSWORD)


Ssid = Annotated[
    str, Line(64), AfterValidator(_check_ssid), Field(description="Exact name of the Wi-Fi network (SSID).")
]
# White space is not stripped, because it may be part of a password.
Password = Annotated[
    str,
    StringConstraints(max_length=63),
    AfterValidator(_check_one_line),
    Field(description="Wi-Fi password. It is stored encrypted, and only svc_qr_get returns it."),
]
Security = Annotated[
    Literal["WPA", "WEP", "nopass"],
    Field(
        description=(
            "Wi-Fi security. WPA includes WPA2 and WPA3. Defaults to WPA with a password and nopass without one."
        )
    ),
]


@with_config(extra="forbid", strict=True)
class StaticContent(TypedDict, total=False):
    """The content of a static code.

    wifi needs ssid; contact a name or an organization; email an email; phone and sms a phone; text a text.
    """

    kind: Required[Annotated[ContentKind, Field(description="Type of content. Each type has its own fields.")]]
    ssid: Ssid
    password: Password
    security: Security
    hidden: Annotated[bool, Field(description="Whether the SSID is hidden. Defaults to false.")]
    name: Annotated[str, Line(120, least=0), Field(description="Full name of a contact.")]
    organization: Annotated[str, Line(120, least=0), Field(description="Company of a contact.")]
    title: Annotated[str, Line(80, least=0), Field(description="Job title of a contact.")]
    phone: Annotated[
        str,
        Line(40, least=0),
        AfterValidator(_clean_phone),
        Field(description="Phone number, for phone, sms or contact."),
    ]
    email: Annotated[
        str, Line(254, least=0), AfterValidator(_clean_email), Field(description="Email address, for email or contact.")
    ]
    website: Annotated[
        str, Line(500, least=0), AfterValidator(_clean_website), Field(description="Website of a contact.")
    ]
    address: Annotated[str, Lines(200), Field(description="Postal address of a contact.")]
    note: Annotated[str, Lines(300), Field(description="Note about a contact.")]
    subject: Annotated[str, Line(200, least=0), Field(description="Subject of the email.")]
    message: Annotated[str, Lines(500), Field(description="Prefilled text of the email or text message.")]
    text: Annotated[str, Lines(MAX_BYTES), Field(description="Plain text content.")]


def _check_size(content: StaticContent) -> StaticContent:
    check_capacity(build_symbol_text(content))
    return content


def check_capacity(text: str, *, with_logo: bool = False) -> None:
    """Raise ValueError if the text is too long for phones to scan a printed code reliably."""
    size, most = len(text.encode()), MAX_BYTES_WITH_LOGO if with_logo else MAX_BYTES
    if size > most:
        text_too_long = messages.CONTENT_TOO_LONG_WITH_LOGO if with_logo else messages.CONTENT_TOO_LONG
        raise ValueError(str(text_too_long(most=most, excess=size - most)))


ValidStaticContent = Annotated[StaticContent, AfterValidator(_check_fields), AfterValidator(_check_size)]


def build_symbol_text(content: Mapping[str, Any]) -> str:
    """Build the text encoded in the symbol. Parts of the content may be missing after an erasure."""
    return _ENCODERS[content["kind"]](content)


def describe_content(content: Mapping[str, Any]) -> str:
    """Return a description without the password, such as `Wi-Fi Corner Café`."""
    kind = content["kind"]
    named = {"email": "email", "phone": "phone", "sms": "phone", "wifi": "ssid", "text": "text"}.get(kind)
    text = content.get(named, "") if named else " · ".join(filter(None, map(content.get, ("name", "organization"))))
    first = " ".join(text.split())
    return (
        f"{TITLES[kind]} {first if len(first) <= MAX_DESCRIPTION_LENGTH else first[: MAX_DESCRIPTION_LENGTH - 1] + '…'}"
    ).strip()


def _encode_wifi(content: Mapping[str, Any]) -> str:
    """Return the Wi-Fi text as specified by ZXing and read by phone cameras.

    Nothing is quoted, because readers never interpret a WPA password as hexadecimal digits, and iPhones would read
    quotation marks as part of it.
    """
    password = content.get(SECRET_FIELD, "")
    security = content.get("security") or ("WPA" if password else "nopass")
    fields = {"T": security, "S": content.get("ssid", ""), "P": password, "H": "true" if content.get("hidden") else ""}
    text = "".join(f"{name}:{_RESERVED_PATTERN.sub(_ESCAPE, value)};" for name, value in fields.items() if value)
    return f"WIFI:{text};"


def _encode_contact(content: Mapping[str, Any]) -> str:
    """Return a vCard 3.0 with as few lines as possible."""
    full, company = content.get("name", ""), content.get("organization", "")
    name = parse_name(full) if full else None
    return build_vcard(
        Contact(
            full_name=full or company,
            given_name=name.given if name else "",
            family_name=name.family if name else "",
            prefix=name.prefix if name else "",
            suffix=name.suffix if name else "",
            texts={"ORG": company, "TITLE": content.get("title", "")},
            phones=[(phone, "")] if (phone := content.get("phone")) else [],
            emails=[(email, "")] if (email := content.get("email")) else [],
            website=content.get("website", ""),
            address=content.get("address", ""),
            note=content.get("note", ""),
        )
    ).decode()


def _encode_email(content: Mapping[str, Any]) -> str:
    """Return a mailto URL (RFC 6068)."""
    parts = {"subject": content.get("subject", ""), "body": content.get("message", "").replace("\n", "\r\n")}
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in parts.items() if value)
    to = content.get("email", "")
    return f"mailto:{to_mailto_address(to) if to else ''}{f'?{query}' if query else ''}"


def _encode_sms(content: Mapping[str, Any]) -> str:
    message = content.get("message", "")
    return f"SMSTO:{content.get('phone', '')}{f':{message}' if message else ''}"


_ESCAPE = r"\\\1"
_ENCODERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "wifi": _encode_wifi,
    "contact": _encode_contact,
    "email": _encode_email,
    "phone": lambda content: f"tel:{content.get('phone', '')}",
    "sms": _encode_sms,
    "text": lambda content: content.get("text", ""),
}
TITLES = {
    "wifi": "Wi-Fi",
    "contact": owner_gettext_noop("Contact"),
    "email": owner_gettext_noop("Email"),
    "phone": owner_gettext_noop("Phone"),
    "sms": "SMS",
    "text": owner_gettext_noop("Text"),
}
MAX_DESCRIPTION_LENGTH = 60  # characters from the start of a text
