"""The parts of dashboard pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from workspace.publishing import icons

ROOM = Path(__file__).resolve().parents[1]


def render_part(source: str, path: str = "/app/qr?q=caf%C3%A9&offset=50", **context: Any) -> str:
    return Template("{% load dashboard %}" + source).render(Context({"request": RequestFactory().get(path), **context}))


def test_the_pages_of_a_list_preserve_the_search() -> None:
    html = render_part(
        "{% pager listing limit=50 %}", listing={"offset": 50, "count": 50, "total": 120, "has_more": True}
    )
    assert "51–100 of 120" in html
    assert re.findall(r'href="([^"]+)"', html) == ["?q=caf%C3%A9", "?q=caf%C3%A9&amp;offset=100"]


def test_a_list_with_one_page_has_no_pager() -> None:
    assert (
        render_part("{% pager listing %}", listing={"offset": 0, "count": 3, "total": 3, "has_more": False}).strip()
        == ""
    )


def test_a_deletion_is_confirmed_in_a_dialog_or_on_a_page() -> None:
    html = render_part('{% confirm "d1" "/app/x/delete" "Delete it?" "It is gone then." "Delete" %}', csrf_token="tok")
    assert '<a class="btn" data-variant="destructive" href="/app/x/delete" data-dialog="d1">' in html
    assert '<dialog class="ask" id="d1"' in html
    assert 'value="tok"' in html


def test_the_tab_of_the_page_is_marked() -> None:
    html = render_part('{% tabs "Codes" "/app/qr" "Folders" "/app/qr/folders" %}')
    assert re.findall(r'<a href="([^"]+)" aria-current="page">', html) == ["/app/qr"]


def test_a_page_below_a_tab_marks_that_tab() -> None:
    html = render_part('{% tabs "Home" "/app" "Codes" "/app/q" %}')
    assert re.findall(r'<a href="([^"]+)" aria-current="page">', html) == ["/app"]


def test_user_input_is_escaped_everywhere() -> None:
    source = (
        '{% copy evil %}{% stat evil evil evil %}{% badge evil %}{% empty evil evil "/" evil %}'
        '{% crumbs evil "/" evil %}'
        "{% confirm evil evil evil evil evil %}{% tabs evil evil %}"
    )
    html = render_part(source, evil="\"><script>alert('1')</script>")
    assert "<script" not in html
    assert '""' not in html


def test_copying_works_manually_without_script() -> None:
    html = render_part('{% copy "https://example.com/q/1" %}')
    assert '<code class="copy-text">https://example.com/q/1</code>' in html
    assert " hidden>" in html  # a script shows the button


@pytest.mark.parametrize("name", sorted(icons.ICON_NAMES))
def test_an_icon_is_one_path_hidden_from_screen_readers(name: str) -> None:
    markup = icons.render_icon(name)
    assert markup.count("<path") == 1
    assert 'aria-hidden="true"' in markup


def test_every_icon_named_in_a_template_exists() -> None:
    named = set()
    for path in ROOM.parent.glob("**/templates/**/*.html"):
        named |= set(re.findall(r'{% icon "(\w+)" %}', path.read_text()))
    assert len(named) > 5
    assert named <= icons.ICON_NAMES
