"""Printable characters are those of the available fonts, and all others are rejected by name."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.documents import glyph_coverage
from workspace.documents.tests import cmaps
from workspace.lib.errors import InvalidInputError
from workspace.testing.greetings import GREETINGS


@pytest.mark.parametrize("script", GREETINGS)
def test_every_listed_script_can_be_printed(script: str) -> None:
    assert glyph_coverage.find_unprintable(GREETINGS[script]) == []


def test_the_coverage_file_matches_the_fonts() -> None:
    """If this fails, run `bin/fonts`, which writes the file."""
    assert json.loads(cmaps.COVERAGE.read_text()) == json.loads(json.dumps(cmaps.coverage()))
    for bold in glyph_coverage.FONT_FOLDER.glob("*-Bold.ttf"):
        regular = bold.with_name(bold.name.replace("-Bold", "-Regular"))
        assert cmaps.characters_of(bold) == cmaps.characters_of(regular)


def test_a_character_without_a_font_is_rejected_by_name_at_its_path() -> None:
    wanted = {"title": "Certificate", "recipients": [{"name": "Ada"}, {"name": "Fro\u16a0do \U00013000"}]}
    with pytest.raises(InvalidInputError) as refused:
        glyph_coverage.check_printable(wanted, "body")
    (issue,) = refused.value.issues
    assert issue.path == "body.recipients.1.name"
    assert "“ᚠ” (U+16A0, runic letter fehu feoh fe f)" in issue.message and "U+13000" in issue.message


@pytest.mark.parametrize(
    "char", ["\x00", "\x07", "\x85", "\u2028", "\u202e", "\u2066", "\ud800", "\ufeff", "\U0010ffff"]
)
def test_invisible_and_deceptive_characters_are_rejected_too(char: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        glyph_coverage.check_printable({"name": f"Ada{char}"})
    assert f"U+{ord(char):04X}" in refused.value.message


def test_the_number_of_reported_issues_is_limited() -> None:
    with pytest.raises(InvalidInputError) as refused:
        glyph_coverage.check_printable(["ᚠ"] * 500)
    assert len(refused.value.issues) == glyph_coverage.MAX_ISSUES


@given(st.text())
def test_any_text_is_rejected_or_has_a_font(text: str) -> None:
    own, han = cmaps_once()
    for char in set(text) - set(glyph_coverage.find_unprintable(text)):
        assert (
            ord(char) in own | han or not glyph_coverage._INVISIBLE.sub("", char) or char in "\n\t" or is_composed(char)
        )


def is_composed(char: str) -> bool:
    import unicodedata

    return len(unicodedata.normalize("NFD", char)) > 1


def cmaps_once(kept: list[tuple[set[int], set[int]]] = []) -> tuple[set[int], set[int]]:  # noqa: B006
    if not kept:
        kept.append((cmaps.own_characters(), cmaps.han_characters()))
    return kept[0]


def test_han_forms_follow_the_language_or_the_script_in_the_text() -> None:
    def used_font(language: str, text: str) -> str:
        (name,) = [one for one in glyph_coverage.choose_fonts(language, text)[0] if "CJK" in one]
        return name[-2:]

    assert [used_font("ja", "骨"), used_font("ko", "骨"), used_font("zh", "骨"), used_font("zh-TW", "骨")] == [
        "JP",
        "KR",
        "SC",
        "TC",
    ]
    assert [used_font("en", "骨"), used_font("de", "骨の"), used_font("en", "骨 안")] == ["SC", "JP", "KR"]
    assert len(glyph_coverage.choose_fonts("en", "Ada\n👍🏽")[1]) == 1  # the 19 MB are only loaded if they are needed


def test_a_long_text_is_checked_quickly() -> None:
    began = time.process_time()
    assert glyph_coverage.find_unprintable("Ada مرحبا 骨 \u0301" * 100_000) == []
    assert time.process_time() - began < 10  # does not hang
