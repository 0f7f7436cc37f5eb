"""Text is readable in and on any color that an owner chooses, by day and by night."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from workspace.brand.color_contrast import contrast_ratio
from workspace.brand.fonts import FONT_PAIRS, TYPEFACES
from workspace.brand.style import CORNER_RADII, DAY, NIGHT, Style, min_contrast, parse_color, render_css

COLORS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
FONTS = Path(__file__).parents[1] / "static" / "brand" / "fonts"


@given(COLORS, st.one_of(st.just(""), COLORS))
def test_every_combination_of_colors_has_enough_contrast(color: str, accent: str) -> None:
    for ground in (DAY, NIGHT):
        hues = Style(color, accent).compute_colors(ground)
        read = [(one, other) for one in ("brand", "accent", "ink") for other in ("paper", "card", "tint")]
        written = [("on-brand", "brand"), ("on-accent", "accent"), ("on-band", "band"), ("on-band", "band-end")]
        quiet = [("soft", "paper"), ("soft", "card")]
        for one, other in [*read, *written, *quiet, ("bad", "card"), ("bad", "bad-tint")]:
            assert contrast_ratio(hues[one], hues[other]) >= 4.5, (color, accent, one, other)
        assert min_contrast(hues) >= 4.4


def test_a_readable_color_is_unchanged() -> None:
    assert Style("#17604b").compute_colors(DAY)["brand"] == "#17604b"
    assert Style("#17604b").compute_colors(NIGHT)["brand"] != "#17604b"


def test_a_dark_style_is_always_dark_and_others_follow_the_device() -> None:
    assert "prefers-color-scheme" in render_css(Style())
    assert "prefers-color-scheme" not in render_css(Style(tone="dark"))
    assert f"--card:{NIGHT.card}" in render_css(Style(tone="dark"))


@pytest.mark.parametrize(("one", "other", "ratio"), [("#000000", "#ffffff", 21), ("#777777", "#ffffff", 4.48)])
def test_contrast_is_computed_as_in_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast_ratio(one, other) == pytest.approx(ratio, abs=0.01)


@pytest.mark.parametrize(
    ("typed", "read"), [("#17604B", "#17604b"), ("17604b", "#17604b"), (" #fa0 ", "#ffaa00"), ("", "")]
)
def test_colors_are_accepted_as_people_write_them(typed: str, read: str) -> None:
    assert parse_color(typed) == read


@pytest.mark.parametrize("fonts", FONT_PAIRS)
@pytest.mark.parametrize("corners", CORNER_RADII)
def test_a_style_sheet_is_immutable_and_small(fonts: str, corners: str) -> None:
    look = Style("#8a1538", "#f2b705", fonts, corners)
    answer = Client().get(look.url)
    assert answer.status_code == 200
    assert answer.content.decode() == render_css(look)
    assert answer["Content-Type"].startswith("text/css")
    assert "immutable" in answer["Cache-Control"]
    assert len(gzip.compress(answer.content)) < 1500
    assert not re.search(r"https?://", answer.content.decode()), "nothing comes from elsewhere"


@pytest.mark.parametrize("name", ["17604b-own-comic-soft", "17604b-own-system-wavy", "17604b-own-system", "x"])
def test_unknown_style_sheets_are_not_found(name: str) -> None:
    assert Client().get(f"/styles/{name}.0123456789ab.css").status_code == 404


def test_an_outdated_url_returns_the_current_sheet_without_caching() -> None:
    answer = Client().get("/styles/17604b-own-system-soft.0123456789ab.css")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-cache")


def test_font_files_are_the_published_ones_and_small_enough() -> None:
    listed = dict(re.findall(r"^    ([0-9a-f]{64})  (\S+)$", (FONTS / "README.md").read_text(), re.MULTILINE))
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FONTS.glob("*.woff2")}
    assert {name: digest for digest, name in listed.items()} == files
    for pair in FONT_PAIRS.values():
        named = re.findall(r"brand/fonts/([^\"]+\.woff2)", pair.css_rules)
        assert set(named) <= set(files)
        assert pair.css_rules.count("font-display:swap") == len(named)
        sizes = {name: (FONTS / name).stat().st_size for name in named if "latin-ext" not in name}
        core = {name: size for name, size in sizes.items() if "-core-" in name}
        assert sum(sizes.values()) - sum(core.values()) < 75_000
        assert max(core.values(), default=0) < 20_000


def test_while_a_typeface_is_loaded_a_stand_in_has_the_same_width() -> None:
    for typeface in TYPEFACES:
        rules, families = typeface.css_rules, [name.strip('"') for name in typeface.families.split(",")]
        assert families == list(dict.fromkeys(families))
        assert set(re.findall(r'font-family:"([^"]+)"', rules)) == set(families)
        sizes = dict(re.findall(r'local\("([^"]+)"\),local\("[^"]+"\);size-adjust:([\d.]+)%', rules))
        assert sizes.keys() == {one.name for one in typeface.stand_ins} and len(sizes) >= 2
        for one in typeface.stand_ins:
            assert float(sizes[one.name]) / 100 * one.width == pytest.approx(typeface.width, rel=0.002)
