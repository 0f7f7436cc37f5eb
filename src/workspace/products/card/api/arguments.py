"""Types of the card tools' arguments. An empty text clears the previous value."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, NotRequired
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.brand.style import parse_color
from workspace.lib.phone_number import clean_phone
from workspace.lib.web_address import clean_web_address
from workspace.products.card.models import MAX_EXTRA_CONTACTS, MAX_LINKS
from workspace.publishing.duplication import CopyOf
from workspace.publishing.shared_item_arguments import MAX_EMAIL_LENGTH, Publishing, clean_email
from workspace.tools.argument_types import Id, Label, Line, Lines

MAX_ITEMS = 200


def _clean_website(text: str) -> str:
    return clean_web_address(text) if text.strip() else ""


FullName = Annotated[str, Line(120), Label("Name"), Field(description="The name as the card shows it")]
GivenName = Annotated[
    str,
    Line(120, least=0),
    Label("First names"),
    Field(description="First names: where the guess from full_name is wrong"),
]
FamilyName = Annotated[
    str,
    Line(120, least=0),
    Label("Family name"),
    Field(description="Family name: where the guess is wrong; both empty to guess anew"),
]
NamePrefix = Annotated[
    str,
    Line(60, least=0),
    Label("Before the name"),
    Field(description="Before the name in address books: such as Dr., where the guess is wrong"),
]
NameSuffix = Annotated[
    str,
    Line(60, least=0),
    Label("After the name"),
    Field(description="After the name in address books: such as Jr. or MBA, likewise"),
]
JobTitle = Annotated[
    str, Line(120, least=0), Label("Title"), Field(description="What the person does, such as Head Baker")
]
Company = Annotated[
    str, Line(120, least=0), Label("Company"), Field(description="The business that the person speaks for")
]
Phone = Annotated[
    str,
    Line(40, least=0),
    AfterValidator(clean_phone),
    Label("Phone"),
    Field(description="Best with its country code: +43 1 234 56 78"),
]
Email = Annotated[
    str,
    Line(MAX_EMAIL_LENGTH, least=0),
    AfterValidator(clean_email),
    Label("E-mail"),
    Field(description="Where guests write to, such as jane@example.com"),
]
Website = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_clean_website),
    Label("Website"),
    Field(description="An http or https address; https:// is added when it is missing"),
]
WebAddress = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
    AfterValidator(clean_web_address),
    Field(description="An http or https address; https:// is added when it is missing"),
]
PostalAddress = Annotated[
    str,
    Lines(300),
    Label("Address"),
    Field(description="Street, postcode and town in one text; guests get a Directions button"),
]
Bio = Annotated[str, Lines(1000), Label("About"), Field(description="A few words about the person or the business")]
LeadCapture = Annotated[
    bool,
    Label("Let guests leave their details"),
    Field(description="Whether guests may leave their details; shown on Pro and Team only"),
]
ConsentText = Annotated[
    str,
    Line(500, least=0),
    Label("What guests agree to"),
    Field(description="What guests agree to when they leave their details; empty for our words"),
]
Theme = Annotated[
    Literal["classic", "bold", "minimal", "midnight"],
    Label("Theme"),
    Field(description="The look of the page; midnight is dark"),
]
Color = Annotated[
    str,
    StringConstraints(max_length=40),
    AfterValidator(parse_color),
    Label("Color"),
    Field(description="The card's own as #rrggbb; text on it is kept readable, empty for the brand's"),
]
PictureId = Annotated[
    str, Field(max_length=64, description="An upload_id, as svc_upload_file answers it; empty for none")
]
CardId = Annotated[Id, Field(description="From svc_card_list")]

ContactLabel = Annotated[
    str, Line(40, least=0), Field(description="What it is called: Mobile, Work, Home, Fax or words of your own")
]


@with_config(extra="forbid")
class MorePhone(TypedDict):
    """A number beside the main one. A bare number stands for one without a label."""

    number: Annotated[Phone, Field(min_length=1), Label("Another phone")]
    label: NotRequired[Annotated[ContactLabel, Label("What the number is called")]]


@with_config(extra="forbid")
class MoreEmail(TypedDict):
    """An address beside the main one. A bare address stands for one without a label."""

    email: Annotated[Email, Field(min_length=1), Label("Another e-mail")]
    label: NotRequired[Annotated[ContactLabel, Label("What the address is called")]]


def _wrap_bare_value(name: str) -> BeforeValidator:
    return BeforeValidator(lambda value: {name: value} if isinstance(value, str) else value)


def _add_label(fields: dict[str, str]) -> dict[str, str]:
    return {"label": "", **fields}


MorePhones = Annotated[
    list[Annotated[MorePhone, _wrap_bare_value("number"), AfterValidator(_add_label)]],
    Label("More numbers"),
    Field(max_length=MAX_EXTRA_CONTACTS, description="Further numbers: up to 5 of {number, label}"),
]
MoreEmails = Annotated[
    list[Annotated[MoreEmail, _wrap_bare_value("email"), AfterValidator(_add_label)]],
    Label("More e-mail addresses"),
    Field(max_length=MAX_EXTRA_CONTACTS, description="Further e-mail addresses: up to 5 of {email, label}"),
]

# Names that people know better than the host. The end of the host decides.
_SITE_NAMES = {
    "linkedin.com": "LinkedIn",
    "instagram.com": "Instagram",
    "facebook.com": "Facebook",
    "youtube.com": "YouTube",
    "tiktok.com": "TikTok",
    "github.com": "GitHub",
    "x.com": "X",
    "wa.me": "WhatsApp",
    "t.me": "Telegram",
    "pinterest.com": "Pinterest",
    "xing.com": "XING",
    "mastodon.social": "Mastodon",
    "bsky.app": "Bluesky",
}


def label_for(url: str) -> str:
    """Return the label of a link without one."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    for known, name in _SITE_NAMES.items():
        if host == known or host.endswith(f".{known}"):
            return name
    return host[:60]


@with_config(extra="forbid")
class CardLink(TypedDict):
    """One of a card's links. A bare address stands for one without a label."""

    url: Annotated[WebAddress, Label("Address of the link")]
    label: NotRequired[
        Annotated[
            str,
            Line(60, least=0),
            Label("What it is called"),
            Field(description="What guests read; the site's name when left out"),
        ]
    ]


def _fill_label(link: CardLink) -> CardLink:
    return {"url": link["url"], "label": link.get("label") or label_for(link["url"])}


Links = Annotated[
    list[Annotated[CardLink, _wrap_bare_value("url"), AfterValidator(_fill_label)]],
    Label("Links"),
    Field(max_length=MAX_LINKS, description="Up to 8: {url, label}"),
]


class CardFields(TypedDict, total=False):
    """The fields of a card on creation and in an edit."""

    title: JobTitle
    company: Company
    phone: Phone
    email: Email
    website: Website
    address: PostalAddress
    bio: Bio
    links: Links


class NewCard(CardFields, total=False):
    """The fields of the tool that the contract defines. svc_card_edit and svc_card_save accept further ones."""

    lead_capture: Annotated[LeadCapture, Field(default=True)]


class CardChanges(CardFields, total=False):
    full_name: FullName
    given_name: GivenName
    family_name: FamilyName
    name_prefix: NamePrefix
    name_suffix: NameSuffix
    more_phones: MorePhones
    more_emails: MoreEmails
    photo_id: Annotated[PictureId, Label("Photo")]
    logo_id: Annotated[PictureId, Label("Logo")]
    theme: Theme
    color: Color
    lead_capture: LeadCapture
    consent_text: ConsentText


class CardEdit(CardChanges, Publishing, total=False):
    """The fields of a card that can be edited."""


@with_config(extra="forbid")
class CardItem(CardChanges, total=False):
    """A card of a list: what it says and how it looks."""

    id: Annotated[Id, Field(description="Of one to change: from svc_card_list; left out, one is made")]
    copy_of: CopyOf


def _require_name(value: Any) -> Any:
    """Add an empty name to a new card, so that its missing name is reported with all other errors."""
    return {"full_name": "", **value} if isinstance(value, dict) and not {"id", "copy_of"} & set(value) else value


CardItems = Annotated[
    list[Annotated[CardItem, BeforeValidator(_require_name)]],
    Field(max_length=MAX_ITEMS, description="Cards to make or change: each with what svc_card_edit takes; up to 200"),
]
EraseLeads = Annotated[
    bool, Field(description="Erase leads for good: at once and everywhere, as who left them may ask")
]
RemovedIds = Annotated[
    list[Id], Field(max_length=MAX_ITEMS, description="Ids of cards to delete: svc_undo brings them back")
]


_EXTENSION_PATTERN = re.compile(r"^(.*?)\s*(?:ext\.?|x|#)\s*(\d+)\s*$", re.IGNORECASE)


def format_phone(phone: str) -> str:
    """Format a number with a country code as in ITU-T E.123, with digits and spaces only.

    Spreadsheets neither calculate with this format nor need an apostrophe for it. Other numbers do not change."""
    if not re.fullmatch(r"\+[0-9() ./-]+", phone):
        return phone
    return "+" + " ".join(re.findall("[0-9]+", phone.replace("(0)", " ")))


def tel_url(phone: str) -> str:
    """Return the `tel:` URL of a phone number as people write it, or an empty string.

    A trunk zero in parentheses after a country code is dropped: +43 (0)1 is dialed as +431."""
    if not phone:
        return ""
    extension = ""
    if match := _EXTENSION_PATTERN.match(phone):
        phone, extension = match[1], f";ext={match[2]}"
    phone = phone.strip()
    if phone.startswith("+"):
        phone = phone.replace("(0)", "")
    digits = re.sub(r"[^0-9]", "", phone)
    return f"tel:{'+' if phone.startswith('+') else ''}{digits}{extension}" if digits else ""
