"""Mentions of a person in text, and their removal."""

from __future__ import annotations

import pytest

from workspace.lib.data_subject import DataSubject
from workspace.lib.errors import InvalidInputError

EMAIL = DataSubject("anna_b@example.com")
WHOLE, AT_HOME = DataSubject(number="+43 660 123 45 67"), DataSubject(number="0660 1234567")


@pytest.mark.parametrize(
    "text",
    [
        "anna_b@example.com",
        "Write to ANNA_B@Example.Com.",
        "<anna_b@example.com>",
        "mailto:anna_b@example.com?subject=Hi",
        "https://example.org/?to=anna_b%40example.com&x=1",
        "https://example.org/?next=mailto%3Aanna_b%40example.com",
        "the mail of anna\\_b@example.com",
    ],
)
def test_an_email_address_is_found_in_any_spelling(text: str) -> None:
    assert EMAIL.is_named_in(text)
    assert "example.com" not in EMAIL.remove_from(text).lower()


@pytest.mark.parametrize(
    "text",
    ["hanna_b@example.com", "x-anna_b@example.com", "anna_b@example.com.au", "anna_b@example.co", "annab@example.com"],
)
def test_a_longer_email_address_does_not_match(text: str) -> None:
    assert not EMAIL.is_named_in(text)
    assert EMAIL.remove_from(text) == text


@pytest.mark.parametrize("subject", [WHOLE, AT_HOME], ids=["with its country", "at home"])
@pytest.mark.parametrize(
    "text",
    [
        "+436601234567",
        "+43 (0)660 123 45 67",
        "0043 660 1234567",
        "0660/123 45 67",
        "(0660) 123-45-67",
        "call 0660 1234567 on 2024-01-01",
        "tel:+43-660-1234567",
        "0660\u00a0123\u00a045\u00a067",
        "https://wa.me/436601234567",
    ],
)
def test_a_phone_number_is_found_in_any_format(subject: DataSubject, text: str) -> None:
    assert subject.is_named_in(text)
    assert "67" not in subject.remove_from(text)


@pytest.mark.parametrize("text", ["+436601234568", "06601234567890", "990660123456", "1234567", "660 123 45"])
def test_another_number_does_not_match(text: str) -> None:
    assert not WHOLE.is_named_in(text)
    assert not AT_HOME.is_named_in(text)


def test_the_same_number_with_different_country_codes_does_not_match() -> None:
    assert not WHOLE.is_named_in("+496601234567")


def test_the_rest_of_a_text_is_unchanged() -> None:
    assert EMAIL.remove_from("Ask anna_b@example.com about it") == "Ask [erased] about it"
    assert EMAIL.remove_from(" anna_b@example.com ") == ""
    assert EMAIL.remove_from("https://example.org/?to=anna_b@example.com&x=1") == "https://example.org/?to=&x=1"


def test_an_entry_that_lost_a_text_is_removed_from_its_list() -> None:
    given = [
        {"email": "anna_b@example.com", "label": "Work"},
        {"email": "bob@example.com", "label": "anna_b@example.com and he"},
        "anna_b@example.com",
    ]
    assert EMAIL.remove_from(given) == [{"email": "bob@example.com", "label": "[erased] and he"}]


@pytest.mark.parametrize(
    ("email", "phone", "path"),
    [
        ("", "", "email"),
        ("anna", "", "email"),
        ("a@b.c, d@e.f", "", "email"),
        ("", "12345", "phone"),
        ("", "call me", "phone"),
    ],
)
def test_invalid_input_is_rejected_at_its_path(email: str, phone: str, path: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        DataSubject.parse(email, phone)
    assert refused.value.issues[0].path == path
