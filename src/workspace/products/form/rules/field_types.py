"""The types of a form's fields, their aliases, and the family of answers of each type."""

from __future__ import annotations

TEXT, NUMBER, YES_NO, TICK = "text", "number", "yes_no", "tick"
CHOICE, MULTI, DATE, TIME = "choice", "multi", "date", "time"
FILES, SIGNATURE, NOTHING = "files", "signature", "nothing"

FAMILIES = {
    "short_text": TEXT,
    "long_text": TEXT,
    "email": TEXT,
    "phone": TEXT,
    "url": TEXT,
    "address": TEXT,
    "hidden": TEXT,
    "number": NUMBER,
    "rating": NUMBER,
    "scale": NUMBER,
    "calculated": NUMBER,
    "date": DATE,
    "time": TIME,
    "yes_no": YES_NO,
    "checkbox": TICK,
    "consent": TICK,
    "single_choice": CHOICE,
    "dropdown": CHOICE,
    "multi_choice": MULTI,
    "file": FILES,
    "signature": SIGNATURE,
    "heading": NOTHING,
    "text": NOTHING,
}
PAGE = "page"  # a page break in `fields`
TYPES = (*FAMILIES, PAGE)
DEFAULT_TYPE = "short_text"
# "text" is a text for reading if it has no answer: see `parse_type`
ALIASES = {
    "string": "short_text",
    "short": "short_text",
    "textarea": "long_text",
    "paragraph": "long_text",
    "long": "long_text",
    "mail": "email",
    "tel": "phone",
    "link": "url",
    "website": "url",
    "integer": "number",
    "boolean": "yes_no",
    "terms": "consent",
    "radio": "single_choice",
    "select_one": "single_choice",
    "multiple_choice": "single_choice",
    "select": "dropdown",
    "checkboxes": "multi_choice",
    "multi_select": "multi_choice",
    "select_multiple": "multi_choice",
    "stars": "rating",
    "nps": "scale",
    "slider": "scale",
    "upload": "file",
    "computed": "calculated",
    "formula": "calculated",
    "statement": "text",
    "section": "heading",
    "page_break": PAGE,
}
SCORED_FAMILIES = (CHOICE, MULTI)  # by the scores of their options
DEFAULT_LIMITS = {"rating": (1, 5), "scale": (0, 10)}  # defaults

_EQUALITY_OPS = ("is", "is_not", "is_empty", "is_answered")
_ORDER_OPS = ("gt", "gte", "lt", "lte")
# the comparisons for each family; error messages list the first ones
OPS = {
    TEXT: (*_EQUALITY_OPS, "contains", "not_contains", "starts_with", "ends_with", "any_of", "none_of"),
    NUMBER: (*_EQUALITY_OPS, *_ORDER_OPS, "any_of", "none_of"),
    YES_NO: _EQUALITY_OPS,
    TICK: _EQUALITY_OPS,
    CHOICE: (*_EQUALITY_OPS, "contains", "not_contains", "any_of", "none_of"),
    MULTI: (*_EQUALITY_OPS, "contains", "not_contains", "any_of", "none_of", "all_of"),
    DATE: (*_EQUALITY_OPS, *_ORDER_OPS, "any_of", "none_of"),
    TIME: (*_EQUALITY_OPS, *_ORDER_OPS, "any_of", "none_of"),
    FILES: ("is_empty", "is_answered"),
    SIGNATURE: ("is_empty", "is_answered"),
}
OP_ALIASES = {
    "equals": "is", "==": "is", "=": "is", "eq": "is", "!=": "is_not", "not_equals": "is_not", "neq": "is_not",
    ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "after": "gt", "on_or_after": "gte", "before": "lt",
    "on_or_before": "lte", "in": "any_of", "not_in": "none_of", "includes": "contains",
    "excludes": "not_contains", "empty": "is_empty", "answered": "is_answered", "not_empty": "is_answered",
}  # fmt: skip
ALL_OPS = ("is", "is_not", *_ORDER_OPS, "contains", "not_contains", "starts_with", "ends_with", "any_of", "none_of",
           "all_of", "is_empty", "is_answered")  # fmt: skip
UNARY_OPS = ("is_empty", "is_answered")  # without a value
LIST_OPS = ("any_of", "none_of", "all_of")  # with several values
TODAY = "today"
REQUIRED_BY_DEFAULT = ("consent",)  # required by default
# only guests can give these; links and devices do not store them
GUEST_ONLY_TYPES = ("file", "signature", "consent")


def answer_family(type: str) -> str:
    return FAMILIES[type]


def parse_type(name: str, *, multiple: bool = False) -> str | None:
    """Return the type for a word used by a caller, or None if it is unknown."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    text = ALIASES.get(plain, plain)
    if text == "single_choice" and multiple:
        text = "multi_choice"
    return text if text in TYPES else None
