"""Types of the certificate tools' arguments."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.brand.style import parse_color
from workspace.documents import glyph_coverage
from workspace.lib.errors import Issue
from workspace.products.certs import messages
from workspace.products.certs.domain.print_data import (
    PLACEHOLDERS,
    TYPEFACES,
    Design,
    Seal,
    find_unknown_placeholder,
)
from workspace.products.certs.domain.recipient_input import (
    RECIPIENT_SCHEMA,
    RECIPIENT_SHAPE,
    Recipient,
    parse_recipients,
)
from workspace.products.certs.rules.layout_elements import MAX_ELEMENTS as MOST_ELEMENTS
from workspace.products.certs.rules.layout_elements import Element, find_problems
from workspace.products.certs.rules.recipient_list_headings import MAX_RECIPIENTS
from workspace.publishing.shared_item_arguments import Publishing
from workspace.tools.argument_types import Id, Language, Line, Lines
from workspace.tools.object_parser import raise_argument_error


def check_printable(text: str) -> str:
    """Return the text. Raise ValueError if it contains a character that cannot be printed."""
    if missing := glyph_coverage.find_unprintable(text):
        raise ValueError(glyph_coverage.unprintable_message(missing))
    return text


def _check_placeholders(text: str) -> str:
    if wrong := find_unknown_placeholder(text):
        names = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
        raise ValueError(messages.UNKNOWN_PLACEHOLDER(placeholder=wrong, names=names))
    return text


def _clean_element(element: Element) -> Element:
    if text := element.get("text"):
        _check_placeholders(check_printable(text))
    if color := element.get("color"):
        element["color"] = _clean_color(color)
    return element


def _check_elements(elements: list[Element]) -> list[Element]:
    raise_argument_error([Issue(path, message) for path, message in find_problems(elements)], elements)
    return elements


def _clean_color(text: str) -> str:
    result = parse_color(text)
    if not result:
        raise ValueError(messages.INVALID_COLOR)
    return result


_PRINTABLE = AfterValidator(check_printable)
TemplateId = Annotated[Id, Field(description="Template ID, from svc_certs_templates.")]
CertificateId = Annotated[Id, Field(description="Certificate ID or code, or template ID.")]


@with_config(ConfigDict(extra="forbid", strict=True))
class Signer(TypedDict):
    name: Annotated[str, Line(80), _PRINTABLE, Field(description="Name of the signer.")]
    role: NotRequired[Annotated[str, Line(80, least=0), _PRINTABLE, Field(description="Role, such as Director.")]]
    image_id: NotRequired[Annotated[str, Line(40, least=0), Field(description="upload_id of the signature image.")]]


@with_config(ConfigDict(extra="forbid", strict=True))
class Layout(TypedDict, total=False):
    design: Annotated[Design, Field(description="Design of the certificate.")]
    paper: Annotated[Literal["a4", "letter"], Field(description="Paper size.")]
    landscape: Annotated[bool, Field(description="Whether the page is in landscape orientation.")]
    colors: Annotated[
        list[Annotated[str, AfterValidator(_clean_color)]],
        Field(max_length=2, description="Main and accent color. An empty list restores the brand colors."),
    ]
    fonts: Annotated[
        str,
        AfterValidator(lambda text: _check_fonts(text)),
        Field(
            description="Font of the title and name. An empty string restores the font of the brand or design.",
            json_schema_extra={"enum": ["", *TYPEFACES]},
        ),
    ]
    seal: Annotated[Seal, Field(description="Seal on the certificate.")]
    logo_id: Annotated[
        str, Line(40, least=0), Field(description="upload_id of the logo. An empty string restores the brand logo.")
    ]
    background_image_id: Annotated[
        str, Line(40, least=0), Field(description="upload_id of a full-page background image.")
    ]
    elements: Annotated[
        list[Annotated[Element, AfterValidator(_clean_element)]],
        AfterValidator(_check_elements),
        Field(
            max_length=MOST_ELEMENTS,
            description="Custom positions of all elements. An empty list restores the design's positions.",
        ),
    ]


def _check_fonts(text: str) -> str:
    if text and text not in TYPEFACES:
        raise ValueError(messages.NOT_ONE_OF(values=", ".join(TYPEFACES)))
    return text


class TemplateFields(Publishing, total=False):
    name: Annotated[str, Line(80), Field(description="Internal name. Required for a new template.")]
    title: Annotated[str, Line(120), _PRINTABLE, Field(description="Heading of the certificate.")]
    organization: Annotated[
        str, Line(120, least=0), _PRINTABLE, Field(description="Issuing organization. Defaults to your business.")
    ]
    signers: Annotated[list[Signer], Field(max_length=4, description="Up to 4 signers: {name, role, image_id}.")]
    layout: Annotated[
        Layout,
        Field(
            description=(
                "Layout: {design, paper, landscape, colors, fonts, seal}. It can also have logo_id, "
                "background_image_id and elements."
            )
        ),
    ]
    intro: Annotated[
        str,
        Line(200, least=0),
        _PRINTABLE,
        AfterValidator(_check_placeholders),
        Field(description="Line above the name."),
    ]
    body: Annotated[
        str,
        Line(400, least=0),
        _PRINTABLE,
        AfterValidator(_check_placeholders),
        Field(description="Text below the name. Placeholders: {course}, {date}, {hours}, {custom}."),
    ]
    description: Annotated[str, Line(600, least=0), _PRINTABLE, Field(description="Small print about the course.")]
    criteria: Annotated[str, Lines(2000), Field(description="Requirements, shown on the public page.")]
    skills: Annotated[
        list[Annotated[str, Line(60)]], Field(max_length=20, description="Skills, shown on the public page.")
    ]
    hours_label: Annotated[str, Line(40, least=0), _PRINTABLE, Field(description="Label for hours, such as Credits.")]
    custom_label: Annotated[
        str, Line(40, least=0), _PRINTABLE, Field(description="Label for the custom text, such as Grade.")
    ]
    valid_months: Annotated[int, Field(ge=0, le=600, description="Validity in months. 0 means no expiry.")]
    language: Annotated[Language, Field(description="Language of dates and standard wording, such as en or de.")]
    mail_subject: Annotated[
        str, Line(150, least=0), AfterValidator(_check_placeholders), Field(description="Subject of the email.")
    ]
    mail_text: Annotated[str, Lines(2000), AfterValidator(_check_placeholders), Field(description="Text of the email.")]


Recipients = Annotated[
    list[Annotated[Recipient, RECIPIENT_SCHEMA]],
    BeforeValidator(parse_recipients),
    Field(
        min_length=1,
        max_length=MAX_RECIPIENTS,
        description=f"Up to {MAX_RECIPIENTS} recipients, as names or objects. An object is {RECIPIENT_SHAPE}.",
    ),
]
Course = Annotated[str, Line(200, least=0), _PRINTABLE, Field(description="Default course for all recipients.")]
DateText = Annotated[
    str,
    Line(60, least=0),
    _PRINTABLE,
    Field(description="Default date for all recipients, as YYYY-MM-DD or text."),
]
Hours = Annotated[str, Line(40, least=0), _PRINTABLE, Field(description="Default number of hours for all recipients.")]
Custom = Annotated[str, Line(200, least=0), _PRINTABLE, Field(description="Default custom text for all recipients.")]
State = Annotated[
    Literal["valid", "revoked"], Field(description="New state: revoked, or valid (restores the certificate).")
]
Reason = Annotated[str, Line(300, least=0), Field(description="Reason, shown on the verification page.")]
Name = Annotated[str, Line(120), _PRINTABLE, Field(description="Corrected name. For one certificate only.")]
ExpiresOn = Annotated[
    str, Line(10, least=0), Field(description="Last valid day, YYYY-MM-DD. An empty string removes it.")
]


class CertificateChanges(TypedDict, total=False):
    state: State
    reason: Reason
    name: Name
    email: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=254), Field(description="Recipient's email address.")
    ]
    course: Annotated[str, Line(200, least=0), _PRINTABLE, Field(description="Corrected course.")]
    date: Annotated[str, Line(60, least=0), _PRINTABLE, Field(description="Date, as YYYY-MM-DD or text.")]
    hours: Annotated[str, Line(40, least=0), _PRINTABLE, Field(description="Corrected hours.")]
    custom: Annotated[str, Line(200, least=0), _PRINTABLE, Field(description="Corrected custom text.")]
    expires_on: ExpiresOn


Notify = Annotated[
    bool,
    Field(
        description=(
            "Whether to email the recipients. Without other changes, resends the certificate. Defaults to false."
        )
    ),
]
