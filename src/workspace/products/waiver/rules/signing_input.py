"""Parsing a guest's post with the waiver's terms.

A post is one signing by one signer, for any number of participants. All errors are reported together, each at its path
in the post.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from workspace.lib import name_key
from workspace.lib.errors import InvalidInputError
from workspace.products.waiver import messages
from workspace.products.waiver.rules import drawn_signature, person_query
from workspace.products.waiver.rules.answer_input import parse_answers
from workspace.products.waiver.rules.definition_input import item_path
from workspace.products.waiver.rules.validity import is_of_age
from workspace.products.waiver.rules.value_input import birth_date_parser, parse_email, parse_phone
from workspace.tools import object_parser
from workspace.tools.object_parser import Issues, ObjectReader, parse_flag

POST_KEYS = {
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
SIGNER_KEYS = {"name": ("full_name",), "email": (), "phone": (), "birth_date": ("date_of_birth", "dob")}
PARTICIPANT_KEYS = {"name": ("full_name",), "birth_date": ("date_of_birth", "dob"), "relationship": ()}
SIGNATURE_KEYS = {"kind": ("type",), "text": ("name",), "strokes": ("drawn",)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningTerms:
    """The requirements of a waiver.

    `minors` is refused, guardian (a guardian signs for them) or allowed (they sign themselves). `guardian` says whether
    someone who signs for others takes part, too: ask, yes or no. `signature` is either, typed or drawn.
    """

    version: int
    clauses: Sequence[Mapping[str, Any]] = ()
    questions: Sequence[Mapping[str, Any]] = ()
    age: int = 18
    minors: str = "guardian"
    guardian: str = "ask"
    max_minors: int = 10
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
class SigningPost:
    """A parsed post.

    `participants` are all people that it covers, starting with the signer if they take part.
    """

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


def parse_post(value: Any, terms: SigningTerms, today: date) -> SigningPost:
    """Parse posted data. Raise InvalidInputError with all errors."""
    issues = Issues()
    entry = ObjectReader(value, "", POST_KEYS, issues, "signing")
    if entry.has_key("version") and entry.values["version"] != terms.version:
        entry.add_issue("version", messages.TEXT_CHANGED)
    elif entry.is_object and not entry.has_key("version"):
        entry.add_issue("version", messages.REQUIRED)
    signer = _SignerInput(_open_nested_entry(entry, "signer", SIGNER_KEYS, issues, "a signer"), terms, today)
    others = _parse_participants(entry, terms, today, issues)
    signer_at = entry.key_path(entry.given_key("signer"))
    signer_is_minor = signer.is_minor
    if signer_is_minor and terms.minors != "allowed":
        issues.add(f"{signer_at}.{signer.key('birth_date')}", age_message(terms))
    takes_part = _is_signer_participant(entry, terms, bool(others))
    if not others and not takes_part and entry.is_object:
        entry.add_issue("participants", messages.NO_PARTICIPANT)
    participants = [participant for _, participant in others]
    if takes_part:
        own = Participant(signer.name, signer.birth_date, "", signer_is_minor, is_signer=True)
        _reject_duplicates([(signer_at, own), *others], issues)
        participants = [own, *participants]
    else:
        _reject_duplicates(others, issues)
    initials = _parse_initials(entry, terms, issues)
    answers = (
        parse_answers(entry.values.get("answers", {}), terms.questions, "answers", issues) if entry.is_object else {}
    )
    kind, typed, drawn = _parse_signature(entry, terms, issues)
    if entry.is_object and entry.read_key("consent", parse_flag, False) is not True:
        entry.add_issue("consent", messages.NO_CONSENT)
    token = entry.read_key("token", _parse_token, "")
    if entry.is_object and not entry.has_key("token"):
        entry.add_issue("token", messages.REQUIRED)
    marketing = entry.read_key("marketing", parse_flag, False)
    entry.reject_unknown_keys()
    if issues:
        raise InvalidInputError(issues)
    return SigningPost(
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
        numbers=person_query.phone_forms(signer.phone, terms.region),
    )


def age_message(terms: SigningTerms) -> str:
    """Return the message for a signer who is too young, or an empty string if minors may sign."""
    if terms.minors == "allowed":
        return ""
    if terms.minors == "guardian":
        return str(messages.GUARDIAN_NEEDED)
    return str(messages.TOO_YOUNG(age=terms.age))


class _SignerInput:
    """The signer as parsed from the post."""

    def __init__(self, entry: ObjectReader, terms: SigningTerms, today: date) -> None:
        self.key = entry.given_key
        self.name = _parse_required(entry, "name", object_parser.line_parser(120, 1))
        email_of: Callable[[Any], str] = parse_email
        self.email = (_parse_required if terms.email_required else _parse_optional)(entry, "email", email_of)
        self.phone = (_parse_required if terms.phone_required else _parse_optional)(entry, "phone", parse_phone)
        needs_birth = terms.minors != "allowed"
        born = entry.read_key("birth_date", birth_date_parser(today), None)
        if needs_birth and entry.is_object and not entry.has_key("birth_date"):
            entry.add_issue("birth_date", messages.REQUIRED)
        self.birth_date: date | None = born
        self.is_minor = born is not None and not is_of_age(born, terms.age, today)
        entry.reject_unknown_keys()


def _parse_participants(
    entry: ObjectReader, terms: SigningTerms, today: date, issues: Issues
) -> list[tuple[str, Participant]]:
    if not entry.has_key("participants"):
        return []
    path = entry.key_path(entry.given_key("participants"))
    value = entry.values[entry.given_key("participants")]
    if not isinstance(value, list):
        issues.add(path, messages.ARRAY_EXPECTED)
        return []
    if value and terms.minors == "refused":
        issues.add(path, messages.NO_OTHER_PEOPLE)
        return []
    if len(value) > terms.max_minors:
        issues.add(path, messages.TOO_MANY_PEOPLE(most=terms.max_minors))
        return []
    return [
        (item_path(path, n), _parse_participant(item, item_path(path, n), terms, today, issues))
        for n, item in enumerate(value)
    ]


def _parse_participant(value: Any, path: str, terms: SigningTerms, today: date, issues: Issues) -> Participant:
    entry = ObjectReader(value, path, PARTICIPANT_KEYS, issues, "a participant")
    name = _parse_required(entry, "name", object_parser.line_parser(120, 1))
    born = entry.read_key("birth_date", birth_date_parser(today), None)
    if entry.is_object and not entry.has_key("birth_date"):
        entry.add_issue("birth_date", messages.REQUIRED)
    if born is not None and is_of_age(born, terms.age, today):
        entry.add_issue("birth_date", messages.ADULT_PARTICIPANT)
    relationship = entry.read_key("relationship", object_parser.line_parser(60), "")
    entry.reject_unknown_keys()
    return Participant(name, born, relationship, is_minor=True)


def _is_signer_participant(entry: ObjectReader, terms: SigningTerms, for_others: bool) -> bool:
    """Return whether the signer takes part. A signer who signs for no one else always does."""
    if for_others and terms.guardian != "ask":
        return terms.guardian == "yes"
    return entry.read_key("signer_participates", parse_flag, not for_others)


def _reject_duplicates(results: Sequence[tuple[str, Participant]], issues: Issues) -> None:
    seen: set[tuple[str, date | None]] = set()
    for path, participant in results:
        person = (name_key.build_key(participant.name), participant.birth_date)
        if participant.name and person in seen:
            issues.add(f"{path}.name", messages.DUPLICATE_PERSON)
        seen.add(person)


def _parse_initials(entry: ObjectReader, terms: SigningTerms, issues: Issues) -> dict[str, str]:
    value = entry.values.get("initials", {})
    if not isinstance(value, Mapping):
        entry.add_issue("initials", messages.OBJECT_EXPECTED)
        return {}
    requested = {clause["key"]: clause for clause in terms.clauses if clause["initials"]}
    result: dict[str, str] = {}
    for key, clause in requested.items():
        try:
            text = object_parser.line_parser(5)(value[key]) if value.get(key) is not None else ""
            if text and not any(char.isalpha() for char in text):
                raise ValueError(messages.NO_INITIALS)
        except ValueError as problem:
            issues.add(f"initials.{key}", str(problem))
            continue
        if text:
            result[key] = text
        elif clause["required"]:
            issues.add(f"initials.{key}", messages.REQUIRED)
    for key in value:
        if key not in requested:
            issues.add(f"initials.{key}", messages.UNKNOWN_CLAUSE)
    return result


def _parse_signature(
    entry: ObjectReader, terms: SigningTerms, issues: Issues
) -> tuple[str, str, list[list[list[int]]]]:
    part = _open_nested_entry(entry, "signature", SIGNATURE_KEYS, issues, "a signature")
    kind = part.read_key("kind", _parse_kind, "drawn" if part.has_key("strokes") else "typed")
    typed = ""
    drawn: list[list[list[int]]] = []
    if part.is_object and terms.signature not in ("either", kind):
        text = messages.DRAW_SIGNATURE if terms.signature == "drawn" else messages.TYPE_NAME
        part.add_issue("kind", text)
    elif kind == "drawn":
        drawn = part.read_key("strokes", drawn_signature.clean_strokes, [])
        if part.is_object and not part.has_key("strokes"):
            part.add_issue("strokes", messages.REQUIRED)
    else:
        typed = _parse_required(part, "text", object_parser.line_parser(120, 1))
    part.reject_unknown_keys()
    return kind, typed, drawn


def _open_nested_entry(
    entry: ObjectReader, name: str, names: Mapping[str, Sequence[str]], issues: Issues, noun: str
) -> ObjectReader:
    """Return a reader of a nested object.

    A missing object is treated as empty, so that all its missing fields are reported.
    """
    return ObjectReader(
        entry.values.get(entry.given_key(name), {}), entry.key_path(entry.given_key(name)), names, issues, noun
    )


def _parse_required(entry: ObjectReader, name: str, parse: Callable[[Any], str]) -> str:
    if entry.is_object and (not entry.has_key(name) or entry.values[entry.given_key(name)] == ""):
        entry.add_issue(name, messages.REQUIRED)
        return ""
    return entry.read_key(name, parse, "")


def _parse_optional(entry: ObjectReader, name: str, parse: Callable[[Any], str]) -> str:
    return entry.read_key(name, parse, "")


def _parse_kind(value: Any) -> str:
    kind = {"typed": "typed", "text": "typed", "drawn": "drawn", "strokes": "drawn"}.get(str(value))
    if kind is None:
        raise ValueError(messages.SIGNATURE_KIND_INVALID)
    return kind


def _parse_token(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", value):
        raise ValueError(messages.TOKEN_INVALID)
    return value
