"""Queries that find people at check-in."""

from __future__ import annotations

import pytest

from workspace.lib.name_key import build_key, split_words
from workspace.products.waiver.rules.person_query import PersonQuery, parse_query, phone_forms


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("O'Brien-Løvås, Zoë", ("obrien", "lovas", "zoe")),
        ("Łukasz Đorđević", ("lukasz", "dordevic")),
        ("Groß Ægir", ("gross", "aegir")),
        ("  JOSÉ\u00a0 María  de la Cruz ", ("jose", "maria", "de", "la", "cruz")),
        ("D’Angelo", ("dangelo",)),
        ("أحمد", ("احمد",)),
        ("%", ()),
        ("_", ()),
        ("'' - ,", ()),
    ],
)
def test_a_name_is_split_into_folded_words(name: str, expected: tuple[str, ...]) -> None:
    assert split_words(name) == expected


def test_two_spellings_of_a_name_are_one_person() -> None:
    assert build_key("Smith, Ann-Marie") == build_key("ann marie SMITH") != build_key("Anna Marie Smith")


@pytest.mark.parametrize("typed", ["+43 660 1234567", "0660/123 45 67", "0043 660 1234567", "660 1234567"])
def test_a_phone_number_is_found_in_any_notation(typed: str) -> None:
    assert phone_forms("+436601234567", "AT") & phone_forms(typed, "AT")


def test_different_phone_numbers_do_not_match() -> None:
    assert not phone_forms("+436601234567", "AT") & phone_forms("+43 660 1234568", "AT")
    assert phone_forms("12345", "AT") == frozenset()


@pytest.mark.parametrize("text", ["", " ", "%", "_", "-", "12345", "+++", "."])
def test_a_text_that_names_no_one_finds_no_one(text: str) -> None:
    query = parse_query(text, "AT")
    assert not query or query == PersonQuery(words=frozenset({"12345"}))


def test_emails_phone_numbers_and_names_are_distinguished() -> None:
    assert parse_query(" Ada@Example.COM ", "").email == "ada@example.com"
    assert parse_query("+1 (555) 010-9999", "US").numbers
    assert parse_query("Ada 2", "").words == {"ada", "2"}
