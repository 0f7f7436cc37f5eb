"""A guest finds a session however its letters are typed, even without scripts."""

from __future__ import annotations

import pytest

from workspace.products.event.public.filters import ProgramFilter

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("grossmann", "Großmann and the sea"),
        ("GROSSMANN", "Großmann and the sea"),
        ("großmann", "GROSSMANN"),
        ("yilmaz", "Ayşe Yılmaz"),
        ("YILMAZ ayse", "Ayşe Yılmaz"),
        ("soren lodz", "Søren in Łódź"),
        ("ΟΔΟΣ", "οδός"),
    ],
)
def test_a_word_is_found_in_any_spelling_of_its_letters(typed: str, title: str) -> None:
    assert ProgramFilter(text=typed).matches_text(title)


def test_another_word_is_not_found() -> None:
    assert not ProgramFilter(text="grossman x").matches_text("Großmann and the sea")
