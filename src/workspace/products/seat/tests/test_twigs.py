"""The leaves of the design Twigs never lie over a title or a name."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from workspace.products.seat.domain.pdf.renderer import Kind, picture_of
from workspace.products.seat.domain.pdf.types import Chart, Placed, Seated

pytestmark = pytest.mark.any_database

LONG = "Maximiliane-Friederike von Hohenlohe-Langenburg-Weikersheim und Sonnenberg"
CHART = Chart(LONG, [Placed("a", LONG, "round", 8)], guests=[Seated(LONG, "a", party=LONG)] * 10)
BARE = replace(CHART, title=" ", tables=[Placed("a", " ")], guests=[Seated(" ", "a", party=" ")] * 10)


def drawn(chart: Chart, kind: Kind, design: str) -> Image.Image:
    return Image.open(BytesIO(picture_of(chart, kind, design=design, width=900))).convert("L")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["poster", "cards", "escort", "numbers"])
def test_no_leaf_lies_over_words(kind: Kind) -> None:
    def inked(one: Image.Image, other: Image.Image) -> Image.Image:
        return ImageChops.difference(one, other).point(lambda value: 255 if value > 24 else 0)

    leaves = inked(drawn(BARE, kind, "twigs"), drawn(BARE, kind, "plain"))
    words = inked(drawn(CHART, kind, "twigs"), drawn(BARE, kind, "twigs"))
    assert leaves.getbbox() and words.getbbox()
    both = ImageChops.multiply(leaves, words)
    assert both.getbbox() is None
