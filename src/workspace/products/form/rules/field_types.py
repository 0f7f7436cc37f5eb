"""The types of a form's fields: what people may call them, and to which family of answers each belongs."""

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
PAGE = "page"  # a break within `fields`
TYPES = (*FAMILIES, PAGE)
USUAL = "short_text"
# "text" is a text to read where it has no answer: see `type_of`
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
NUMBERS_OF_CHOICE = (CHOICE, MULTI)  # by the scores of their options
LIMITS = {"rating": (1, 5), "scale": (0, 10)}  # where nothing else is said

_COMPARED = ("is", "is_not", "is_empty", "is_answered")
_ORDERED = ("gt", "gte", "lt", "lte")
# which comparisons make sense with an answer of a family; the first ones are told where one does not
OPS = {
    TEXT: (*_COMPARED, "contains", "not_contains", "starts_with", "ends_with", "any_of", "none_of"),
    NUMBER: (*_COMPARED, *_ORDERED, "any_of", "none_of"),
    YES_NO: _COMPARED,
    TICK: _COMPARED,
    CHOICE: (*_COMPARED, "contains", "not_contains", "any_of", "none_of"),
    MULTI: (*_COMPARED, "contains", "not_contains", "any_of", "none_of", "all_of"),
    DATE: (*_COMPARED, *_ORDERED, "any_of", "none_of"),
    TIME: (*_COMPARED, *_ORDERED, "any_of", "none_of"),
    FILES: ("is_empty", "is_answered"),
    SIGNATURE: ("is_empty", "is_answered"),
}
OP_ALIASES = {
    "equals": "is", "==": "is", "=": "is", "eq": "is", "!=": "is_not", "not_equals": "is_not", "neq": "is_not",
    ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "after": "gt", "on_or_after": "gte", "before": "lt",
    "on_or_before": "lte", "in": "any_of", "not_in": "none_of", "includes": "contains",
    "excludes": "not_contains", "empty": "is_empty", "answered": "is_answered", "not_empty": "is_answered",
}  # fmt: skip
ALL_OPS = ("is", "is_not", *_ORDERED, "contains", "not_contains", "starts_with", "ends_with", "any_of", "none_of",
           "all_of", "is_empty", "is_answered")  # fmt: skip
ALONE = ("is_empty", "is_answered")  # take no value
LISTED = ("any_of", "none_of", "all_of")  # take several
TODAY = "today"
ASKED_FOR = ("consent",)  # required where nothing else is said
# what nobody else can give for a guest, and no link and no device keeps
OF_THE_GUEST = ("file", "signature", "consent")


def family(type: str) -> str:
    return FAMILIES[type]


def type_of(name: str, *, multiple: bool = False) -> str | None:
    """The type that a caller's word means; None for a word that means none."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    found = ALIASES.get(plain, plain)
    if found == "single_choice" and multiple:
        found = "multi_choice"
    return found if found in TYPES else None
