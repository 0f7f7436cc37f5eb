"""The text of an answer explains why guests do not see a button."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.links.api.serializers import ElementData
from workspace.products.links.api.text import format_element

ROW: ElementData = {
    "id": "lnk_1",
    "kind": "link",
    "title": "Menu",
    "url": "https://example.com",
    "is_on": True,
    "shows_now": True,
}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "Menu → https://example.com `lnk_1`"),
        ({"is_on": False, "shows_now": False}, "Menu → https://example.com (off) `lnk_1`"),
        ({"shows_now": False}, "Menu → https://example.com (outside its schedule) `lnk_1`"),
        (
            {"shows_now": False, "shows_from": "2030-01-01T00:00:00Z", "shows_until": "2030-02-01T00:00:00Z"},
            "Menu → https://example.com (outside its schedule, from 2030-01-01T00:00:00Z, "
            "until 2030-02-01T00:00:00Z) `lnk_1`",
        ),
        (
            {"is_on": False, "shows_now": False, "shows_from": "2030-01-01T00:00:00Z", "icon": "☕"},
            "☕ Menu → https://example.com (off, from 2030-01-01T00:00:00Z) `lnk_1`",
        ),
    ],
)
def test_the_text_explains_why_guests_do_not_see_a_button(more: Any, said: str) -> None:
    assert format_element({**ROW, **more}) == said
