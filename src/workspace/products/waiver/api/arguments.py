"""Argument types of the waiver tools. An empty string or list clears the stored value."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema
from typing_extensions import TypedDict

from workspace.documents import glyph_coverage
from workspace.integrations.webhook_tools import WebhookUrl
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.web_address import clean_web_address
from workspace.products.waiver import messages
from workspace.products.waiver.domain import template_gallery
from workspace.products.waiver.rules.definition_input import (
    MAX_TEXT_LENGTH,
    QUESTION_TYPES,
    parse_clauses,
    parse_kiosk,
    parse_questions,
    parse_span,
)
from workspace.publishing.shared_item_arguments import Hosts, Publishing, clean_email
from workspace.tools import object_parser
from workspace.tools.argument_types import Id, Line, Lines

MAX_EMAILS = 100


def _check_printable(text: str) -> str:
    if missing := glyph_coverage.find_unprintable(text):
        raise ValueError(messages.UNPRINTABLE_CHARACTERS(letters=" ".join(missing[:5])))
    return text


_CLAUSE_SCHEMA = {
    "type": "object",
    "properties": {
        "key": {"type": "string", "description": "Key of the clause. Generated from the title by default."},
        "title": {"type": "string", "maxLength": 200, "description": "Heading of the clause."},
        "text": {"type": "string", "description": "Text in Markdown."},
        "initials": {"type": "boolean", "description": "Whether signers must initial the clause."},
        "required": {"type": "boolean", "description": "Whether the clause is required. Defaults to true."},
    },
}
_QUESTION_SCHEMA = {
    "type": "object",
    "properties": {
        "key": {"type": "string", "description": "Key of the question. Generated from the label by default."},
        "label": {"type": "string", "description": "Text of the question."},
        "type": {
            "type": "string",
            "enum": list(dict.fromkeys(QUESTION_TYPES.values())),
            "description": "Type of answer.",
        },
        "required": {"type": "boolean", "description": "Whether an answer is required."},
        "help": {"type": "string", "description": "Help text below the question."},
        "options": {"type": "array", "items": {"type": "string"}, "description": "Options of a choice question."},
        "flag": {
            "anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "string"}}],
            "description": "Answers to notify you about: true (all but no), or a list.",
        },
    },
}
_KIOSK_SCHEMA = {
    "type": "object",
    "properties": {
        "enabled": {"type": "boolean", "description": "Whether kiosk mode is on."},
        "pin": {"type": "string", "description": "PIN to exit kiosk mode, with 4 to 8 digits."},
        "reset_seconds": {
            "type": "integer",
            "description": "Delay in seconds before kiosk mode restarts after signing.",
        },
    },
}

Title = Annotated[str, Line(200), AfterValidator(_check_printable), Field(description="Waiver title shown to signers.")]
Text = Annotated[
    str,
    Lines(MAX_TEXT_LENGTH),
    AfterValidator(_check_printable),
    Field(description="Text to sign, in Markdown. Use text, clauses or both."),
]
Clauses = Annotated[
    list[dict[str, Any]],
    object_parser.build_validator(parse_clauses),
    WithJsonSchema({"type": "array", "items": _CLAUSE_SCHEMA}),
    Field(description="Parts of the text: {title, text, initials}."),
]
Questions = Annotated[
    list[dict[str, Any]],
    object_parser.build_validator(parse_questions),
    WithJsonSchema({"type": "array", "items": _QUESTION_SCHEMA}),
    Field(description="Questions: {label, type, required, options}."),
]
ValidFor = Annotated[
    dict[str, Any],
    object_parser.build_validator(parse_span),
    WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "string"}]}),
    Field(
        description=(
            'Validity: {"years": 1}, {"days": 30}, end_of_year or never. Or the last day, YYYY-MM-DD. Defaults to '
            "one year."
        )
    ),
]
Kiosk = Annotated[
    dict[str, Any],
    object_parser.build_validator(parse_kiosk),
    WithJsonSchema(_KIOSK_SCHEMA),
    Field(description="Kiosk mode for a tablet: {enabled, pin, reset_seconds}."),
]
Accepting = Annotated[bool, Field(description="Whether the waiver accepts signatures.")]
AgeOfMajority = Annotated[int, Field(ge=16, le=21, description="Age at which people can sign for themselves.")]
Minors = Annotated[
    Literal["allowed", "guardian", "refused"],
    Field(description="Whether minors sign alone, through a guardian, or not at all."),
]
GuardianPart = Annotated[Literal["ask", "yes", "no"], Field(description="Whether the guardian also takes part.")]
MaxMinors = Annotated[int, Field(ge=1, le=30, description="Maximum number of minors per guardian.")]
SignatureKind = Annotated[
    Literal["either", "typed", "drawn"], Field(description="Signature method: typed, drawn or either.")
]
EmailRequired = Annotated[bool, Field(description="Whether an email address is required.")]
PhoneRequired = Annotated[bool, Field(description="Whether a phone number is required.")]
Marketing = Annotated[
    str,
    Line(300, least=0),
    AfterValidator(_check_printable),
    Field(description="Label of a marketing checkbox. An empty string removes it."),
]
Language = Annotated[
    Literal[GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
    Field(description="Language of the waiver and its emails."),
]

Reminders = Annotated[bool, Field(description="Whether to remind signers two weeks before expiry.")]
AskAgain = Annotated[
    bool, Field(description="Whether to email everyone who must sign again. Requires material=true. Defaults to false.")
]


def _clean_redirect(text: str) -> str:
    return clean_web_address(text) if text.strip() else ""


RedirectUrl = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_clean_redirect),
    Field(description="URL of the page to open after signing. An empty string removes it."),
]
CopySource = Annotated[
    Id,
    Field(
        description="Waiver to copy, or a template such as climbing. "
        f"Templates: {', '.join(template_gallery.TEMPLATE_NAMES)}."
    ),
]
WaiverId = Annotated[Id, Field(description="Waiver ID, from svc_waivers_list.")]
SignatureId = Annotated[Id, Field(description="Signature ID, from svc_waiver_signatures.")]
Material = Annotated[bool, Field(description="Whether everyone must sign the new wording.")]
UpdateExisting = Annotated[
    bool, Field(description="Whether to also apply valid_for to earlier signatures. Defaults to false.")
]
Emails = Annotated[
    list[Annotated[str, Line(254), AfterValidator(clean_email)]],
    Field(min_length=1, max_length=MAX_EMAILS, description=f"Up to {MAX_EMAILS} email addresses."),
]
InvitationMessage = Annotated[str, Lines(2000), Field(description="Personal message in the email. Optional.")]
VoidReason = Annotated[str, Line(300), Field(description="Reason shown to the signer.")]


class WaiverSettings(TypedDict, total=False):
    """Arguments for creating and editing a waiver."""

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
