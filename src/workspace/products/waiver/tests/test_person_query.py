"""How people are found by what somebody types at a door."""

from __future__ import annotations

import pytest

from workspace.lib.name_key import key, words
from workspace.products.waiver.rules.person_query import Query, numbers, read


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
def test_a_name_is_its_folded_words(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected


def test_two_ways_to_write_a_name_are_one_person() -> None:
    assert key("Smith, Ann-Marie") == key("ann marie SMITH") != key("Anna Marie Smith")


@pytest.mark.parametrize("typed", ["+43 660 1234567", "0660/123 45 67", "0043 660 1234567", "660 1234567"])
def test_a_number_is_found_however_it_is_written(typed: str) -> None:
    assert numbers("+436601234567", "AT") & numbers(typed, "AT")


def test_a_number_is_not_another_ones() -> None:
    assert not numbers("+436601234567", "AT") & numbers("+43 660 1234568", "AT")
    assert numbers("12345", "AT") == frozenset()


@pytest.mark.parametrize("text", ["", " ", "%", "_", "-", "12345", "+++", "."])
def test_what_names_nobody_asks_for_nobody(text: str) -> None:
    found = read(text, "AT")
    assert not found or found == Query(words=frozenset({"12345"}))


def test_an_address_a_number_and_a_name_are_told_apart() -> None:
    assert read(" Ada@Example.COM ", "").email == "ada@example.com"
    assert read("+1 (555) 010-9999", "US").numbers
    assert read("Ada 2", "").words == {"ada", "2"}
