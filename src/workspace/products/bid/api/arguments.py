"""Types of the proposal tools' arguments.

An empty string, list or object clears the previous value.
"""

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
from workspace.publishing.shared_item_arguments import MAX_EMAIL_LENGTH, ExpiresAt, GuestPassword, Live, clean_email
from workspace.tools import object_parser
from workspace.tools.argument_types import Day, Id, Line, Lines, require_when_new

MAX_ITEMS = 200


_MONEY_SCHEMA = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}]}
_LINE_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Name of the line item."},
        "description": {"type": "string", "description": "Description below the name."},
        "quantity": {"type": "number", "description": "Quantity. Defaults to 1."},
        "unit_price": {**_MONEY_SCHEMA, "description": 'Price per unit, as a number or text like "1,250.00".'},
        "unit": {"type": "string", "description": "Unit, such as hour or m²."},
        "optional": {"type": "boolean", "description": "Whether the line item is optional for the client."},
        "selected": {"type": "boolean", "description": "Whether an optional line item is preselected."},
        "taxable": {"type": "boolean", "description": "Whether the line item is taxed. Defaults to true."},
        "section": {"type": "string", "description": "Heading above the line items of a section."},
        "id": {"type": "string", "description": "ID of an existing line item, from svc_bid_get."},
        "total": {"type": "number", "description": "Line total. Must equal quantity × unit_price."},
    },
}
_PACKAGE_SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Package name, such as Basic."},
        "description": {"type": "string", "description": "Description below the name."},
        "price": {**_MONEY_SCHEMA, "description": "Package price. Omit it if you use line_items."},
        "features": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Short phrases that describe what is included.",
        },
        "recommended": {"type": "boolean", "description": "Whether the package is recommended. Only one can be."},
        "taxable": {"type": "boolean", "description": "Whether the line item is taxed. Defaults to true."},
        "line_items": {"type": "array", "items": {"type": "object"}, "description": "Line items of the package."},
        "id": {"type": "string", "description": "ID of an existing package, from svc_bid_get."},
        "total": {"type": "number", "description": "Package total. Must equal the sum of its line items."},
    },
}
_SHARE_SCHEMA = {
    "type": "object",
    "properties": {
        "type": {"enum": ["percent", "amount"], "description": "Type of the discount."},
        "value": {**_MONEY_SCHEMA, "description": "Percentage or amount, depending on type."},
        "label": {"type": "string", "description": "Label shown to the client."},
        "percent": {"type": "number", "description": "Discount as a percentage, instead of type and value."},
        "amount": {**_MONEY_SCHEMA, "description": "Discount as an amount, instead of type and value."},
    },
}

Title = Annotated[str, Line(200), Field(description="Title of the proposal, shown to the client.")]
ClientName = Annotated[str, Line(120, least=0), Field(description="Name of the person who approves.")]
ClientEmail = Annotated[
    str,
    Line(MAX_EMAIL_LENGTH, least=0),
    AfterValidator(clean_email),
    Field(description="Client's email address, used by svc_bid_send."),
]
ClientCompany = Annotated[str, Line(120, least=0), Field(description="Client's company.")]
Intro = Annotated[str, Lines(5000), Field(description="Introduction above the prices.")]
LineItems = Annotated[
    list[Any],
    object_parser.build_validator(offer_input.parse_lines, lambda lines: [dump_line(line) for line in lines]),
    WithJsonSchema({"type": "array", "items": _LINE_SCHEMA, "maxItems": offer_input.MAX_LINES}),
    Field(description="Line items: {name, quantity, unit_price, optional}."),
]
Packages = Annotated[
    list[Any],
    object_parser.build_validator(
        offer_input.parse_packages, lambda packages: [dump_package(package) for package in packages]
    ),
    WithJsonSchema({"type": "array", "items": _PACKAGE_SCHEMA, "maxItems": offer_input.MAX_PACKAGES}),
    Field(description=("Packages to choose from: {name, price, features}. A package can also have line_items.")),
]
Discount = Annotated[
    dict[str, Any],
    object_parser.build_validator(offer_input.parse_share, dump_share),
    WithJsonSchema(_SHARE_SCHEMA),
    Field(description='Discount: {"percent": 10} or {"amount": 50}. The client sees its label.'),
]
Deposit = Annotated[
    dict[str, Any],
    object_parser.build_validator(offer_input.parse_share, dump_share),
    WithJsonSchema(_SHARE_SCHEMA),
    Field(description='Deposit on approval: {"percent": 50} or {"amount": 200}.'),
]


def _normalize_percent(value: Any) -> str:
    return format_number(parse_percent(value))


TaxRate = Annotated[
    str,
    BeforeValidator(_normalize_percent),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 100}),
    Field(description="Tax rate in percent, such as 8.5."),
]
Notes = Annotated[str, Lines(20_000), Field(description="Terms and conditions.")]
ValidUntil = Annotated[
    Day, Field(description="Last day on which the client can approve. Defaults to 30 days from now.")
]
TaxLabel = Annotated[str, Line(40, least=0), Field(description="Name of the tax, such as VAT.")]
TaxInclusive = Annotated[bool, Field(description="Whether prices include tax, as in most of Europe.")]
Language = Annotated[
    Literal[GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
    Field(description="Language of emails to the client. The page follows the client's browser."),
]


@with_config(extra="forbid", strict=True)
class BusinessNumber(TypedDict):
    """A business number."""

    label: Annotated[str, Line(40), Field(description="Label, such as VAT ID.")]
    value: Annotated[str, Line(60), Field(description="The number.")]


PictureId = Annotated[str, Field(max_length=64, description="Header image: upload_id. An empty string removes it.")]


def _clean_video_url(text: str) -> str:
    return clean_web_address(text) if text.strip() else ""


Video = Annotated[
    str,
    AfterValidator(_clean_video_url),
    Field(max_length=500, description="Video link below the introduction. An empty string removes it."),
]
Numbers = Annotated[
    list[BusinessNumber],
    Field(
        max_length=6,
        description=(
            'Business numbers in the footer: {label, value}. Example: {"label": "VAT ID", "value": "ATU12345678"}.'
        ),
    ),
]
BidId = Annotated[Id, Field(description="Proposal ID, from svc_bid_list. The share link also works.")]


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
    """A saved line item."""

    id: Annotated[Id, Field(description="ID of a saved line item, from svc_bid_library. Omit it to create a new one.")]
    name: Annotated[str, Line(200), Field(description="Name of the line item.")]
    description: Annotated[str, Lines(2000), Field(description="Description below the name.")]
    unit: Annotated[str, Line(40, least=0), Field(description="Unit, such as hour.")]
    unit_price: Annotated[
        str,
        BeforeValidator(_normalize_price),
        WithJsonSchema(_MONEY_SCHEMA),
        Field(description="Price per unit. An empty string removes it."),
    ]
    taxable: Annotated[bool, Field(description="Whether the line item is taxed. Defaults to true.")]


LibraryEntries = Annotated[
    list[Annotated[LibraryEntry, require_when_new("name")]],
    Field(max_length=MAX_ITEMS, description="Line items to create (without id) or update (with id)."),
]
RemovedIds = Annotated[list[Id], Field(max_length=MAX_ITEMS, description="IDs of library items to delete.")]
IdOrder = Annotated[list[Id], Field(max_length=2000, description="All IDs, in their new order.")]


@with_config(extra="forbid", strict=True)
class SelectionInput(TypedDict):
    """The chosen package and options."""

    package: NotRequired[Annotated[str, Field(max_length=40, description="Package ID.")]]
    options: NotRequired[
        Annotated[
            list[Annotated[str, Field(max_length=40)]],
            Field(max_length=500, description="IDs of the optional line items that the client chose."),
        ]
    ]


ApprovedSelection = Annotated[
    SelectionInput,
    Field(description="IDs of what the client approved: {package, options}. Defaults to the preselected options."),
]
Note = Annotated[str, Lines(2000), Field(description='How the client decided, such as "by phone on Monday". Optional.')]
MessageText = Annotated[str, Lines(5000), Field(description="Your message to the client. Optional.")]
