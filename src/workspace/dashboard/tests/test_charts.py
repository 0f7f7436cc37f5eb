"""Charts are well-formed, escaped, and have the same data as text."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.dashboard.charts import (
    Point,
    axis_maximum,
    format_day,
    render_bar_chart,
    render_line_chart,
    render_share_list,
)

CHARTS: list[Callable[..., str]] = [render_bar_chart, render_line_chart, render_share_list]

texts = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
points = st.lists(
    st.builds(Point, texts, st.floats(min_value=0, max_value=1e12) | st.integers(0, 9), texts), max_size=8
)


def parse(markup: str) -> ET.Element:
    return ET.fromstring(markup)


@pytest.mark.parametrize("chart", CHARTS)
@given(points=points, title=texts)
def test_a_chart_is_well_formed_for_any_input(chart: Callable[..., str], points: list[Point], title: str) -> None:
    tree = parse(str(chart(points, title=title)))
    assert not [element for element in tree.iter() if "style" in element.attrib or element.tag == "script"]


@pytest.mark.parametrize("chart", CHARTS)
def test_a_label_cannot_inject_markup(chart: Callable[..., str]) -> None:
    evil = '"><script>alert(1)</script>'
    tree = parse(str(chart([Point(evil, 3, evil), Point("b", 1)], title=evil)))
    assert "script" not in {element.tag for element in tree.iter()}
    assert evil in "".join(tree.itertext())


@pytest.mark.parametrize("chart", [render_bar_chart, render_line_chart])
def test_every_point_has_a_hint_and_a_row_of_the_table(chart: Callable[..., str]) -> None:
    tree = parse(str(chart([Point("Mon", 1), Point("Tue", 1234.5, "Tuesday, a holiday")], title="Scans", unit="scans")))
    assert [title.text for title in tree.iter("title")] == ["Mon: 1 scans", "Tuesday, a holiday"]
    assert [cell.text for cell in tree.iter("td")] == ["1", "1,234.5"]
    svg = next(tree.iter("svg"))
    assert (svg.attrib["role"], svg.attrib["aria-label"]) == ("img", "Scans: 1,235.5 scans in total")


def test_bars_share_a_scale_from_zero() -> None:
    tree = parse(str(render_bar_chart([Point("a", 0), Point("b", 5), Point("c", 10)], title="x")))
    bars = [rect for rect in tree.iter("rect") if rect.attrib["class"] == "chart-bar"]
    assert [float(bar.attrib["height"]) for bar in bars] == [0, 80, 160]
    assert [float(bar.attrib["y"]) for bar in bars] == [160, 80, 0]


def test_a_small_value_is_still_visible() -> None:
    tree = parse(str(render_bar_chart([Point("a", 1), Point("b", 100000)], title="x")))
    bars = [rect for rect in tree.iter("rect") if rect.attrib["class"] == "chart-bar"]
    assert float(bars[0].attrib["height"]) == 2


def test_shares_are_relative_to_the_total() -> None:
    cells = [
        cell.text
        for cell in parse(str(render_share_list([Point("Phone", 3), Point("Other", 1)], title="x"))).iter("td")
    ]
    assert [text for text in cells if text] == ["3", "75 %", "1", "25 %"]
    assert "No data yet" in str(render_share_list([], title="Devices"))


@given(st.floats(min_value=0, max_value=1e15))
def test_the_scale_reaches_the_highest_point_and_not_far_beyond(most: float) -> None:
    assert most <= axis_maximum(most) <= max(2, most * 2.5)


@pytest.mark.parametrize(
    ("most", "top"), [(0, 2), (3, 4), (10, 10), (11, 12), (25, 30), (53, 60), (110, 120), (1300, 1600)]
)
def test_the_scale_ends_little_above_the_highest_point_and_its_half_is_whole(most: float, top: float) -> None:
    assert axis_maximum(most) == top
    assert (top / 2).is_integer()


def test_a_day_on_an_axis_is_formatted_for_people() -> None:
    assert format_day("2026-11-08") == "8 Nov"
