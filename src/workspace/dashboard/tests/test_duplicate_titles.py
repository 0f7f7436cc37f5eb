"""Titles of duplicates."""

from __future__ import annotations

import pytest

from workspace.dashboard.item_duplication import find_free_title


@pytest.mark.parametrize(
    ("original", "taken", "title"),
    [
        ("Summer menu", [], "Summer menu (copy)"),
        ("Summer menu", ["Summer menu (copy)"], "Summer menu (copy 2)"),
        ("Summer menu (copy)", ["Summer menu (copy)"], "Summer menu (copy 2)"),
        ("Summer menu (copy 2)", ["Summer menu (copy)", "Summer menu (copy 2)"], "Summer menu (copy 3)"),
        ("Summer menu (copy 2)", [], "Summer menu (copy)"),
        ("A menu as long as it may be!", [], "A menu as long as it (copy)"),
        ("A menu as long as it may be!", ["A menu as long as it (copy)"], "A menu as long as i (copy 2)"),
        ("قائمة الصيف", [], "قائمة الصيف (copy)"),
    ],
)
def test_a_copy_is_numbered_after_the_existing_copies(original: str, taken: list[str], title: str) -> None:
    assert find_free_title(original, taken, 28) == title
