"""The leaves of the design Twigs never overlap a title or a name."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from workspace.products.seat.domain.pdf.print_chart import PrintChart, PrintGuest, PrintItem
from workspace.products.seat.domain.pdf.renderer import PrintKind, render_preview

pytestmark = pytest.mark.any_database

LONG = "Maximiliane-Friederike von Hohenlohe-Langenburg-Weikersheim und Sonnenberg"
CHART = PrintChart(LONG, [PrintItem("a", LONG, "round", 8)], guests=[PrintGuest(LONG, "a", party=LONG)] * 10)
BARE = replace(CHART, title=" ", tables=[PrintItem("a", " ")], guests=[PrintGuest(" ", "a", party=" ")] * 10)


def render_image(chart: PrintChart, kind: PrintKind, design: str) -> Image.Image:
    return Image.open(BytesIO(render_preview(chart, kind, design=design, width=900))).convert("L")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["poster", "cards", "escort", "numbers"])
def test_no_leaf_overlaps_text(kind: PrintKind) -> None:
    def inked(image: Image.Image, other: Image.Image) -> Image.Image:
        return ImageChops.difference(image, other).point(lambda value: 255 if value > 24 else 0)

    leaves = inked(render_image(BARE, kind, "twigs"), render_image(BARE, kind, "plain"))
    words = inked(render_image(CHART, kind, "twigs"), render_image(BARE, kind, "twigs"))
    assert leaves.getbbox() and words.getbbox()
    both = ImageChops.multiply(leaves, words)
    assert both.getbbox() is None
