"""The guest page of a notice board."""

from __future__ import annotations

import pytest

from workspace.testing.api import Api
from workspace.testing.guest_browser import Guest
from workspace.testing.samples.pinboard import make_notice_board

pytestmark = pytest.mark.django_db


def test_the_page_shows_the_title_and_the_paragraphs(api: Api) -> None:
    slug = make_notice_board(api, text="First <b>line</b>.\n\nSecond paragraph.")["slug"]
    html = Guest().get(f"/pinboard/{slug}").content.decode()
    assert ">Sample 0</h1>" in html
    assert "<p>First &lt;b&gt;line&lt;/b&gt;.</p>" in html and "<p>Second paragraph.</p>" in html


def test_a_change_is_visible_at_the_next_load(api: Api) -> None:
    notice_board, guest = make_notice_board(api), Guest()
    assert ">Sample 0</h1>" in guest.get(f"/pinboard/{notice_board['slug']}").content.decode()
    api.run("svc_pinboard_edit", id=notice_board["id"], title="Renamed")
    assert ">Renamed</h1>" in guest.get(f"/pinboard/{notice_board['slug']}").content.decode()


def test_a_visit_is_counted(api: Api) -> None:
    notice_board = make_notice_board(api)
    Guest().get(f"/pinboard/{notice_board['slug']}")
    assert api.run("svc_pinboard_get", id=notice_board["id"])["views"] == 1
    assert api.run("svc_pinboard_list")["items"][0]["views"] == 1


def test_a_share_preview_has_the_title_and_the_text(api: Api) -> None:
    slug = make_notice_board(api, text="Open daily.")["slug"]
    html = Guest().get(f"/pinboard/{slug}").content.decode()
    assert '<meta property="og:title" content="Sample 0">' in html
    assert '<meta property="og:description" content="Open daily.">' in html
