"""Contrast of every theme by WCAG 2, over the whole gradient of its background."""

from __future__ import annotations

import pytest
from django.test import Client

from workspace.products.links.rules.themes import THEMES, Theme, dark_variant, render_css
from workspace.testing.api import Api
from workspace.testing.pictures import picture

TEXT = 4.5  # AA for text
LOOKS = [*THEMES.values(), *(dark_variant(theme) for theme in THEMES.values() if theme.night)]


def luminance(color: tuple[float, float, float]) -> float:
    channels = [c / 255 for c in color]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def rgb(text: str) -> tuple[float, float, float]:
    assert len(text) == 7 and text[0] == "#", text
    return (int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


def contrast(item: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    lighter, darker = sorted((luminance(item), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def grounds(theme: Theme) -> list[tuple[float, float, float]]:
    """Return 21 colors of the background, from the top of the page to its bottom."""
    ends = list(zip(rgb(theme.ground[0]), rgb(theme.ground[-1]), strict=True))
    steps = [[top + (bottom - top) * n / 20 for top, bottom in ends] for n in range(21)]
    return [(red, green, blue) for red, green, blue in steps]


def test_the_contrast_of_known_pairs_is_correct() -> None:
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)
    assert contrast(rgb("#777777"), rgb("#ffffff")) == pytest.approx(4.48, abs=0.01)


def test_several_themes_are_available() -> None:
    assert len(THEMES) >= 8
    assert len({(theme.ground, theme.button) for theme in THEMES.values()}) == len(THEMES)


@pytest.mark.parametrize("theme", LOOKS, ids=lambda theme: f"{theme.name}{' by night' if theme.dark else ''}")
def test_the_text_of_a_theme_has_enough_contrast(theme: Theme) -> None:
    for ground in grounds(theme):
        assert contrast(rgb(theme.ink), ground) >= TEXT, "the title"
        assert contrast(rgb(theme.soft), ground) >= TEXT, "the bio"
    assert contrast(rgb(theme.label), rgb(theme.button)) >= TEXT, "a button"


@pytest.mark.parametrize("name", THEMES)
def test_a_style_sheet_is_small_and_loads_nothing_else(name: str) -> None:
    text = render_css(name)
    assert len(text) < 1200
    assert "url(" not in text and "@import" not in text
    assert text.count("{") == text.count("}")


@pytest.mark.django_db
def test_a_page_uses_the_brands_style_until_a_theme_is_chosen(api: Api) -> None:
    page = api.run("svc_links_create", title="Corner")
    assert page["theme"] == "brand"
    api.run("svc_brand_edit", logo_id=api.run("svc_upload_file", content=picture())["upload_id"])
    html = Client().get(f"/l/{page['slug']}").content.decode()
    assert "/l/themes/" not in html and 'class="face logo"' in html
    api.run("svc_links_edit", page_id=page["id"], theme="forest")
    assert "/l/themes/forest." in Client().get(f"/l/{page['slug']}").content.decode()
