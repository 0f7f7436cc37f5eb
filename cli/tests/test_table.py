"""Which columns a table shows in the available width."""

from __future__ import annotations

from typing import Any

import pytest
from loopback import Command, Service, ok
from svc.text_table import format_table

HOME = "https://tools.example.com"


def code(name: str, target: str, slug: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"qr_01m7yaaaxh6p2cq4gbg{slug}",
        "folder": "",
        "has_password": False,
        "created_at": "2026-10-07T04:47:25Z",
        "name": name,
        "printed_url": f"{HOME}/q/{slug}".upper(),
        "target_url": target,
        "total_scans": 1161,
        "short_url": f"{HOME}/q/{slug}",
        "slug": slug,
        "svg_url": f"{HOME}/q/{slug}.svg",
        "png_url": f"{HOME}/q/{slug}.png",
        "stats_url": f"{HOME}/q/{slug}/stats",
        "state": "live",
        **more,
    }


CODES = [
    code("Menu on the tables", "https://example.com/menu/of/the/whole/week", "ku3ufnf"),
    code("Leave us a review", "https://example.org/reviews/cafe-morgenrot", "syyc5wn"),
]


def header(rows: list[Any], width: int | None) -> list[str]:
    return format_table(rows, width)[0].splitlines()[0].split()


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (20, "NAME"),
        (40, "NAME TOTAL_SCANS SLUG"),
        (60, "NAME TOTAL_SCANS ID"),
        (80, "NAME TARGET_URL STATE ID"),
        (140, "NAME TARGET_URL TOTAL_SCANS SHORT_URL STATE ID"),
        (170, "NAME TARGET_URL TOTAL_SCANS SHORT_URL STATE HAS_PASSWORD ID"),
        (None, "NAME TARGET_URL TOTAL_SCANS SHORT_URL STATE HAS_PASSWORD CREATED_AT FOLDER ID"),
    ],
)
def test_the_most_important_columns_come_first_and_the_id_last(width: int | None, columns: str) -> None:
    assert header(CODES, width) == columns.split()


@pytest.mark.parametrize("width", range(10, 200, 7))
def test_columns_are_left_out_before_they_become_too_narrow(width: int) -> None:
    text, left_out = format_table(CODES, width)
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    assert left_out
    shown = lines[0].split()
    if width >= 16:
        assert lines[1].startswith("Menu on the tab")
    if "TARGET_URL" in shown:
        assert "https://example.com/men" in lines[1]
    for name in ("id", "short_url", "slug", "created_at"):
        assert (name.upper() in shown) == (str(CODES[0][name]) in lines[1].split())


def test_remaining_width_goes_to_truncated_columns() -> None:
    rows = [{"name": "A name that is rather long, all in all", "views": 3}]
    assert format_table(rows, 60)[0].splitlines()[1].startswith(rows[0]["name"])


def test_a_url_is_left_out_only_if_it_repeats_another_in_every_row() -> None:
    moved = [{"from_url": "https://a.example", "to_url": "https://a.example/new"}]
    assert header(moved, None) == ["FROM_URL", "TO_URL"]
    same = [{"name": "A", "url": "https://a.example", "website": "https://a.example"}]
    assert header(same, None) == ["NAME", "URL", "WEBSITE"]
    mixed = [CODES[0], {**CODES[1], "svg_url": f"{HOME}/elsewhere.svg"}]
    assert "SVG_URL" in header(mixed, None)
    assert "SVG_URL" not in header(CODES, None)


def test_mostly_empty_names_and_flags_come_after_texts() -> None:
    row = {"page_id": "rvp_1", "featured": True, "source_name": "", "rating": 5, "text": "Good", "name": "Ada"}
    assert header([row, row, {**row, "source_name": "x"}], None) == [
        *("NAME", "RATING", "TEXT", "PAGE_ID", "FEATURED", "SOURCE_NAME"),
    ]


def test_rows_without_a_name_start_with_their_first_field() -> None:
    assert header([{"date": "2026-10-07", "scans": 3}], 80) == ["DATE", "SCANS"]
    assert header([1, 2], 80) == ["VALUE"]
    assert header([{"field": "a", "value": 1}, {"field": "b", "value": 2}], 80) == ["FIELD", "VALUE"]
    assert format_table([{"a": "寿司", "b": 1}, {"a": "é", "b": 2}], 80)[0] == "A     B\n寿司  1\né     2"
    assert format_table([{}], 80)[0] == "No entries."


def test_lists_of_words_are_joined_and_empty_ones_are_left_out() -> None:
    rows = [{"name": "Soup", "tags": ["vegan", "halal"], "variants": [], "allergens": {}}, {"name": "Pie", "tags": []}]
    assert format_table(rows, 80)[0].splitlines() == ["NAME  TAGS", "Soup  vegan, halal", "Pie"]


def test_a_footer_on_standard_error_mentions_further_columns(svc: Command, service: Service) -> None:
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": CODES})
    shown = svc.on_terminal("qr", "list", COLUMNS="80", NO_COLOR="1").out
    assert shown.endswith("For more columns, use --output json\n")
    ran = svc("qr", "list", "--output", "table")
    assert ran.err == "For more columns, use --output json\n"
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": [{"name": "A", "scans": 1}]})
    assert svc("qr", "list", "--output", "table").err == ""
