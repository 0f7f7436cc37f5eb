"""Which letters can be printed: those of the fonts that are there, and all others are refused by name."""

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
def test_every_script_of_the_list_can_be_printed(script: str) -> None:
    assert glyph_coverage.find_unprintable(GREETINGS[script]) == []


def test_what_is_known_of_the_fonts_is_what_they_say() -> None:
    """`bin/fonts` writes it anew."""
    assert json.loads(cmaps.COVERAGE.read_text()) == json.loads(json.dumps(cmaps.coverage()))
    for bold in glyph_coverage.FONT_FOLDER.glob("*-Bold.ttf"):
        regular = bold.with_name(bold.name.replace("-Bold", "-Regular"))
        assert cmaps.characters_of(bold) == cmaps.characters_of(regular)


def test_a_letter_that_no_font_has_is_refused_by_its_name_where_it_stands() -> None:
    wanted = {"title": "Certificate", "recipients": [{"name": "Ada"}, {"name": "Fro\u16a0do \U00013000"}]}
    with pytest.raises(InvalidInputError) as refused:
        glyph_coverage.check(wanted, "body")
    (issue,) = refused.value.issues
    assert issue.path == "body.recipients.1.name"
    assert "“ᚠ” (U+16A0, runic letter fehu feoh fe f)" in issue.message and "U+13000" in issue.message


@pytest.mark.parametrize(
    "char", ["\x00", "\x07", "\x85", "\u2028", "\u202e", "\u2066", "\ud800", "\ufeff", "\U0010ffff"]
)
def test_what_disguises_or_shows_nothing_is_refused_too(char: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        glyph_coverage.check({"name": f"Ada{char}"})
    assert f"U+{ord(char):04X}" in refused.value.message


def test_no_more_issues_are_told_than_anybody_reads() -> None:
    with pytest.raises(InvalidInputError) as refused:
        glyph_coverage.check(["ᚠ"] * 500)
    assert len(refused.value.issues) == glyph_coverage.MAX_ISSUES


@given(st.text())
def test_whatever_is_typed_is_either_refused_or_has_a_font(text: str) -> None:
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


def test_the_forms_of_han_are_those_of_the_language_or_of_what_stands_beside_them() -> None:
    def face(language: str, text: str) -> str:
        (name,) = [one for one in glyph_coverage.choose_fonts(language, text)[0] if "CJK" in one]
        return name[-2:]

    assert [face("ja", "骨"), face("ko", "骨"), face("zh", "骨"), face("zh-TW", "骨")] == ["JP", "KR", "SC", "TC"]
    assert [face("en", "骨"), face("de", "骨の"), face("en", "骨 안")] == ["SC", "JP", "KR"]
    assert len(glyph_coverage.choose_fonts("en", "Ada\n👍🏽")[1]) == 1  # 19 MB are opened only where they are needed


def test_a_long_text_is_looked_through_at_once() -> None:
    began = time.process_time()
    assert glyph_coverage.find_unprintable("Ada مرحبا 骨 \u0301" * 100_000) == []
    assert time.process_time() - began < 10  # does not hang
