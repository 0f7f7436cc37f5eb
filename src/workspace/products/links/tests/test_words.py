"""What an answer says in words holds what its data holds: an agent may see the words alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from workspace.accounts.tests.samples import picture
from workspace.products.links.rows import ElementRow, element_line
from workspace.products.links.tests import samples  # noqa: F401 - its block shows pages
from workspace.products.links.tests.guests import path_of, visit
from workspace.testing import Api

pytestmark = pytest.mark.django_db
ELSEWHERE = {"kind", "date", "position", "saved", "is_on", "shows_now", "is_public", "shows_clicks", "change"}


def values(data: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every value that somebody may need, as text."""
    if name in ELSEWHERE:
        return
    if isinstance(data, dict):
        for key, value in data.items():
            yield from values(value, key)
    elif isinstance(data, list):
        for value in data:
            yield from values(value, name)
    elif isinstance(data, str) and data:
        yield name, data


def plain(text: str) -> str:
    return " ".join(text.replace("\\", "").split())


def missing(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in values(body["data"]) if plain(value) not in plain(body["text"])]


def test_everything_is_said(api: Api) -> None:
    upload = api.run("svc_upload_picture", content=picture())["upload_id"]
    shown = api.run("svc_links_create", title="Shown elsewhere")["id"]
    made = api.post(
        "links/create",
        {
            "title": "Corner Café",
            "bio": "Coffee\nand cake",
            "avatar_id": upload,
            "share_picture_id": upload,
            "share_title": "Come by",
            "share_description": "Every day",
            "social_profiles": [{"network": "instagram", "url": "@corner_cafe"}],
            "expires_at": "2031-01-01T10:00:00Z",
            "elements": [
                {"title": "Menu *of the day*", "url": "example.com/a_b", "icon": "☕", "shows_from": "2030-01-01"},
                {"kind": "heading", "title": "Find us"},
                {"kind": "text", "text": "Open\ndaily", "shows_until": "2030-02-01"},
                {"kind": "live", "thing": shown},
            ],
        },
    )[1]
    assert missing(made) == []
    id = made["data"]["id"]
    moved = api.post("links/edit", {"page_id": id, "slug": "corner-cafe", "live": False})[1]
    assert missing(moved) == []
    assert "paused" in moved["text"]
    api.run("svc_links_edit", page_id=id, live=True)
    button = made["data"]["elements"][0]["id"]
    visit(path_of(moved["data"]))
    visit(f"{path_of(moved['data'])}/{button}")
    for path, arguments in (
        ("links/pages", {}),
        ("links/add", {"page_id": id, "url": "example.org"}),
        ("links/save/links", {"page_id": id, "order": [button]}),
        ("links/stats", {"page_id": id}),
        ("links/export", {"page_id": id}),
        ("links/delete", {"ids": [button]}),
    ):
        assert missing(api.post(path, arguments)[1]) == [], path


ROW: ElementRow = {
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
        ({"shows_now": False}, "Menu → https://example.com (not at this time) `lnk_1`"),
        (
            {"shows_now": False, "shows_from": "2030-01-01T00:00:00Z", "shows_until": "2030-02-01T00:00:00Z"},
            "Menu → https://example.com (not at this time, from 2030-01-01T00:00:00Z, "
            "until 2030-02-01T00:00:00Z) `lnk_1`",
        ),
        (
            {"is_on": False, "shows_now": False, "shows_from": "2030-01-01T00:00:00Z", "icon": "☕"},
            "☕ Menu → https://example.com (off, from 2030-01-01T00:00:00Z) `lnk_1`",
        ),
    ],
)
def test_why_guests_do_not_see_a_button_is_said(more: Any, said: str) -> None:
    assert plain(element_line({**ROW, **more})) == said
