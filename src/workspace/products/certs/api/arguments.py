"""The types of the arguments of the certificate tools."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StringConstraints, with_config
from typing_extensions import TypedDict

from workspace.brand.languages import Language
from workspace.brand.style import colour_of
from workspace.documents import glyph_coverage
from workspace.lib.errors import Issue
from workspace.products.certs.domain.print_data import FACES, Design, Seal, unknown_placeholder
from workspace.products.certs.domain.recipients import MOST, RECIPIENTS, WRITTEN, Recipient, read_recipients
from workspace.products.certs.rules.layout_elements import MOST as MOST_ELEMENTS
from workspace.products.certs.rules.layout_elements import Element, problems
from workspace.publishing.arguments import Publishing
from workspace.tools.argument_types import Id, Line, Lines
from workspace.tools.object_parser import raise_from


def printed(text: str) -> str:
    if missing := glyph_coverage.missing(text):
        raise ValueError(glyph_coverage.refusal(missing))
    return text


def _placeholders(text: str) -> str:
    if wrong := unknown_placeholder(text):
        raise ValueError(
            f"There is no {wrong}: use {{name}}, {{course}}, {{date}}, {{hours}}, {{custom}}, {{code}} or "
            "{organization}"
        )
    return text


def _element(one: Element) -> Element:
    if text := one.get("text"):
        _placeholders(printed(text))
    if colour := one.get("colour"):
        one["colour"] = _colour(colour)
    return one


def _together(elements: list[Element]) -> list[Element]:
    raise_from([Issue(path, message) for path, message in problems(elements)], elements)
    return elements


def _colour(text: str) -> str:
    found = colour_of(text)
    if not found:
        raise ValueError("Write the colour as #rrggbb, such as #17604b")
    return found


_Printed = AfterValidator(printed)
TemplateId = Annotated[Id, Field(description="Which template; from svc_certs_templates")]
CertificateId = Annotated[Id, Field(description="A certificate's id or code, or a template's id")]


@with_config(ConfigDict(extra="forbid", strict=True))
class Signer(TypedDict):
    name: Annotated[str, Line(80), _Printed]
    role: NotRequired[Annotated[str, Line(80, least=0), _Printed]]
    image_id: NotRequired[
        Annotated[str, Line(40, least=0), Field(description="Picture of the signature, from svc_upload_file")]
    ]


@with_config(ConfigDict(extra="forbid", strict=True))
class Layout(TypedDict, total=False):
    design: Design
    paper: Literal["a4", "letter"]
    landscape: bool
    colours: Annotated[
        list[Annotated[str, AfterValidator(_colour)]],
        Field(max_length=2, description="Main colour and accent; the brand's where empty"),
    ]
    fonts: Annotated[
        str,
        AfterValidator(lambda text: _among(text)),
        Field(
            description="Of title and name; the brand's or the design's where empty",
            json_schema_extra={"enum": ["", *FACES]},
        ),
    ]
    seal: Seal
    logo_id: Annotated[str, Line(40, least=0), Field(description="From svc_upload_file; the brand's where empty")]
    background_id: Annotated[str, Line(40, least=0), Field(description="A picture that fills the page")]
    elements: Annotated[
        list[Annotated[Element, AfterValidator(_element)]],
        AfterValidator(_together),
        Field(max_length=MOST_ELEMENTS, description="All parts placed by hand; empty: as the design has them"),
    ]


def _among(text: str) -> str:
    if text and text not in FACES:
        raise ValueError(f"Must be one of {', '.join(FACES)}")
    return text


class TemplateFields(Publishing, total=False):
    name: Annotated[str, Line(80), Field(description="What you call it; needed for a new one")]
    title: Annotated[str, Line(120), _Printed, Field(description="Heading of the certificate")]
    organization: Annotated[str, Line(120, least=0), _Printed, Field(description="Who issues it: your business")]
    signers: Annotated[list[Signer], Field(max_length=4, description="Up to 4: {name, role, image_id}")]
    layout: Annotated[Layout, Field(description="{design, paper, landscape, colours, fonts, seal, logo_id, elements}")]
    lead: Annotated[
        str, Line(200, least=0), _Printed, AfterValidator(_placeholders), Field(description="Line above the name")
    ]
    body: Annotated[
        str,
        Line(400, least=0),
        _Printed,
        AfterValidator(_placeholders),
        Field(description="Below the name: {course}, {date}, {hours}, {custom} are filled in"),
    ]
    description: Annotated[str, Line(600, least=0), _Printed, Field(description="Small print: what the course was")]
    criteria: Annotated[str, Lines(2000), Field(description="What it takes to earn one; on its public page")]
    skills: Annotated[list[Annotated[str, Line(60)]], Field(max_length=20, description="Shown on its public page")]
    hours_label: Annotated[
        str, Line(40, least=0), _Printed, Field(description="What hours are called: such as Credits")
    ]
    custom_label: Annotated[str, Line(40, least=0), _Printed, Field(description="What custom is called: such as Grade")]
    valid_months: Annotated[int, Field(ge=0, le=600, description="How long one is valid: 0 for ever")]
    language: Annotated[Language, Field(description="Language of its dates and words, as en or de")]
    mail_subject: Annotated[
        str, Line(150, least=0), AfterValidator(_placeholders), Field(description="Of the mail it comes with")
    ]
    mail_text: Annotated[str, Lines(2000), AfterValidator(_placeholders), Field(description="Words of that mail")]


Recipients = Annotated[
    list[Annotated[Recipient, WRITTEN]],
    BeforeValidator(read_recipients),
    Field(
        min_length=1,
        max_length=MOST,
        description=f"Up to {MOST}: names, or {RECIPIENTS}",
    ),
]
Course = Annotated[str, Line(200, least=0), _Printed, Field(description="Course of those that name none")]
DateText = Annotated[
    str, Line(60, least=0), _Printed, Field(description="Date of those that have none: YYYY-MM-DD or words")
]
Hours = Annotated[str, Line(40, least=0), _Printed, Field(description="Hours of those that have none")]
Custom = Annotated[str, Line(200, least=0), _Printed, Field(description="Own text of those that have none")]
State = Annotated[Literal["valid", "revoked"], Field(description="revoked takes them back; valid restores them")]
Reason = Annotated[str, Line(300, least=0), Field(description="Why: shown where it is verified")]
Name = Annotated[str, Line(120), _Printed, Field(description="Corrected name: of one certificate only")]
Expires = Annotated[str, Line(10, least=0), Field(description="Last valid day, YYYY-MM-DD; empty for none")]


class Changes(TypedDict, total=False):
    state: State
    reason: Reason
    name: Name
    email: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=254), Field(description="Where it is mailed to")
    ]
    course: Annotated[str, Line(200, least=0), _Printed]
    date: Annotated[str, Line(60, least=0), _Printed, Field(description="YYYY-MM-DD or words")]
    hours: Annotated[str, Line(40, least=0), _Printed]
    custom: Annotated[str, Line(200, least=0), _Printed]
    expires: Expires


Notify = Annotated[bool, Field(description="Mail it to them; alone it sends it again")]
