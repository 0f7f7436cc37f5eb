"""Types of the form tools' arguments. `form_input.py` validates the contents of fields and pages."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, WithJsonSchema, with_config
from typing_extensions import TypedDict

from workspace.brand.style import parse_color
from workspace.delivery import webhooks
from workspace.lib.errors import Issue
from workspace.lib.languages import GUEST_LANGUAGES
from workspace.lib.web_address import clean_web_address
from workspace.products.form.rules import field_types
from workspace.products.form.rules.field_input import FIELD_SETTINGS, parse_key
from workspace.products.form.rules.form_input import MAX_FIELDS, MAX_PAGES, parse_form
from workspace.publishing.shared_item_arguments import Hosts, Publishing, clean_email
from workspace.tools.argument_types import Id, Line, Lines, MomentText
from workspace.tools.object_parser import (
    Issues,
    ObjectReader,
    line_parser,
    lines_parser,
    parse_array,
    parse_flag,
    raise_argument_error,
)

MAX_BATCH_SIZE = 200
_CONDITION_SCHEMA = {
    "type": "object",
    "description": 'Condition, such as {"field": "age", "gte": 18}. Combine conditions with all, any and not.',
}
_LIMIT_TYPES = ["number", "string"]
_MINIMUM = "Minimum number, date (or today), or number of choices."
_MAXIMUM = "Maximum number, date (or today), or number of choices."
FIELD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "key": {"type": "string", "description": "Key of the field. Generated from the label by default."},
        "label": {"type": "string", "description": "Label of the field or text of the question."},
        "type": {
            "type": "string",
            "description": "Field type, such as email, date or single_choice. Defaults to short_text. "
            f"All: {', '.join(field_types.TYPES)}.",
        },
        "required": {"type": "boolean", "description": "Whether an answer is required. Defaults to true for consent."},
        "hint": {"type": "string", "description": "Help text below the question."},
        "placeholder": {"type": "string", "description": "Example text shown in the empty field."},
        "default": {"description": "Default value."},
        "options": {"type": "array", "items": {}, "description": "Options, as strings or as {label, value, score}."},
        "other": {"type": "boolean", "description": "Whether to allow a custom answer."},
        "min": {"type": _LIMIT_TYPES, "description": _MINIMUM},
        "max": {"type": _LIMIT_TYPES, "description": _MAXIMUM},
        "step": {"type": "number", "description": "Interval between allowed numbers."},
        "whole": {"type": "boolean", "description": "Whether only whole numbers are allowed."},
        "decimals": {
            "type": "integer",
            "description": "Number of decimal places of a calculated value. Defaults to 2.",
        },
        "min_length": {"type": "integer", "description": "Minimum number of characters."},
        "max_length": {"type": "integer", "description": "Maximum number of characters."},
        "pattern": {"type": "string", "description": "Regular expression, such as [A-Z]{2}[0-9]{4}."},
        "accept": {
            "type": "array",
            "items": {"type": "string"},
            "description": 'Allowed file extensions, such as ["pdf", "jpg"].',
        },
        "max_files": {"type": "integer", "description": "Maximum number of files."},
        "max_mb": {"type": "integer", "description": "Maximum size of each file, in MB."},
        "show_if": _CONDITION_SCHEMA,
        "require_if": _CONDITION_SCHEMA,
        "hidden": {
            "type": "boolean",
            "description": "Whether the field is hidden. The URL fills it in (?key=value).",
        },
        "formula": {"type": "string", "description": "Formula of a calculated field, such as {guests} * 28.5."},
        "section": {
            "type": "boolean",
            "description": "For a heading: whether show_if applies to all fields below.",
        },
    },
}
_JUMPS_SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "if": _CONDITION_SCHEMA,
            "go_to": {"type": "string", "description": "Key of a later page, or end."},
        },
    },
    "description": "Jumps. The first one that matches opens a later page (by key) or the end.",
}
_PAGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "key": {"type": "string", "description": "Key of the page. Generated from the title by default."},
        "title": {"type": "string", "description": "Page title."},
        "fields": {"type": "array", "items": FIELD_SCHEMA, "description": "Fields of the page, in order."},
        "next": _JUMPS_SCHEMA,
    },
}


def _form_validator(name: str) -> BeforeValidator:
    """Return a validator for a whole form, which reports its errors together with all others.

    The keys of existing fields are checked later.
    """

    def check(value: Any) -> Any:
        _, issues = parse_form(**{name: value})
        relative_issues = Issues(
            Issue(issue.path.removeprefix(name).removeprefix("."), issue.message) for issue in issues
        )
        raise_argument_error(relative_issues, value)
        return value

    return BeforeValidator(check)


def _check_items(value: Any) -> Any:
    """Check those parts of fields that can be checked alone, because an existing field may be given only in part."""
    issues = Issues()
    for place, item in enumerate(parse_array(value, "", MAX_FIELDS, issues)):
        entry = ObjectReader(item, str(place), {**FIELD_SETTINGS, "page": ()}, issues, "a field")
        entry.read_key("key", parse_key, "")
        for name in ("label", "hint", "placeholder", "type", "page"):
            entry.read_key(name, lines_parser(5000), "")
        for name in ("required", "hidden", "whole", "other", "section", "multiple"):
            entry.read_key(name, parse_flag, False)
        entry.reject_unknown_keys()
    raise_argument_error(issues, value)
    return value


def _check_page_items(value: Any) -> Any:
    issues = Issues()
    for place, item in enumerate(parse_array(value, "", MAX_PAGES, issues)):
        entry = ObjectReader(item, str(place), {"key": (), "title": (), "next": ()}, issues, "a page")
        entry.read_key("key", parse_key, "")
        entry.read_key("title", line_parser(200), "")
        entry.reject_unknown_keys()
    raise_argument_error(issues, value)
    return value


Title = Annotated[str, Line(200), Field(description="Form title shown to visitors.")]
FormId = Annotated[Id, Field(description="Form ID, from svc_forms_list.")]
Fields = Annotated[
    Any,
    _form_validator("fields"),
    WithJsonSchema({"type": "array", "items": FIELD_SCHEMA, "maxItems": MAX_FIELDS + MAX_PAGES}),
    Field(description="Fields, in order. A field of type page starts a new page."),
]
Pages = Annotated[
    Any,
    _form_validator("pages"),
    WithJsonSchema({"type": "array", "items": _PAGE_SCHEMA, "maxItems": MAX_PAGES}),
    Field(description="Pages instead of fields: {key, title, fields, next}."),
]
Items = Annotated[
    Any,
    BeforeValidator(_check_items),
    WithJsonSchema(
        {
            "type": "array",
            "items": {
                **FIELD_SCHEMA,
                "properties": {
                    **FIELD_SCHEMA["properties"],
                    "page": {"type": "string", "description": "Key of the page."},
                },
            },
            "maxItems": MAX_FIELDS,
        }
    ),
    Field(description="Fields to update (with an existing key) or add."),
]
PageItems = Annotated[
    Any,
    BeforeValidator(_check_page_items),
    WithJsonSchema({"type": "array", "items": {**_PAGE_SCHEMA, "properties": {
        name: shape
        for name, shape in _PAGE_SCHEMA["properties"].items()
        if name != "fields"}}, "maxItems": MAX_PAGES}),
    Field(description="All pages, in order: {key, title, next}."),
]  # fmt: skip
Keys = Annotated[list[Annotated[str, Line(60)]], Field(max_length=MAX_FIELDS)]


def _empty_to_zero(value: Any) -> Any:
    """Return 0, which removes the limit, for an empty input."""
    return 0 if value == "" else value


def _clean_redirect(text: str) -> str:
    return clean_web_address(text) if text else ""


def _clean_webhook_url(text: str) -> str:
    return webhooks.clean_url(text) if text else ""


@with_config(extra="forbid", strict=True)
class ThankYou(TypedDict, total=False):
    """The text that guests read after they have submitted a form, or the page that they are redirected to."""

    text: Annotated[str, Lines(2000), Field(description="Message shown after the form is submitted.")]
    redirect_url: Annotated[
        str,
        StringConstraints(strip_whitespace=True, max_length=2000),
        AfterValidator(_clean_redirect),
        Field(description="Page on your website to open after the form is submitted. An empty string removes it."),
    ]


class Settings(Publishing, total=False):
    accepting: Annotated[bool, Field(description="Whether the form accepts responses.")]
    closes_at: Annotated[MomentText, Field(description="When the form closes (ISO 8601). An empty string means never.")]
    max_responses: Annotated[
        int,
        BeforeValidator(_empty_to_zero),
        Field(ge=0, le=1_000_000, description="Number of responses at which the form closes. 0 means no limit."),
    ]
    one_per_email: Annotated[bool, Field(description="Whether to allow only one response per email address.")]
    one_at_a_time: Annotated[bool, Field(description="Whether to show one question per screen.")]
    thank_you: Annotated[ThankYou, Field(description='Action after submission: {"text": …} or {"redirect_url": …}.')]
    notify: Annotated[
        list[Annotated[str, Line(254), AfterValidator(clean_email)]],
        Field(max_length=5, description="Additional email addresses to notify of each response."),
    ]
    receipt: Annotated[
        bool,
        Field(description="Whether to email respondents a copy of their answers. They must give an email address."),
    ]
    language: Annotated[
        Literal["", *GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
        Field(description="Page language. An empty string uses the visitor's language."),
    ]
    color: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=7), AfterValidator(parse_color),
        Field(description="Form color, as #rrggbb. An empty string restores the brand color."),
    ]  # fmt: skip

    hosts: Hosts
    webhook_url: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=2000), AfterValidator(_clean_webhook_url),
        Field(description="HTTPS URL that receives each response. Requires the Pro plan. An empty string removes it."),
    ]  # fmt: skip


class FormEdit(Settings, total=False):
    title: Title
    fields: Fields
    pages: Pages


class NewForm(Settings, total=False):
    fields: Fields
    pages: Pages


Answers = Annotated[
    dict[Annotated[str, Line(60)], Any],
    Field(max_length=MAX_FIELDS, description="Answers by field key."),
]


@with_config(extra="forbid")
class ResponseItem(TypedDict, total=False):
    """A response to mark, or answers to add."""

    response_id: Annotated[Id, Field(description="ID of an existing response.")]
    answers: Answers
    mark: Annotated[
        Literal["spam", "ham", "read", "unread"], Field(description="New status of the response. ham means not spam.")
    ]
