"""Whatever colour an owner takes, text in it and on it can be read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.products.card.theme import THEMES, stylesheet
from workspace.publishing.brand import contrast

COLOURS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
DAY_CARD, NIGHT_CARD = "#fffdf9", "#1f1d19"


def blocks(theme: str, colour: str) -> list[dict[str, str]]:
    return [dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{6})", block)) for block in stylesheet(theme, colour).splitlines()]


@given(COLOURS, st.sampled_from(sorted(THEMES)))
def test_every_pair_that_meets_has_enough_contrast(colour: str, theme: str) -> None:
    for names in blocks(theme, colour):
        card = names.get("card", DAY_CARD)
        for one, other in (
            (names["brand"], card),
            (names["brand"], names["paper"]),
            (names["brand"], names["tint"]),
            (names["on-brand"], names["brand"]),
            (names["on-band"], names["band"]),
            (names["on-band"], names["band-end"]),
        ):
            assert contrast(one, other) >= 4.5, (colour, theme, one, other)


def test_a_colour_that_can_be_read_is_left_as_it_is() -> None:
    assert blocks("classic", "#17604b")[0]["brand"] == "#17604b"


def test_midnight_is_dark_by_day_and_the_others_follow_the_guest() -> None:
    assert len(blocks("midnight", "#17604b")) == 1
    assert blocks("midnight", "#17604b")[0]["card"] == NIGHT_CARD
    assert "card" not in blocks("classic", "#17604b")[0]
    assert blocks("classic", "#17604b")[1]["card"] == NIGHT_CARD


@pytest.mark.parametrize(("one", "other", "ratio"), [("#000000", "#ffffff", 21), ("#777777", "#ffffff", 4.48)])
def test_contrast_is_that_of_the_standard(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.01)
