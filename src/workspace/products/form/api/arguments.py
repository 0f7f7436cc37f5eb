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
from workspace.products.form.rules.field_input import FIELD_SETTINGS, read_key
from workspace.products.form.rules.form_input import MAX_FIELDS, MAX_PAGES, read_form
from workspace.publishing.arguments import Hosts, Publishing, clean_email
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
_CONDITION_SCHEMA = {"type": "object", "description": '{"field": "age", "gte": 18}; all, any, not join several'}
_LIMIT_SCHEMA = {"type": ["number", "string"], "description": "Of a number, a day (or today), a count of choices"}
FIELD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "key": {"type": "string", "description": "Made from the label when left out"},
        "label": {"type": "string", "description": "The question"},
        "type": {"type": "string", "description": f"short_text when left out; {', '.join(field_types.TYPES)}"},
        "required": {"type": "boolean", "description": "Of consent true when left out"},
        "hint": {"type": "string", "description": "Below the question"},
        "placeholder": {"type": "string"},
        "default": {"description": "What stands there at first"},
        "options": {"type": "array", "items": {}, "description": "Texts, or {label, value, score}"},
        "other": {"type": "boolean", "description": "Guests may write an option of their own"},
        "min": _LIMIT_SCHEMA,
        "max": _LIMIT_SCHEMA,
        "step": {"type": "number"},
        "whole": {"type": "boolean"},
        "decimals": {"type": "integer", "description": "Of what is calculated: 2 when left out"},
        "min_length": {"type": "integer"},
        "max_length": {"type": "integer"},
        "pattern": {"type": "string", "description": "Such as [A-Z]{2}[0-9]{4}"},
        "accept": {"type": "array", "items": {"type": "string"}, "description": "Endings of files: pdf, jpg"},
        "max_files": {"type": "integer"},
        "max_mb": {"type": "integer"},
        "show_if": _CONDITION_SCHEMA,
        "require_if": _CONDITION_SCHEMA,
        "hidden": {"type": "boolean", "description": "Taken from the address only: ?key=value"},
        "formula": {"type": "string", "description": "Of calculated: {guests} * 28.5"},
        "section": {"type": "boolean", "description": "Of a heading: its show_if hides all below it"},
    },
}
_JUMPS_SCHEMA = {
    "type": "array",
    "items": {"type": "object", "properties": {"if": _CONDITION_SCHEMA, "go_to": {"type": "string"}}},
    "description": "Jumps: the first that holds leads to a later page's key, or to end",
}
_PAGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "key": {"type": "string"},
        "title": {"type": "string"},
        "fields": {"type": "array", "items": FIELD_SCHEMA},
        "next": _JUMPS_SCHEMA,
    },
}


def _form_validator(name: str) -> BeforeValidator:
    """Return a validator for a whole form, which reports its errors together with all others.

    Keys of earlier fields are checked later."""

    def check(value: Any) -> Any:
        _, issues = read_form(**{name: value})
        told = Issues(Issue(issue.path.removeprefix(name).removeprefix("."), issue.message) for issue in issues)
        raise_argument_error(told, value)
        return value

    return BeforeValidator(check)


def _check_items(value: Any) -> Any:
    """Check the parts of fields that can be checked alone, since an existing field may be given only in part."""
    issues = Issues()
    for place, item in enumerate(parse_array(value, "", MAX_FIELDS, issues)):
        entry = ObjectReader(item, str(place), {**FIELD_SETTINGS, "page": ()}, issues, "a field")
        entry.read_key("key", read_key, "")
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
        entry.read_key("key", read_key, "")
        entry.read_key("title", line_parser(200), "")
        entry.reject_unknown_keys()
    raise_argument_error(issues, value)
    return value


Title = Annotated[str, Line(200), Field(description="What it is called; guests read it")]
FormId = Annotated[Id, Field(description="From svc_forms_list")]
Fields = Annotated[
    Any,
    _form_validator("fields"),
    WithJsonSchema({"type": "array", "items": FIELD_SCHEMA, "maxItems": MAX_FIELDS + MAX_PAGES}),
    Field(description="What is asked, in order; one of the type page begins a page"),
]
Pages = Annotated[
    Any,
    _form_validator("pages"),
    WithJsonSchema({"type": "array", "items": _PAGE_SCHEMA, "maxItems": MAX_PAGES}),
    Field(description="In place of fields: {key, title, fields, next}"),
]
Items = Annotated[
    Any,
    BeforeValidator(_check_items),
    WithJsonSchema(
        {
            "type": "array",
            "items": {
                **FIELD_SCHEMA,
                "properties": {**FIELD_SCHEMA["properties"], "page": {"type": "string", "description": "A page's key"}},
            },
            "maxItems": MAX_FIELDS,
        }
    ),
    Field(description="Fields: with the key of one that there is to change it, else to add"),
]
PageItems = Annotated[
    Any,
    BeforeValidator(_check_page_items),
    WithJsonSchema({"type": "array", "items": {**_PAGE_SCHEMA, "properties": {
        name: shape
        for name, shape in _PAGE_SCHEMA["properties"].items()
        if name != "fields"}}, "maxItems": MAX_PAGES}),
    Field(description="All pages in their order: {key, title, next}"),
]  # fmt: skip
Keys = Annotated[list[Annotated[str, Line(60)]], Field(max_length=MAX_FIELDS)]


def _empty_to_zero(value: Any) -> Any:
    """Return 0 for an empty input, which removes the limit."""
    return 0 if value == "" else value


def _clean_redirect(text: str) -> str:
    return clean_web_address(text) if text else ""


def _clean_webhook_url(text: str) -> str:
    return webhooks.clean_url(text) if text else ""


@with_config(extra="forbid", strict=True)
class ThankYou(TypedDict, total=False):
    """What guests read when they have sent it, or where they go."""

    text: Annotated[str, Lines(2000)]
    redirect_url: Annotated[
        str,
        StringConstraints(strip_whitespace=True, max_length=2000),
        AfterValidator(_clean_redirect),
        Field(description="A page of yours to go on to; empty for none"),
    ]


class Settings(Publishing, total=False):
    accepting: Annotated[bool, Field(description="Whether it takes answers")]
    closes_at: Annotated[MomentText, Field(description="When it stops taking answers, ISO 8601; empty for never")]
    max_responses: Annotated[
        int,
        BeforeValidator(_empty_to_zero),
        Field(ge=0, le=1_000_000, description="It closes after so many; 0 for no limit"),
    ]
    one_per_email: Annotated[bool, Field(description="One response for each e-mail address")]
    one_at_a_time: Annotated[bool, Field(description="One question a screen")]
    thank_you: Annotated[ThankYou, Field(description="After sending: {text} or {redirect_url}")]
    notify: Annotated[
        list[Annotated[str, Line(254), AfterValidator(clean_email)]],
        Field(max_length=5, description="E-mail addresses told of each response, beside yours"),
    ]
    receipt: Annotated[bool, Field(description="Mail guests their answers, where they give an address")]
    language: Annotated[
        Literal["", *GUEST_LANGUAGES],  # type: ignore[valid-type]  # a list, not literals
        Field(description="Of its page; empty for the guest's own"),
    ]
    color: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=7), AfterValidator(parse_color),
        Field(description="#rrggbb in place of the brand's; empty for that"),
    ]  # fmt: skip

    hosts: Hosts
    webhook_url: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=2000), AfterValidator(_clean_webhook_url),
        Field(description="Where each response is pushed to (on Pro); empty for nowhere"),
    ]  # fmt: skip


class FormEdit(Settings, total=False):
    title: Title
    fields: Fields
    pages: Pages


class FormNew(Settings, total=False):
    fields: Fields
    pages: Pages


Answers = Annotated[
    dict[Annotated[str, Line(60)], Any], Field(max_length=MAX_FIELDS, description="By the fields' keys")
]


@with_config(extra="forbid")
class ResponseItem(TypedDict, total=False):
    """A response to mark, or answers to add."""

    response_id: Annotated[Id, Field(description="Of one that there is")]
    answers: Answers
    mark: Annotated[Literal["spam", "ham", "read", "unread"], Field(description="ham: it is no spam")]
