"""Converting the guest's form to a post, and errors to the form's fields.

The page is rendered from the same list of fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from workspace.lib.errors import Issue
from workspace.products.waiver import messages
from workspace.products.waiver.rules.signing_input import SigningTerms, age_message

MAX_TEXT_LENGTH = 20_000
MAX_DRAWING_LENGTH = 120_000
_FIELD_NAMES = {
    "signer.name": "name",
    "signer.email": "email",
    "signer.phone": "phone",
    "signer.birth_date": "born",
    "signature.text": "typed",
    "signature.strokes": "typed",
    "signature.kind": "typed",
    "consent": "consent",
}
_PREFILL_PATTERN = re.compile(
    r"(child-\d{1,2}-)?born-(day|month|year)|child-\d{1,2}-(name|relationship)|answer-[a-z0-9_]{1,40}"
)
_CHILD_PATTERN = re.compile(r"participants\.(\d+)\.(name|birth_date|relationship)")


@dataclass(frozen=True, slots=True)
class FormField:
    """A field as rendered by `public/parts/field.html`."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    problem: str = ""
    help: str = ""
    optional: bool = False
    required: bool = True
    max_length: int | None = None
    rows: int = 3
    attributes: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ()
    chosen: Sequence[str] = ()
    parts: Sequence[FormField] = ()  # the parts of a date
    age_warning: str = ""  # for the signer's birth date: the message to someone too young to sign
    age: int = 0

    @property
    def anchor(self) -> str:
        """The id to which a link to the field points."""
        return self.parts[0].name if self.parts else self.name

    @property
    def description_ids(self) -> str:
        return " ".join(
            [*([f"{self.name}-error"] if self.problem else []), *([f"{self.name}-help"] if self.help else [])]
        )

    @property
    def for_shared_device(self) -> FormField:
        """A copy of the field for a shared device, without autocompletion."""
        off = {**self.attributes, "autocomplete": "off"}
        return replace(self, attributes=off, parts=[part.for_shared_device for part in self.parts])


def count_children(data: QueryDict, terms: SigningTerms) -> int:
    """Return the number of other people that the form has fields for."""
    text = data.get("children", "0")
    count = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    return min(count, terms.max_minors) if terms.minors != "refused" else 0


def filter_prefill(query: QueryDict) -> QueryDict:
    """Return the query parameters that may prefill the form: participants and answers, but never a signature."""
    fields = query.copy()
    for name in query:
        if name not in ("name", "email", "phone", "children", "part", "signed") and not _PREFILL_PATTERN.fullmatch(
            name
        ):
            del fields[name]
    return fields


def parse_form(request: HttpRequest, terms: SigningTerms) -> dict[str, Any]:
    """Build the data to submit from the form. Empty fields are left out."""
    data = request.POST
    children = [_parse_child(data, n) for n in range(count_children(data, terms))]
    others = [child for child in children if any(child.values())]
    post: dict[str, Any] = {
        "version": int(text) if (text := data.get("version", "")).isdecimal() and len(text) < 9 else 0,
        "signer": _drop_empty(
            {
                "name": _clean_text(data, "name"),
                "email": _clean_text(data, "email"),
                "phone": _clean_text(data, "phone"),
            }
        ),
        "participants": [_drop_empty(item) for item in others],
        "initials": _drop_empty(
            {
                clause["key"]: _clean_text(data, f"initials-{clause['key']}")
                for clause in terms.clauses
                if clause["initials"]
            }
        ),
        "answers": {key: value for question in terms.questions for key, value in _parse_answer(data, question)},
        "consent": data.get("consent") == "yes",
        "marketing": data.get("marketing") == "yes",
        "token": _clean_text(data, "token")[:64],
    }
    if born := _parse_day(data, "born"):
        post["signer"]["birth_date"] = born
    if others:
        post["signer_participates"] = data.get("part") == "yes"
    drawn = _parse_drawing(data.get("drawn", "")) if terms.signature != "typed" else None
    post["signature"] = (
        {"kind": "drawn", "strokes": drawn}
        if drawn
        else _drop_empty({"kind": "typed", "text": _clean_text(data, "typed")})
    )
    return post


def errors_by_field(issues: Sequence[Issue]) -> tuple[dict[str, str], list[str]]:
    """Return the first error of each field, and the errors that do not belong to a field."""
    result: dict[str, str] = {}
    others = []
    for issue in issues:
        name = find_field_name(issue.path)
        if name:
            result.setdefault(name, issue.message)
        elif issue.message not in others:
            others.append(issue.message)
    return result, others


def find_field_name(path: str) -> str:
    if path in _FIELD_NAMES:
        return _FIELD_NAMES[path]
    if child := _CHILD_PATTERN.fullmatch(path):
        return f"child-{child[1]}-{'born' if child[2] == 'birth_date' else child[2]}"
    for part in ("initials", "answers"):
        if path.startswith(f"{part}."):
            return f"{part.removesuffix('s') if part == 'answers' else part}-{path.partition('.')[2]}"
    return ""


def signer_fields(data: Mapping[str, str], terms: SigningTerms, problems: Mapping[str, str]) -> list[FormField]:
    fields = [
        FormField(
            "name", gettext("Your full name"), attributes={"autocomplete": "name", "dir": "auto"}, max_length=120
        ),
        FormField(
            "email",
            gettext("Email"),
            "email",
            attributes={"autocomplete": "email"},
            max_length=254,
            required=terms.email_required,
        ),
        FormField(
            "phone",
            gettext("Phone"),
            "tel",
            attributes={"autocomplete": "tel"},
            max_length=40,
            required=terms.phone_required,
        ),
    ]
    born = _birth_date_field("born", data, problems, terms, required=terms.minors != "allowed", is_signer=True)
    return [*(_fill_field(field, data, problems) for field in fields), born]


def child_fields(
    number: int, data: Mapping[str, str], terms: SigningTerms, problems: Mapping[str, str], *, has_focus: bool = False
) -> list[FormField]:
    """Return the fields for a child. `has_focus` says whether its first field gets the focus."""
    off = {"autocomplete": "off", "dir": "auto"}  # the browser's suggestions are about the signer
    help = gettext("For example: mother, father or guardian")
    name = FormField(
        f"child-{number}-name",
        gettext("Full name"),
        max_length=120,
        attributes={**off, **({"autofocus": "true"} if has_focus else {})},
    )
    relationship = FormField(
        f"child-{number}-relationship",
        gettext("Your relationship to this person"),
        required=False,
        max_length=60,
        help=help,
        attributes=off,
    )
    born = _birth_date_field(f"child-{number}-born", data, problems, terms)
    return [_fill_field(name, data, problems), born, _fill_field(relationship, data, problems)]


def initials_field(clause: Mapping[str, Any], data: Mapping[str, str], problems: Mapping[str, str]) -> FormField:
    field = FormField(f"initials-{clause['key']}", gettext("Your initials"), max_length=5, required=clause["required"])
    return _fill_field(field, data, problems)


def question_fields(terms: SigningTerms, data: QueryDict, problems: Mapping[str, str]) -> list[FormField]:
    kinds = {"long_text": "lines", "email": "email", "phone": "tel", "yes_no": "choice", "checkbox": "check"}
    fields = []
    for question in terms.questions:
        name, kind = f"answer-{question['key']}", question["type"]
        options = [gettext("Yes"), gettext("No")] if kind == "yes_no" else question["options"]
        shown = (
            "choice" if kind == "single_choice" else "choices" if kind == "multi_choice" else kinds.get(kind, "text")
        )
        help = question["help"] or (gettext("For example: 2026-12-31") if kind == "date" else "")
        field = FormField(
            name,
            question["label"],
            shown,
            required=question["required"],
            help=help,
            options=options,
            chosen=data.getlist(name),
        )
        fields.append(_fill_field(field, data, problems))
    return fields


def error_summary(fields: Iterable[FormField]) -> list[tuple[str, str]]:
    """Return the errors in the order of the form, with the ids of their fields."""
    return [(field.anchor, f"{field.label}: {field.problem}") for field in fields if field.problem]


def _birth_date_field(
    name: str,
    data: Mapping[str, str],
    problems: Mapping[str, str],
    terms: SigningTerms,
    *,
    required: bool = True,
    is_signer: bool = False,
) -> FormField:
    """Return three inputs in the order that is usual in the country.

    A calendar would need many clicks to go back decades, and numeric phone keyboards have no dash.
    """
    labels = {"day": gettext("Day"), "month": gettext("Month"), "year": gettext("Year")}
    order = ("month", "day", "year") if terms.region == "US" else ("day", "month", "year")
    wrong = problems.get(name, "")
    if wrong == str(messages.INVALID_DATE):
        wrong = str(messages.INVALID_DATE_PARTS)
    parts = [
        FormField(
            f"{name}-{part}",
            labels[part],
            value=data.get(f"{name}-{part}", "")[:20],
            max_length=4 if part == "year" else 2,
            attributes={"autocomplete": f"bday-{part}" if is_signer else "off"},
        )
        for part in order
    ]
    return FormField(
        name,
        gettext("Date of birth"),
        "day",
        required=required,
        optional=not required,
        problem=wrong,
        parts=parts,
        age_warning=age_message(terms) if is_signer else "",
        age=terms.age,
    )


def _parse_day(data: QueryDict, name: str) -> str:
    """Parse the three inputs as YYYY-MM-DD, or return an empty string if all are empty."""
    day, month, year = (_clean_text(data, f"{name}-{part}") for part in ("day", "month", "year"))
    return f"{year}-{month:0>2}-{day:0>2}" if day or month or year else ""


def _fill_field(field: FormField, data: Mapping[str, str], problems: Mapping[str, str]) -> FormField:
    return replace(
        field,
        value=str(data.get(field.name, ""))[:MAX_TEXT_LENGTH],
        problem=problems.get(field.name, ""),
        optional=not field.required,
    )


def _parse_child(data: QueryDict, number: int) -> dict[str, str]:
    names = {"name": "name", "relationship": "relationship"}
    result = {key: _clean_text(data, f"child-{number}-{name}") for key, name in names.items()}
    return {**result, "birth_date": _parse_day(data, f"child-{number}-born")}


def _clean_text(data: QueryDict, name: str) -> str:
    return data.get(name, "")[:MAX_TEXT_LENGTH].strip()


def _drop_empty(values: Mapping[str, str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _parse_answer(data: QueryDict, question: Mapping[str, Any]) -> list[tuple[str, Any]]:
    name, kind = f"answer-{question['key']}", question["type"]
    items = [value[:MAX_TEXT_LENGTH].strip() for value in data.getlist(name)[:100]]
    if kind == "multi_choice":
        value: Any = [value for value in items if value]
    elif kind == "checkbox":
        value = items[:1] == ["yes"]
    elif kind == "yes_no":
        value = {gettext("Yes"): True, gettext("No"): False}.get(items[0]) if items else None
    else:
        value = items[0] if items else None
    return [(question["key"], value)] if value not in (None, "", []) else []


def _parse_drawing(text: str) -> Any:
    if not text or len(text) > MAX_DRAWING_LENGTH:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
