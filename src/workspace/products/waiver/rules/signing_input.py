"""What a guest sends to sign, read against the waiver's terms: one post is one signing, of one signer for any number of
participants. Everything that is wrong is told at once, at the path of the post."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext

from workspace.lib import name_key
from workspace.lib.errors import InvalidInput
from workspace.products.waiver.rules import drawn_signature, person_query
from workspace.products.waiver.rules.answers import read_answers
from workspace.products.waiver.rules.definition_input import under
from workspace.products.waiver.rules.validity import is_of_age
from workspace.products.waiver.rules.value_input import birth_date, email, phone
from workspace.tools import object_parser
from workspace.tools.object_parser import Entry, Issues, flag

POST = {
    "version": (),
    "signer": ("guardian",),
    "signer_participates": (),
    "participants": ("minors", "children"),
    "initials": (),
    "answers": (),
    "signature": (),
    "consent": (),
    "marketing": ("marketing_opt_in",),
    "token": (),
}
SIGNER = {"name": ("full_name",), "email": (), "phone": (), "birth_date": ("date_of_birth", "dob")}
PARTICIPANT = {"name": ("full_name",), "birth_date": ("date_of_birth", "dob"), "relationship": ()}
SIGNATURE = {"kind": ("type",), "text": ("name",), "strokes": ("drawn",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a waiver asks of who signs. `minors`: refused, guardian (a guardian signs for them) or allowed (they sign
    themselves); `guardian`: whether one who signs for others takes part too: ask, yes or no; `signature`: either,
    typed or drawn."""

    version: int
    clauses: Sequence[Mapping[str, Any]] = ()
    questions: Sequence[Mapping[str, Any]] = ()
    age: int = 18
    minors: str = "guardian"
    guardian: str = "ask"
    most: int = 10
    signature: str = "either"
    email_required: bool = True
    phone_required: bool = False
    region: str = ""


@dataclass(frozen=True, slots=True)
class Participant:
    name: str
    birth_date: date | None
    relationship: str
    is_minor: bool
    is_signer: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """`participants` are all whom it covers, the signer first where they take part."""

    name: str
    email: str
    phone: str
    birth_date: date | None
    participants: Sequence[Participant]
    initials: Mapping[str, str]
    answers: Mapping[str, Any]
    kind: str
    typed: str
    strokes: Sequence[Sequence[Sequence[int]]]
    token: str
    marketing: bool = False
    numbers: frozenset[str] = field(default_factory=frozenset)


def read_post(given: Any, terms: Terms, today: date) -> Post:
    """Raises InvalidInput."""
    issues = Issues()
    entry = Entry(given, "", POST, issues, "signing")
    if entry.has("version") and entry.given["version"] != terms.version:
        entry.wrong("version", gettext("The text was changed meanwhile. Please read it once more"))
    elif entry.is_object and not entry.has("version"):
        entry.wrong("version", gettext("Required"))
    signer = _Person(_part(entry, "signer", SIGNER, issues, "a signer"), terms, today)
    others = _participants(entry, terms, today, issues)
    signer_at = entry.at(entry.key("signer"))
    signer_is_minor = signer.is_minor
    if signer_is_minor and terms.minors != "allowed":
        issues.at(f"{signer_at}.{signer.key('birth_date')}", too_young(terms))
    takes_part = _takes_part(entry, terms, bool(others))
    if not others and not takes_part and entry.is_object:
        entry.wrong("participants", gettext("Say who takes part"))
    participants = [one for _, one in others]
    if takes_part:
        own = Participant(signer.name, signer.birth_date, "", signer_is_minor, is_signer=True)
        _refuse_twice([(signer_at, own), *others], issues)
        participants = [own, *participants]
    else:
        _refuse_twice(others, issues)
    initials = _initials(entry, terms, issues)
    answers = (
        read_answers(entry.given.get("answers", {}), terms.questions, "answers", issues) if entry.is_object else {}
    )
    kind, typed, drawn = _signature(entry, terms, issues)
    if entry.is_object and entry.read("consent", flag, False) is not True:
        entry.wrong("consent", gettext("Please agree to sign"))
    token = entry.read("token", _token, "")
    if entry.is_object and not entry.has("token"):
        entry.wrong("token", gettext("Required"))
    marketing = entry.read("marketing", flag, False)
    entry.finish()
    if issues:
        raise InvalidInput(issues)
    return Post(
        name=signer.name,
        email=signer.email,
        phone=signer.phone,
        birth_date=signer.birth_date,
        participants=participants,
        initials=initials,
        answers=answers,
        kind=kind,
        typed=typed,
        strokes=drawn,
        token=token,
        marketing=marketing,
        numbers=person_query.numbers(signer.phone, terms.region),
    )


def too_young(terms: Terms) -> str:
    """Return what to say to a signer below the age; empty where minors may sign."""
    if terms.minors == "allowed":
        return ""
    if terms.minors == "guardian":
        return gettext("A parent or guardian has to sign for you")
    return gettext("Only people from %(age)s years on can sign") % {"age": terms.age}


class _Person:
    """The signer as they are read."""

    def __init__(self, entry: Entry, terms: Terms, today: date) -> None:
        self.key = entry.key
        self.name = _needed(entry, "name", object_parser.line(120, 1))
        email_of: Callable[[Any], str] = email
        self.email = (_needed if terms.email_required else _free)(entry, "email", email_of)
        self.phone = (_needed if terms.phone_required else _free)(entry, "phone", phone)
        needs_birth = terms.minors != "allowed"
        born = entry.read("birth_date", birth_date(today), None)
        if needs_birth and entry.is_object and not entry.has("birth_date"):
            entry.wrong("birth_date", gettext("Required"))
        self.birth_date: date | None = born
        self.is_minor = born is not None and not is_of_age(born, terms.age, today)
        entry.finish()


def _participants(entry: Entry, terms: Terms, today: date, issues: Issues) -> list[tuple[str, Participant]]:
    if not entry.has("participants"):
        return []
    path = entry.at(entry.key("participants"))
    given = entry.given[entry.key("participants")]
    if not isinstance(given, list):
        issues.at(path, "Expected an array")
        return []
    if given and terms.minors == "refused":
        issues.at(path, gettext("Everybody signs for themselves here"))
        return []
    if len(given) > terms.most:
        issues.at(path, gettext("At most %(most)s at once: sign again for the others") % {"most": terms.most})
        return []
    return [(under(path, n), _participant(one, under(path, n), terms, today, issues)) for n, one in enumerate(given)]


def _participant(given: Any, path: str, terms: Terms, today: date, issues: Issues) -> Participant:
    entry = Entry(given, path, PARTICIPANT, issues, "a participant")
    name = _needed(entry, "name", object_parser.line(120, 1))
    born = entry.read("birth_date", birth_date(today), None)
    if entry.is_object and not entry.has("birth_date"):
        entry.wrong("birth_date", gettext("Required"))
    if born is not None and is_of_age(born, terms.age, today):
        entry.wrong("birth_date", gettext("This person is of age and signs for themselves"))
    relationship = entry.read("relationship", object_parser.line(60), "")
    entry.finish()
    return Participant(name, born, relationship, is_minor=True)


def _takes_part(entry: Entry, terms: Terms, for_others: bool) -> bool:
    """Who signs for nobody else takes part."""
    if for_others and terms.guardian != "ask":
        return terms.guardian == "yes"
    return entry.read("signer_participates", flag, not for_others)


def _refuse_twice(found: Sequence[tuple[str, Participant]], issues: Issues) -> None:
    seen: set[tuple[str, date | None]] = set()
    for path, one in found:
        person = (name_key.key(one.name), one.birth_date)
        if one.name and person in seen:
            issues.at(f"{path}.name", gettext("Stands twice"))
        seen.add(person)


def _initials(entry: Entry, terms: Terms, issues: Issues) -> dict[str, str]:
    given = entry.given.get("initials", {})
    if not isinstance(given, Mapping):
        entry.wrong("initials", "Expected an object")
        return {}
    wanted = {clause["key"]: clause for clause in terms.clauses if clause["initials"]}
    found: dict[str, str] = {}
    for key, clause in wanted.items():
        try:
            text = object_parser.line(5)(given[key]) if given.get(key) is not None else ""
            if text and not any(char.isalpha() for char in text):
                raise ValueError(gettext("Write your initials"))
        except ValueError as problem:
            issues.at(f"initials.{key}", str(problem))
            continue
        if text:
            found[key] = text
        elif clause["required"]:
            issues.at(f"initials.{key}", gettext("Required"))
    for key in given:
        if key not in wanted:
            issues.at(f"initials.{key}", gettext("There is no such clause"))
    return found


def _signature(entry: Entry, terms: Terms, issues: Issues) -> tuple[str, str, list[list[list[int]]]]:
    part = _part(entry, "signature", SIGNATURE, issues, "a signature")
    kind = part.read("kind", _kind, "drawn" if part.has("strokes") else "typed")
    typed = ""
    drawn: list[list[list[int]]] = []
    if part.is_object and terms.signature not in ("either", kind):
        told = gettext("Please draw your signature") if terms.signature == "drawn" else gettext("Please type your name")
        part.wrong("kind", told)
    elif kind == "drawn":
        drawn = part.read("strokes", drawn_signature.clean, [])
        if part.is_object and not part.has("strokes"):
            part.wrong("strokes", gettext("Required"))
    else:
        typed = _needed(part, "text", object_parser.line(120, 1))
    part.finish()
    return kind, typed, drawn


def _part(entry: Entry, name: str, names: Mapping[str, Sequence[str]], issues: Issues, noun: str) -> Entry:
    """An object within; empty where it is missing, so that all that it lacks is told."""
    return Entry(entry.given.get(entry.key(name), {}), entry.at(entry.key(name)), names, issues, noun)


def _needed(entry: Entry, name: str, read: Callable[[Any], str]) -> str:
    if entry.is_object and (not entry.has(name) or entry.given[entry.key(name)] == ""):
        entry.wrong(name, gettext("Required"))
        return ""
    return entry.read(name, read, "")


def _free(entry: Entry, name: str, read: Callable[[Any], str]) -> str:
    return entry.read(name, read, "")


def _kind(value: Any) -> str:
    found = {"typed": "typed", "text": "typed", "drawn": "drawn", "strokes": "drawn"}.get(str(value))
    if found is None:
        raise ValueError("Must be typed or drawn")
    return found


def _token(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", value):
        raise ValueError("8 to 64 letters and digits, the same for one signing")
    return value
