"""Types of the card tools' arguments. An empty string clears the previous value."""

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
from workspace.products.card.rules.card_list_headings import MAX_CARDS
from workspace.publishing.duplication import CopyOf
from workspace.publishing.shared_item_arguments import MAX_EMAIL_LENGTH, Publishing, clean_email
from workspace.tools.argument_types import Id, Label, Line, Lines


def _clean_website(text: str) -> str:
    return clean_web_address(text) if text.strip() else ""


FullName = Annotated[str, Line(120), Label("Name"), Field(description="Full name as shown on the card.")]
GivenName = Annotated[
    str,
    Line(120, least=0),
    Label("First name"),
    Field(description="First name, if it is detected incorrectly from full_name."),
]
FamilyName = Annotated[
    str,
    Line(120, least=0),
    Label("Last name"),
    Field(description="Last name, if it is detected incorrectly. Pass empty strings for both to detect them again."),
]
NamePrefix = Annotated[
    str,
    Line(60, least=0),
    Label("Prefix"),
    Field(description="Name prefix in contacts, such as Dr."),
]
NameSuffix = Annotated[
    str,
    Line(60, least=0),
    Label("Suffix"),
    Field(description="Name suffix in contacts, such as Jr. or MBA."),
]
JobTitle = Annotated[str, Line(120, least=0), Label("Job title"), Field(description="Job title, such as Head Baker.")]
Company = Annotated[str, Line(120, least=0), Label("Company"), Field(description="Company or business name.")]
Phone = Annotated[
    str,
    Line(40, least=0),
    AfterValidator(clean_phone),
    Label("Phone"),
    Field(description="Phone number, preferably with its country code. Example: +43 1 234 56 78."),
]
Email = Annotated[
    str,
    Line(MAX_EMAIL_LENGTH, least=0),
    AfterValidator(clean_email),
    Label("Email"),
    Field(description="Email address, such as jane@example.com."),
]
Website = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_clean_website),
    Label("Website"),
    Field(description="Website URL. https:// is added if missing."),
]
WebAddress = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2048),
    AfterValidator(clean_web_address),
    Field(description="URL of the link. https:// is added if missing."),
]
PostalAddress = Annotated[
    str,
    Lines(300),
    Label("Address"),
    Field(description="Street, postal code and city in one string. Adds a Directions button."),
]
Bio = Annotated[str, Lines(1000), Label("About"), Field(description="Short text about the person or business.")]
LeadCapture = Annotated[
    bool,
    Label("Let guests leave their details"),
    Field(
        description=(
            "Whether visitors can leave their contact details. Requires the Pro or Team plan. Defaults to true."
        )
    ),
]
ConsentText = Annotated[
    str,
    Line(500, least=0),
    Label("Consent text"),
    Field(description="Consent text of the lead form. An empty string restores the default text."),
]
Theme = Annotated[
    Literal["classic", "bold", "minimal", "midnight"],
    Label("Theme"),
    Field(description="Design of the page. midnight is dark."),
]
Color = Annotated[
    str,
    StringConstraints(max_length=40),
    AfterValidator(parse_color),
    Label("Color"),
    Field(
        description="Card color, as #rrggbb. The text color adjusts to stay readable. An empty string restores the "
        "brand color."
    ),
]
PictureId = Annotated[
    str, Field(max_length=64, description="upload_id of an image, from svc_upload_file. An empty string removes it.")
]
CardId = Annotated[Id, Field(description="Card ID, from svc_card_list.")]

ContactLabel = Annotated[str, Line(40, least=0), Field(description="Label, such as Mobile, Work, Home or Fax.")]


@with_config(extra="forbid")
class MorePhone(TypedDict):
    """Another phone number. A plain string is a number without a label."""

    number: Annotated[Phone, Field(min_length=1), Label("Another phone")]
    label: NotRequired[Annotated[ContactLabel, Label("Phone label")]]


@with_config(extra="forbid")
class MoreEmail(TypedDict):
    """Another email address. A plain string is an address without a label."""

    email: Annotated[Email, Field(min_length=1), Label("Another email")]
    label: NotRequired[Annotated[ContactLabel, Label("Email label")]]


def _wrap_bare_value(name: str) -> BeforeValidator:
    return BeforeValidator(lambda value: {name: value} if isinstance(value, str) else value)


def _add_label(fields: dict[str, str]) -> dict[str, str]:
    return {"label": "", **fields}


MorePhones = Annotated[
    list[Annotated[MorePhone, _wrap_bare_value("number"), AfterValidator(_add_label)]],
    Label("More phone numbers"),
    Field(max_length=MAX_EXTRA_CONTACTS, description="Up to 5 more phone numbers: {number, label}."),
]
MoreEmails = Annotated[
    list[Annotated[MoreEmail, _wrap_bare_value("email"), AfterValidator(_add_label)]],
    Label("More email addresses"),
    Field(max_length=MAX_EXTRA_CONTACTS, description="Up to 5 more email addresses: {email, label}."),
]

# Sites whose names people know better than the host. The end of the host determines the name.
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
    """Return a default label for a link."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    for known, name in _SITE_NAMES.items():
        if host == known or host.endswith(f".{known}"):
            return name
    return host[:60]


@with_config(extra="forbid")
class CardLink(TypedDict):
    """A link on a card. A plain string is an address without a label."""

    url: Annotated[WebAddress, Label("Link")]
    label: NotRequired[
        Annotated[
            str,
            Line(60, least=0),
            Label("Link label"),
            Field(description="Text of the link. Defaults to the website's name."),
        ]
    ]


def _fill_label(link: CardLink) -> CardLink:
    return {"url": link["url"], "label": link.get("label") or label_for(link["url"])}


Links = Annotated[
    list[Annotated[CardLink, _wrap_bare_value("url"), AfterValidator(_fill_label)]],
    Label("Links"),
    Field(max_length=MAX_LINKS, description="Up to 8 links: {url, label}."),
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
    """The fields of the tool defined by the contract. svc_card_edit and svc_card_save accept others."""

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
    """A card in a list: its content and its design."""

    id: Annotated[Id, Field(description="ID of a card to update. Omit it to create a new one.")]
    copy_of: CopyOf


def _require_name(value: Any) -> Any:
    """Add an empty name to a new card without one, so that this is reported together with all other errors."""
    return {"full_name": "", **value} if isinstance(value, dict) and not {"id", "copy_of"} & set(value) else value


CardItems = Annotated[
    list[Annotated[CardItem, BeforeValidator(_require_name)]],
    Field(
        max_length=MAX_CARDS, description="Up to 200 cards to create or update. The fields are those of svc_card_edit."
    ),
]
EraseLeads = Annotated[
    bool,
    Field(
        description=(
            "Whether to erase leads permanently. Privacy laws may require this. Cannot be undone. Defaults to false."
        )
    ),
]
RemovedIds = Annotated[
    list[Id], Field(max_length=MAX_CARDS, description="IDs of cards to delete. svc_undo restores them.")
]


_EXTENSION_PATTERN = re.compile(r"^(.*?)\s*(?:ext\.?|x|#)\s*(\d+)\s*$", re.IGNORECASE)


def format_phone(phone: str) -> str:
    """Format a number with a country code according to ITU-T E.123, with only digits and spaces after the `+`.

    In a spreadsheet, this format is not evaluated as a formula and needs no apostrophe. Other numbers do not change.
    """
    if not re.fullmatch(r"\+[0-9() ./-]+", phone):
        return phone
    return "+" + " ".join(re.findall("[0-9]+", phone.replace("(0)", " ")))


def tel_url(phone: str) -> str:
    """Return the `tel:` URL of a phone number in any common notation, or an empty string.

    A trunk zero in parentheses after a country code is dropped: +43 (0)1 is dialed as +431.
    """
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
