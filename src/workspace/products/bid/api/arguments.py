"""Types of the proposal tools' arguments.

An empty text, list or object clears the previous value."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, with_config
from typing_extensions import TypedDict

from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.money import Currency
from workspace.lib.web_address import clean_web_address
from workspace.products.bid.rules import offer_input
from workspace.products.bid.rules.number_input import parse_money, parse_percent
from workspace.products.bid.rules.offer import dump_line, dump_package, dump_share, format_number
from workspace.publishing.arguments import MAX_EMAIL_LENGTH, ExpiresAt, GuestPassword, Live, clean_email
from workspace.tools import object_parser
from workspace.tools.argument_types import Day, Id, Line, Lines, require_when_new

MAX_ITEMS = 200


_MONEY_SCHEMA = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}
_LINE_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "quantity": {"type": "number", "description": "1 when left out"},
        "unit_price": {**_MONEY_SCHEMA, "description": "For one; a number, or a text such as 1,250.00"},
        "unit": {"type": "string", "description": "Such as hour or m²"},
        "optional": {"type": "boolean", "description": "The client may add it"},
        "selected": {"type": "boolean", "description": "An option that is ticked at first"},
        "taxable": {"type": "boolean", "description": "True when left out"},
        "section": {"type": "string", "description": "A heading above lines of the same"},
        "id": {"type": "string", "description": "Of one that stays, from svc_bid_get"},
        "total": {"type": "number", "description": "Checked: quantity × unit_price"},
    },
}
_PACKAGE_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "price": {**_MONEY_SCHEMA, "description": "Or line_items that make it up"},
        "features": {"type": "array", "items": {"type": "string"}},
        "recommended": {"type": "boolean", "description": "At most one is"},
        "taxable": {"type": "boolean"},
        "line_items": {"type": "array", "items": {"type": "object"}, "description": "Lines as in line_items"},
        "id": {"type": "string"},
        "total": {"type": "number"},
    },
}
_SHARE_SCHEMA = {
    "type": "object",
    "properties": {
        "type": {"enum": ["percent", "amount"]},
        "value": _MONEY_SCHEMA,
        "label": {"type": "string"},
        "percent": {"type": "number", "description": "In place of type and value"},
        "amount": {**_MONEY_SCHEMA, "description": "Likewise"},
    },
}

Title = Annotated[str, Line(200), Field(description="What it is for; the client reads it")]
ClientName = Annotated[str, Line(120, least=0), Field(description="Who is to approve it")]
ClientEmail = Annotated[
    str,
    Line(MAX_EMAIL_LENGTH, least=0),
    AfterValidator(clean_email),
    Field(description="Where svc_bid_send writes to"),
]
ClientCompany = Annotated[str, Line(120, least=0), Field(description="The client's business")]
Intro = Annotated[str, Lines(5000), Field(description="What stands above the prices")]
LineItems = Annotated[
    list[Any],
    object_parser.build_validator(offer_input.parse_lines, lambda lines: [dump_line(line) for line in lines]),
    WithJsonSchema({"type": "array", "items": _LINE_SCHEMA, "maxItems": offer_input.MAX_LINES}),
    Field(description="What is offered: {name, quantity, unit_price, optional …}"),
]
Packages = Annotated[
    list[Any],
    object_parser.build_validator(
        offer_input.parse_packages, lambda packages: [dump_package(package) for package in packages]
    ),
    WithJsonSchema({"type": "array", "items": _PACKAGE_SCHEMA, "maxItems": offer_input.MAX_PACKAGES}),
    Field(description="The client picks one: {name, price, features} or with line_items"),
]
Discount = Annotated[
    dict[str, Any],
    object_parser.build_validator(offer_input.parse_share, dump_share),
    WithJsonSchema(_SHARE_SCHEMA),
    Field(description="{percent: 10} or {amount: 50}; label is shown"),
]
Deposit = Annotated[
    dict[str, Any],
    object_parser.build_validator(offer_input.parse_share, dump_share),
    WithJsonSchema(_SHARE_SCHEMA),
    Field(description="Asked for on approval: {percent: 50} or {amount: 200}"),
]


def _normalize_percent(value: Any) -> str:
    return format_number(parse_percent(value))


TaxRate = Annotated[
    str,
    BeforeValidator(_normalize_percent),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 100}),
    Field(description="Percent, such as 8.5"),
]
Notes = Annotated[str, Lines(20_000), Field(description="Terms and conditions: read before signing")]
ValidUntil = Annotated[Day, Field(description="Last day to approve: 30 days from today when left out")]
TaxLabel = Annotated[str, Line(40, least=0), Field(description="What the tax is called, such as VAT")]
TaxInclusive = Annotated[bool, Field(description="Whether prices hold the tax: as in most of Europe")]
Language = Annotated[
    Literal[GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
    Field(description="Of mails to the client; the page follows the client's browser"),
]


@with_config(extra="forbid", strict=True)
class BusinessNumber(TypedDict):
    """A number of your business."""

    label: Annotated[str, Line(40)]
    value: Annotated[str, Line(60)]


PictureId = Annotated[
    str, Field(max_length=64, description="At its head: an upload_id of svc_upload_file; empty for none")
]


def _clean_video_url(text: str) -> str:
    return clean_web_address(text) if text.strip() else ""


Video = Annotated[
    str,
    AfterValidator(_clean_video_url),
    Field(max_length=500, description="A link below the introduction; empty for none"),
]
Numbers = Annotated[
    list[BusinessNumber],
    Field(max_length=6, description="Of your business, at its foot: {label: VAT ID, value: ATU12345678}"),
]
BidId = Annotated[Id, Field(description="From svc_bid_list, or the share link")]


class BidFields(TypedDict, total=False):
    """The fields of a proposal that can be set on creation and in an edit."""

    client_name: ClientName
    client_email: ClientEmail
    client_company: ClientCompany
    intro: Intro
    line_items: Annotated[LineItems, Field(default=[])]
    packages: Packages
    discount: Discount
    tax_rate: TaxRate
    deposit: Deposit
    notes: Notes
    valid_until: ValidUntil


class BidEdit(TypedDict, total=False):
    """The fields of a proposal that can be edited. The share link never changes."""

    title: Title
    client_name: ClientName
    client_email: ClientEmail
    client_company: ClientCompany
    intro: Intro
    line_items: LineItems
    packages: Packages
    discount: Discount
    tax_rate: TaxRate
    tax_label: TaxLabel
    tax_inclusive: TaxInclusive
    deposit: Deposit
    currency: Currency
    notes: Notes
    numbers: Numbers
    image_id: PictureId
    video_url: Video
    valid_until: ValidUntil
    language: Language
    live: Live
    password: GuestPassword
    expires_at: ExpiresAt


def _normalize_price(value: Any) -> str:
    return "" if value == "" else format_number(parse_money(value))


@with_config(extra="forbid")
class LibraryEntry(TypedDict, total=False):
    """A line to use again."""

    id: Annotated[Id, Field(description="Of one to change: from svc_bid_library; left out, one is made")]
    name: Annotated[str, Line(200)]
    description: Annotated[str, Lines(2000)]
    unit: Annotated[str, Line(40, least=0), Field(description="Such as hour")]
    unit_price: Annotated[
        str,
        BeforeValidator(_normalize_price),
        WithJsonSchema(_MONEY_SCHEMA),
        Field(description="For one; empty for none"),
    ]
    taxable: bool


LibraryEntries = Annotated[
    list[Annotated[LibraryEntry, require_when_new("name")]],
    Field(max_length=MAX_ITEMS, description="Lines to keep: {name, unit_price …}; with an id, changed"),
]
RemovedIds = Annotated[list[Id], Field(max_length=MAX_ITEMS, description="Ids of library items to take away")]
IdOrder = Annotated[list[Id], Field(max_length=2000, description="All ids in their new order")]


@with_config(extra="forbid", strict=True)
class SelectionInput(TypedDict):
    """What is taken."""

    package: NotRequired[Annotated[str, Field(max_length=40)]]
    options: NotRequired[Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=500)]]


ApprovedSelection = Annotated[
    SelectionInput, Field(description="What is approved: {package, options}, ids; as first shown if left out")
]
Note = Annotated[str, Lines(2000), Field(description="How they said it, for the record: by phone on Monday")]
MessageText = Annotated[str, Lines(5000), Field(description="Your own words to the client, above the rest")]
