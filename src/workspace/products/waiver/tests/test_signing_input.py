"""Parsing of a guest's post: all errors together at their paths, and who may sign for others."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from workspace.lib.errors import InvalidInputError
from workspace.products.waiver.rules.definition_input import (
    format_span,
    parse_clauses,
    parse_kiosk,
    parse_questions,
    parse_span,
)
from workspace.products.waiver.rules.drawn_signature import render_svg
from workspace.products.waiver.rules.signing_input import SigningPost, SigningTerms, parse_post

TODAY = date(2026, 11, 21)
CLAUSES = parse_clauses([{"title": "Risk", "text": "Climbing is dangerous", "initials": True}, {"body": "Be kind"}])[0]
QUESTIONS = parse_questions(
    [
        {"label": "Emergency contact", "required": True},
        {"label": "Allergies", "type": "multi_select", "choices": ["Nuts", "Bees"]},
    ]
)[0]
TERMS = SigningTerms(version=2, clauses=CLAUSES, questions=QUESTIONS, region="AT")
DRAWN = [[[n * 3, n % 7] for n in range(40)]]


def post(**changes: Any) -> dict[str, Any]:
    return {
        "version": 2,
        "signer": {"name": "Ada King", "email": "ada@example.com", "birth_date": "1990-05-01"},
        "initials": {"risk": "AK"},
        "answers": {"emergency_contact": "Bob 0660"},
        "signature": {"kind": "typed", "text": "Ada King"},
        "consent": True,
        "token": "abcdefgh",
        **changes,
    }


def child(name: str = "Tim King", born: str = "2016-01-02", **more: Any) -> dict[str, Any]:
    return {"name": name, "birth_date": born, "relationship": "Mother", **more}


def parse_signing(value: Any, **changes: Any) -> SigningPost:
    fields = {name: getattr(TERMS, name) for name in TERMS.__slots__}
    return parse_post(value, SigningTerms(**{**fields, **changes}), TODAY)


def faults(value: Any, **changes: Any) -> dict[str, str]:
    with pytest.raises(InvalidInputError) as refused:
        parse_signing(value, **changes)
    return {issue.path: issue.message for issue in refused.value.issues}


def test_an_adult_signs_for_themselves() -> None:
    signing_post = parse_signing(post())
    [participant] = signing_post.participants
    assert (participant.name, participant.is_signer, participant.is_minor, signing_post.kind, signing_post.typed) == (
        "Ada King",
        True,
        False,
        "typed",
        "Ada King",
    )
    assert signing_post.answers == {"emergency_contact": "Bob 0660"} and signing_post.initials == {"risk": "AK"}


def test_all_errors_are_reported_together() -> None:
    data = faults({"participants": [child(born="1.2.2016"), {}], "initials": {"zzz": "A"}, "signer": {"email": "x"}})
    assert data.keys() == {
        "version",
        "signer.name",
        "signer.email",
        "signer.birth_date",
        "participants.0.birth_date",
        "participants.1.name",
        "participants.1.birth_date",
        "initials.risk",
        "initials.zzz",
        "answers.emergency_contact",
        "signature.text",
        "consent",
        "token",
    }
    assert (
        data["participants.0.birth_date"] == "Enter a date like 2026-12-31."
        and data["initials.risk"] == "Fill in this field."
    )
    assert faults([]).keys() >= {""}


def test_an_error_path_is_spelled_as_in_the_input() -> None:
    fields = post(guardian={"name": "Ada King", "dob": "1990"}, children=[child(born="2030-01-01")])
    del fields["signer"]
    assert faults(fields).keys() == {"guardian.email", "guardian.dob", "children.0.birth_date"}


def test_a_guardian_signs_for_several_minors_and_states_whether_they_take_part() -> None:
    both = [child(), child("Eve King")]
    assert [participant.name for participant in parse_signing(post(participants=both)).participants] == [
        "Tim King",
        "Eve King",
    ]
    names = [
        participant.name
        for participant in parse_signing(post(participants=both, signer_participates=True)).participants
    ]
    assert names == ["Ada King", "Tim King", "Eve King"]
    assert len(parse_signing(post(participants=both, signer_participates=True), guardian="no").participants) == 2
    assert len(parse_signing(post(participants=both), guardian="yes").participants) == 3
    assert "participants" in faults(post(participants=both), max_minors=1)
    assert "participants" in faults(post(participants=both), minors="refused")
    assert "participants" in faults(post(signer_participates=False))


def test_adults_must_sign_alone_and_minors_may_not() -> None:
    assert "participants.0.birth_date" in faults(post(participants=[child(born="2008-11-21")]))
    parse_signing(post(participants=[child(born="2008-11-22")]))
    young = {"name": "Tim", "email": "t@example.com", "birth_date": "2008-11-22"}
    assert "guardian must sign" in faults(post(signer=young))["signer.birth_date"]
    assert "18 years" in faults(post(signer=young), minors="refused")["signer.birth_date"]
    assert parse_signing(post(signer=young), minors="allowed").participants[0].is_minor
    assert parse_signing(post(signer={"name": "T", "email": "t@example.com"}), minors="allowed").birth_date is None


def test_a_person_can_be_listed_only_once() -> None:
    assert faults(post(participants=[child(), child("KING, tim")])).keys() == {"participants.1.name"}
    parse_signing(post(participants=[child(), child(born="2015-01-02")]))


@pytest.mark.parametrize(
    ("signature", "ways", "path"),
    [
        ({"kind": "drawn", "strokes": [[[1, 1]] * 29]}, "either", "signature.strokes"),
        ({"kind": "drawn", "strokes": [[[1, 1]] * 60]}, "either", "signature.strokes"),
        ({"kind": "drawn", "strokes": "x"}, "either", "signature.strokes"),
        ({"kind": "drawn"}, "either", "signature.strokes"),
        ({"kind": "typed", "text": " "}, "either", "signature.text"),
        ({"kind": "typed", "text": "Ada"}, "drawn", "signature.kind"),
        ({"kind": "drawn", "strokes": DRAWN}, "typed", "signature.kind"),
        ("Ada", "either", "signature"),
    ],
)
def test_an_invalid_signature_is_refused(signature: Any, ways: str, path: str) -> None:
    assert path in faults(post(signature=signature), signature=ways)


def test_a_drawn_signature_is_stored_in_whole_pixels() -> None:
    signing_post = parse_signing(post(signature={"strokes": [[[x + 0.4, y] for x, y in DRAWN[0]]]}))
    assert (
        signing_post.kind == "drawn"
        and signing_post.strokes == DRAWN
        and render_svg(signing_post.strokes).startswith("<svg")
    )


def test_answers_are_validated_by_their_questions() -> None:
    fields = {"emergency_contact": " ", "allergies": ["Nuts", "Cats"], "other": 1}
    assert faults(post(answers=fields)).keys() == {"answers.emergency_contact", "answers.allergies", "answers.other"}


@pytest.mark.parametrize(
    ("given", "span", "told"),
    [
        ({"years": 1}, {"years": 1}, "for 1 year"),
        ("6 months", {"months": 6}, "for 6 months"),
        ("2 weeks", {"days": 14}, "for 14 days"),
        ("end_of_year", {"end_of_year": True}, "until the end of the year"),
        ("never", {}, "with no expiry"),
        ("2027-06-30", {"until": "2027-06-30"}, "until 2027-06-30"),
        ({"until": "2027-06-30"}, {"until": "2027-06-30"}, "until 2027-06-30"),
    ],
)
def test_a_validity_period_is_parsed_in_several_notations(given: Any, span: Any, told: str) -> None:
    assert parse_span(given) == (span, []) and format_span(span) == told


@pytest.mark.parametrize(
    "given", [{"years": 0}, {"years": 11}, {"years": True}, {"years": 1, "days": 1}, "soon", 5, {"until": "x"}]
)
def test_an_invalid_validity_period_is_refused_at_its_path(given: Any) -> None:
    assert [issue.path for issue in parse_span(given, "valid_for")[1]] == ["valid_for"]


def test_invalid_clauses_questions_and_kiosk_settings_are_refused_at_their_paths() -> None:
    _, issues = parse_clauses(
        [{"title": "x"}, {"text": "a", "key": "k"}, {"text": "b", "key": "k", "more": 1}, 5], "clauses"
    )
    assert [issue.path for issue in issues] == ["clauses.0.text", "clauses.2.key", "clauses.2.more", "clauses.3"]
    _, issues = parse_questions([{"label": "Which", "type": "radio"}, {"type": "file", "choices": ["a"]}], "questions")
    assert [issue.path for issue in issues] == [
        "questions.0.options",
        "questions.1.label",
        "questions.1.type",
        "questions.1.choices",
    ]
    _, issues = parse_kiosk({"pin": "12", "reset_seconds": 1}, "kiosk")
    assert [issue.path for issue in issues] == ["kiosk.pin", "kiosk.reset_seconds"]
