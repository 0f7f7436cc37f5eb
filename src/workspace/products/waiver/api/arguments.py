"""Argument types of the waiver tools. An empty text or list clears the stored value."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema
from typing_extensions import TypedDict

from workspace.documents import glyph_coverage
from workspace.integrations.webhook_tools import WebhookUrl
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.web_address import clean_web_address
from workspace.products.waiver.domain import template_gallery
from workspace.products.waiver.rules.definition_input import (
    MAX_TEXT_LENGTH,
    QUESTION_TYPES,
    parse_clauses,
    parse_kiosk,
    parse_questions,
    parse_span,
)
from workspace.publishing.arguments import Hosts, Publishing, clean_email
from workspace.tools import object_parser
from workspace.tools.argument_types import Id, Line, Lines

MAX_EMAILS = 100


def _check_printable(text: str) -> str:
    if missing := glyph_coverage.find_unprintable(text):
        raise ValueError(f"These letters cannot be printed: {' '.join(missing[:5])}")
    return text


_CLAUSE_SCHEMA = {
    "type": "object",
    "properties": {
        "key": {"type": "string", "description": "Made from the title when left out"},
        "title": {"type": "string", "maxLength": 200},
        "text": {"type": "string", "description": "Markdown"},
        "initials": {"type": "boolean", "description": "Signers initial it"},
        "required": {"type": "boolean", "description": "Whether they have to; true when left out"},
    },
}
_QUESTION_SCHEMA = {
    "type": "object",
    "properties": {
        "key": {"type": "string"},
        "label": {"type": "string"},
        "type": {"type": "string", "enum": list(dict.fromkeys(QUESTION_TYPES.values()))},
        "required": {"type": "boolean"},
        "help": {"type": "string"},
        "options": {"type": "array", "items": {"type": "string"}},
        "flag": {
            "anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "string"}}],
            "description": "Tell me of such answers: true for any but no, or which",
        },
    },
}
_KIOSK_SCHEMA = {
    "type": "object",
    "properties": {
        "enabled": {"type": "boolean"},
        "pin": {"type": "string", "description": "4 to 8 digits that leave it"},
        "reset_seconds": {"type": "integer"},
    },
}

Title = Annotated[
    str, Line(200), AfterValidator(_check_printable), Field(description="What it is called; signers see it")
]
Text = Annotated[
    str,
    Lines(MAX_TEXT_LENGTH),
    AfterValidator(_check_printable),
    Field(description="What is signed, as Markdown; or clauses, or both"),
]
Clauses = Annotated[
    list[dict[str, Any]],
    object_parser.build_validator(parse_clauses),
    WithJsonSchema({"type": "array", "items": _CLAUSE_SCHEMA}),
    Field(description="Parts of the text: {title, text, initials}"),
]
Questions = Annotated[
    list[dict[str, Any]],
    object_parser.build_validator(parse_questions),
    WithJsonSchema({"type": "array", "items": _QUESTION_SCHEMA}),
    Field(description="What signers answer: {label, type, required, options}"),
]
ValidFor = Annotated[
    dict[str, Any],
    object_parser.build_validator(parse_span),
    WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "string"}]}),
    Field(description='How long it counts: {"years": 1}, {"days": 30}, "end_of_year", "never", or a last day'),
]
Kiosk = Annotated[
    dict[str, Any],
    object_parser.build_validator(parse_kiosk),
    WithJsonSchema(_KIOSK_SCHEMA),
    Field(description="A tablet at the door: {enabled, pin, reset_seconds}"),
]
Accepting = Annotated[bool, Field(description="Whether it can be signed; false shows that it cannot just now")]
AgeOfMajority = Annotated[int, Field(ge=16, le=21, description="From which age people sign for themselves")]
Minors = Annotated[
    Literal["allowed", "guardian", "refused"],
    Field(description="Minors sign themselves, a guardian signs for them, or they cannot take part"),
]
GuardianPart = Annotated[
    Literal["ask", "yes", "no"], Field(description="Whether who signs for minors takes part as well")
]
MaxMinors = Annotated[int, Field(ge=1, le=30, description="How many one guardian signs for at once")]
SignatureKind = Annotated[Literal["either", "typed", "drawn"], Field(description="How people sign")]
EmailRequired = Annotated[bool, Field(description="Signers must give an e-mail address")]
PhoneRequired = Annotated[bool, Field(description="Signers must give a phone number")]
Marketing = Annotated[
    str,
    Line(300, least=0),
    AfterValidator(_check_printable),
    Field(description="A box that signers may tick; empty for none"),
]
Language = Annotated[
    Literal[GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
    Field(description="In which it is written; of its mails"),
]

Reminders = Annotated[bool, Field(description="Mail signers two weeks before the end, to sign again")]
AskAgain = Annotated[bool, Field(description="With material: mail all who have to sign again")]


def _clean_redirect(text: str) -> str:
    return clean_web_address(text) if text.strip() else ""


RedirectUrl = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_clean_redirect),
    Field(description="Where signers go on to; empty for nowhere"),
]
CopySource = Annotated[
    Id, Field(description=f"One of yours, or a text that is ready: {', '.join(template_gallery.TEMPLATE_NAMES)}")
]
WaiverId = Annotated[Id, Field(description="From svc_waivers_list")]
SignatureId = Annotated[Id, Field(description="From svc_waiver_signatures")]
Material = Annotated[bool, Field(description="A change of text or clauses: true where all must sign again")]
UpdateExisting = Annotated[bool, Field(description="Apply valid_for to earlier signatures too; else only to new ones")]
Emails = Annotated[
    list[Annotated[str, Line(254), AfterValidator(clean_email)]],
    Field(min_length=1, max_length=MAX_EMAILS, description=f"Who is asked to sign, up to {MAX_EMAILS}"),
]
InvitationMessage = Annotated[str, Lines(2000), Field(description="A few words of yours")]
VoidReason = Annotated[str, Line(300), Field(description="Why; the signer reads it")]


class WaiverSettings(TypedDict, total=False):
    """Arguments shared by creating and editing a waiver."""

    text: Text
    clauses: Clauses
    questions: Questions
    valid_for: ValidFor
    accepting: Accepting
    age_of_majority: AgeOfMajority
    minors: Minors
    guardian_participates: GuardianPart
    max_minors: MaxMinors
    signature: SignatureKind
    email_required: EmailRequired
    phone_required: PhoneRequired
    marketing_opt_in: Marketing
    language: Language
    remind: Reminders
    kiosk: Kiosk
    redirect_url: RedirectUrl
    hosts: Hosts
    webhook_url: WebhookUrl


class NewWaiver(WaiverSettings, Publishing, total=False):
    """Arguments of a new waiver."""


class WaiverEdit(WaiverSettings, Publishing, total=False):
    title: Title
