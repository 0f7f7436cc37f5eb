"""Types of the certificate tools' arguments."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.brand.style import parse_color
from workspace.documents import glyph_coverage
from workspace.lib.errors import Issue
from workspace.products.certs.domain.print_data import TYPEFACES, Design, Seal, find_unknown_placeholder
from workspace.products.certs.domain.recipients import (
    MAX_RECIPIENTS,
    RECIPIENT_SCHEMA,
    RECIPIENT_SHAPE,
    Recipient,
    parse_recipients,
)
from workspace.products.certs.rules.layout_elements import MAX_ELEMENTS as MOST_ELEMENTS
from workspace.products.certs.rules.layout_elements import Element, find_problems
from workspace.publishing.arguments import Publishing
from workspace.tools.argument_types import Id, Language, Line, Lines
from workspace.tools.object_parser import raise_argument_error


def check_printable(text: str) -> str:
    """Return the text. Raise ValueError if a character cannot be printed."""
    if missing := glyph_coverage.find_unprintable(text):
        raise ValueError(glyph_coverage.error_message(missing))
    return text


def _check_placeholders(text: str) -> str:
    if wrong := find_unknown_placeholder(text):
        raise ValueError(
            f"There is no {wrong}: use {{name}}, {{course}}, {{date}}, {{hours}}, {{custom}}, {{code}} or "
            "{organization}"
        )
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
        raise ValueError("Write the color as #rrggbb, such as #17604b")
    return result


_PRINTABLE = AfterValidator(check_printable)
TemplateId = Annotated[Id, Field(description="Which template; from svc_certs_templates")]
CertificateId = Annotated[Id, Field(description="A certificate's id or code, or a template's id")]


@with_config(ConfigDict(extra="forbid", strict=True))
class Signer(TypedDict):
    name: Annotated[str, Line(80), _PRINTABLE]
    role: NotRequired[Annotated[str, Line(80, least=0), _PRINTABLE]]
    image_id: NotRequired[
        Annotated[str, Line(40, least=0), Field(description="Picture of the signature, from svc_upload_file")]
    ]


@with_config(ConfigDict(extra="forbid", strict=True))
class Layout(TypedDict, total=False):
    design: Design
    paper: Literal["a4", "letter"]
    landscape: bool
    colors: Annotated[
        list[Annotated[str, AfterValidator(_clean_color)]],
        Field(max_length=2, description="Main color and accent; the brand's where empty"),
    ]
    fonts: Annotated[
        str,
        AfterValidator(lambda text: _check_fonts(text)),
        Field(
            description="Of title and name; the brand's or the design's where empty",
            json_schema_extra={"enum": ["", *TYPEFACES]},
        ),
    ]
    seal: Seal
    logo_id: Annotated[str, Line(40, least=0), Field(description="From svc_upload_file; the brand's where empty")]
    background_image_id: Annotated[str, Line(40, least=0), Field(description="A picture that fills the page")]
    elements: Annotated[
        list[Annotated[Element, AfterValidator(_clean_element)]],
        AfterValidator(_check_elements),
        Field(max_length=MOST_ELEMENTS, description="All parts placed by hand; empty: as the design has them"),
    ]


def _check_fonts(text: str) -> str:
    if text and text not in TYPEFACES:
        raise ValueError(f"Must be one of {', '.join(TYPEFACES)}")
    return text


class TemplateFields(Publishing, total=False):
    name: Annotated[str, Line(80), Field(description="What you call it; needed for a new one")]
    title: Annotated[str, Line(120), _PRINTABLE, Field(description="Heading of the certificate")]
    organization: Annotated[str, Line(120, least=0), _PRINTABLE, Field(description="Who issues it: your business")]
    signers: Annotated[list[Signer], Field(max_length=4, description="Up to 4: {name, role, image_id}")]
    layout: Annotated[Layout, Field(description="{design, paper, landscape, colors, fonts, seal, logo_id, elements}")]
    intro: Annotated[
        str,
        Line(200, least=0),
        _PRINTABLE,
        AfterValidator(_check_placeholders),
        Field(description="Line above the name"),
    ]
    body: Annotated[
        str,
        Line(400, least=0),
        _PRINTABLE,
        AfterValidator(_check_placeholders),
        Field(description="Below the name: {course}, {date}, {hours}, {custom} are filled in"),
    ]
    description: Annotated[str, Line(600, least=0), _PRINTABLE, Field(description="Small print: what the course was")]
    criteria: Annotated[str, Lines(2000), Field(description="What it takes to earn one; on its public page")]
    skills: Annotated[list[Annotated[str, Line(60)]], Field(max_length=20, description="Shown on its public page")]
    hours_label: Annotated[
        str, Line(40, least=0), _PRINTABLE, Field(description="What hours are called: such as Credits")
    ]
    custom_label: Annotated[
        str, Line(40, least=0), _PRINTABLE, Field(description="What custom is called: such as Grade")
    ]
    valid_months: Annotated[int, Field(ge=0, le=600, description="How long one is valid: 0 for ever")]
    language: Annotated[Language, Field(description="Language of its dates and words, as en or de")]
    mail_subject: Annotated[
        str, Line(150, least=0), AfterValidator(_check_placeholders), Field(description="Of the mail it comes with")
    ]
    mail_text: Annotated[str, Lines(2000), AfterValidator(_check_placeholders), Field(description="Words of that mail")]


Recipients = Annotated[
    list[Annotated[Recipient, RECIPIENT_SCHEMA]],
    BeforeValidator(parse_recipients),
    Field(
        min_length=1,
        max_length=MAX_RECIPIENTS,
        description=f"Up to {MAX_RECIPIENTS}: names, or {RECIPIENT_SHAPE}",
    ),
]
Course = Annotated[str, Line(200, least=0), _PRINTABLE, Field(description="Course of those that name none")]
DateText = Annotated[
    str, Line(60, least=0), _PRINTABLE, Field(description="Date of those that have none: YYYY-MM-DD or words")
]
Hours = Annotated[str, Line(40, least=0), _PRINTABLE, Field(description="Hours of those that have none")]
Custom = Annotated[str, Line(200, least=0), _PRINTABLE, Field(description="Own text of those that have none")]
State = Annotated[Literal["valid", "revoked"], Field(description="revoked takes them back; valid restores them")]
Reason = Annotated[str, Line(300, least=0), Field(description="Why: shown where it is verified")]
Name = Annotated[str, Line(120), _PRINTABLE, Field(description="Corrected name: of one certificate only")]
ExpiresOn = Annotated[str, Line(10, least=0), Field(description="Last valid day, YYYY-MM-DD; empty for none")]


class CertificateChanges(TypedDict, total=False):
    state: State
    reason: Reason
    name: Name
    email: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=254), Field(description="Where it is mailed to")
    ]
    course: Annotated[str, Line(200, least=0), _PRINTABLE]
    date: Annotated[str, Line(60, least=0), _PRINTABLE, Field(description="YYYY-MM-DD or words")]
    hours: Annotated[str, Line(40, least=0), _PRINTABLE]
    custom: Annotated[str, Line(200, least=0), _PRINTABLE]
    expires_on: ExpiresOn


Notify = Annotated[bool, Field(description="Mail it to them; alone it sends it again")]
