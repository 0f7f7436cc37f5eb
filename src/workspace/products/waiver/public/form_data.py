"""A guest's form as it comes from a browser, in the shape of a post, and where each thing that is wrong with it stands
in the form. The page is drawn from the same list of fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from workspace.lib.errors import Issue
from workspace.products.waiver.rules.signing_input import Terms, too_young

LONGEST = 20_000
LONGEST_DRAWING = 120_000
_PATHS = {
    "signer.name": "name",
    "signer.email": "email",
    "signer.phone": "phone",
    "signer.birth_date": "born",
    "signature.text": "typed",
    "signature.strokes": "typed",
    "signature.kind": "typed",
    "consent": "consent",
}
_MAY_COME = re.compile(
    r"(child-\d{1,2}-)?born-(day|month|year)|child-\d{1,2}-(name|relationship)|answer-[a-z0-9_]{1,40}"
)
_CHILD = re.compile(r"participants\.(\d+)\.(name|birth_date|relationship)")


@dataclass(frozen=True, slots=True)
class Field:
    """As `public/parts/field.html` draws one."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    problem: str = ""
    help: str = ""
    optional: bool = False
    required: bool = True
    most: int | None = None
    rows: int = 3
    more: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ()
    chosen: Sequence[str] = ()
    parts: Sequence[Field] = ()  # of a day: its boxes
    young: str = ""  # of the signer's birth date: what to say to someone too young to sign
    age: int = 0

    @property
    def anchor(self) -> str:
        """Return the id that a link to the field leads to."""
        return self.parts[0].name if self.parts else self.name

    @property
    def notes(self) -> str:
        return " ".join(
            [*([f"{self.name}-error"] if self.problem else []), *([f"{self.name}-help"] if self.help else [])]
        )

    @property
    def of_many(self) -> Field:
        """The same on a device of many: a browser offers nothing for it."""
        off = {**self.more, "autocomplete": "off"}
        return replace(self, more=off, parts=[one.of_many for one in self.parts])


def children_of(data: QueryDict, terms: Terms) -> int:
    """How many others the form has places for."""
    text = data.get("children", "0")
    count = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    return min(count, terms.most) if terms.minors != "refused" else 0


def brought(query: QueryDict) -> QueryDict:
    """What an address may fill in: who takes part and answers, and nothing by which somebody signs."""
    found = query.copy()
    for name in query:
        if name not in ("name", "email", "phone", "children", "part", "signed") and not _MAY_COME.fullmatch(name):
            del found[name]
    return found


def given_of(request: HttpRequest, terms: Terms) -> dict[str, Any]:
    """The post that the form makes. Boxes that were left empty are left out."""
    data = request.POST
    children = [_child(data, n) for n in range(children_of(data, terms))]
    others = [one for one in children if any(one.values())]
    post: dict[str, Any] = {
        "version": int(text) if (text := data.get("version", "")).isdecimal() and len(text) < 9 else 0,
        "signer": _kept({"name": _text(data, "name"), "email": _text(data, "email"), "phone": _text(data, "phone")}),
        "participants": [_kept(one) for one in others],
        "initials": _kept(
            {one["key"]: _text(data, f"initials-{one['key']}") for one in terms.clauses if one["initials"]}
        ),
        "answers": {key: value for one in terms.questions for key, value in _answer(data, one)},
        "consent": data.get("consent") == "yes",
        "marketing": data.get("marketing") == "yes",
        "token": _text(data, "token")[:64],
    }
    if born := _day(data, "born"):
        post["signer"]["birth_date"] = born
    if others:
        post["signer_participates"] = data.get("part") == "yes"
    drawn = _drawing(data.get("drawn", "")) if terms.signature != "typed" else None
    post["signature"] = (
        {"kind": "drawn", "strokes": drawn} if drawn else _kept({"kind": "typed", "text": _text(data, "typed")})
    )
    return post


def problems_of(issues: Sequence[Issue]) -> tuple[dict[str, str], list[str]]:
    """By field, the first of each; and those of no field."""
    found: dict[str, str] = {}
    others = []
    for issue in issues:
        name = field_of(issue.path)
        if name:
            found.setdefault(name, issue.message)
        elif issue.message not in others:
            others.append(issue.message)
    return found, others


def field_of(path: str) -> str:
    if path in _PATHS:
        return _PATHS[path]
    if child := _CHILD.fullmatch(path):
        return f"child-{child[1]}-{'born' if child[2] == 'birth_date' else child[2]}"
    for part in ("initials", "answers"):
        if path.startswith(f"{part}."):
            return f"{part.removesuffix('s') if part == 'answers' else part}-{path.partition('.')[2]}"
    return ""


def about_signer(data: Mapping[str, str], terms: Terms, problems: Mapping[str, str]) -> list[Field]:
    wanted = [
        Field("name", gettext("Your full name"), more={"autocomplete": "name", "dir": "auto"}, most=120),
        Field(
            "email", gettext("E-mail"), "email", more={"autocomplete": "email"}, most=254, required=terms.email_required
        ),
        Field("phone", gettext("Phone"), "tel", more={"autocomplete": "tel"}, most=40, required=terms.phone_required),
    ]
    born = _born("born", data, problems, terms, required=terms.minors != "allowed", own=True)
    return [*(_filled(one, data, problems) for one in wanted), born]


def about_child(
    number: int, data: Mapping[str, str], terms: Terms, problems: Mapping[str, str], *, here: bool = False
) -> list[Field]:
    """`here`: who types goes on at this one."""
    off = {"autocomplete": "off", "dir": "auto"}  # what a browser knows is of who signs
    help = gettext("Mother, father, guardian …")
    name = Field(
        f"child-{number}-name", gettext("Full name"), most=120, more={**off, **({"autofocus": "true"} if here else {})}
    )
    relationship = Field(
        f"child-{number}-relationship", gettext("You are their"), required=False, most=60, help=help, more=off
    )
    born = _born(f"child-{number}-born", data, problems, terms)
    return [_filled(name, data, problems), born, _filled(relationship, data, problems)]


def initials_of(clause: Mapping[str, Any], data: Mapping[str, str], problems: Mapping[str, str]) -> Field:
    one = Field(f"initials-{clause['key']}", gettext("Your initials"), most=5, required=clause["required"])
    return _filled(one, data, problems)


def questions_of(terms: Terms, data: QueryDict, problems: Mapping[str, str]) -> list[Field]:
    kinds = {"long_text": "lines", "email": "email", "phone": "tel", "yes_no": "choice", "checkbox": "check"}
    found = []
    for one in terms.questions:
        name, kind = f"answer-{one['key']}", one["type"]
        options = [gettext("Yes"), gettext("No")] if kind == "yes_no" else one["options"]
        shown = (
            "choice" if kind == "single_choice" else "choices" if kind == "multi_choice" else kinds.get(kind, "text")
        )
        help = one["help"] or (gettext("As YYYY-MM-DD, such as 2026-12-31") if kind == "date" else "")
        asked = Field(
            name, one["label"], shown, required=one["required"], help=help, options=options, chosen=data.getlist(name)
        )
        found.append(_filled(asked, data, problems))
    return found


def summary_of(fields: Iterable[Field]) -> list[tuple[str, str]]:
    """Return the problems in the order of the form, each with the id of its field."""
    return [(one.anchor, f"{one.label}: {one.problem}") for one in fields if one.problem]


def _born(
    name: str,
    data: Mapping[str, str],
    problems: Mapping[str, str],
    terms: Terms,
    *,
    required: bool = True,
    own: bool = False,
) -> Field:
    """Three boxes, in the order of the country: no calendar, in which one would turn back for decades, and no dashes,
    which a phone's digits lack."""
    labels = {"day": gettext("Day"), "month": gettext("Month"), "year": gettext("Year")}
    order = ("month", "day", "year") if terms.region == "US" else ("day", "month", "year")
    wrong = problems.get(name, "")
    if wrong == gettext("Write YYYY-MM-DD"):
        wrong = gettext("Write day, month and year in digits, the year with four")
    parts = [
        Field(
            f"{name}-{part}",
            labels[part],
            value=data.get(f"{name}-{part}", "")[:20],
            most=4 if part == "year" else 2,
            more={"autocomplete": f"bday-{part}" if own else "off"},
        )
        for part in order
    ]
    return Field(
        name,
        gettext("Date of birth"),
        "day",
        required=required,
        optional=not required,
        problem=wrong,
        parts=parts,
        young=too_young(terms) if own else "",
        age=terms.age,
    )


def _day(data: QueryDict, name: str) -> str:
    """YYYY-MM-DD of its three boxes, as far as they hold digits; empty where nothing was typed."""
    day, month, year = (_text(data, f"{name}-{part}") for part in ("day", "month", "year"))
    return f"{year}-{month:0>2}-{day:0>2}" if day or month or year else ""


def _filled(one: Field, data: Mapping[str, str], problems: Mapping[str, str]) -> Field:
    return replace(
        one, value=str(data.get(one.name, ""))[:LONGEST], problem=problems.get(one.name, ""), optional=not one.required
    )


def _child(data: QueryDict, number: int) -> dict[str, str]:
    names = {"name": "name", "relationship": "relationship"}
    found = {key: _text(data, f"child-{number}-{name}") for key, name in names.items()}
    return {**found, "birth_date": _day(data, f"child-{number}-born")}


def _text(data: QueryDict, name: str) -> str:
    return data.get(name, "")[:LONGEST].strip()


def _kept(values: Mapping[str, str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _answer(data: QueryDict, question: Mapping[str, Any]) -> list[tuple[str, Any]]:
    name, kind = f"answer-{question['key']}", question["type"]
    given = [one[:LONGEST].strip() for one in data.getlist(name)[:100]]
    if kind == "multi_choice":
        value: Any = [one for one in given if one]
    elif kind == "checkbox":
        value = given[:1] == ["yes"]
    elif kind == "yes_no":
        value = {gettext("Yes"): True, gettext("No"): False}.get(given[0]) if given else None
    else:
        value = given[0] if given else None
    return [(question["key"], value)] if value not in (None, "", []) else []


def _drawing(text: str) -> Any:
    if not text or len(text) > LONGEST_DRAWING:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
