"""A whole page as JSON, out and back in."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from workspace.accounts.models import Upload
from workspace.products.links.models import Page
from workspace.products.links.tests.guests import shown
from workspace.testing import Api, make_account, make_api

pytestmark = pytest.mark.django_db


def picture(side: int = 600) -> str:
    out = io.BytesIO()
    Image.new("RGB", (side, side), "#c0392b").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def filled(api: Api) -> dict[str, Any]:
    page = api.run("svc_links_create_page", title="Corner Café", bio="Coffee\nand cake", theme="bistro")
    upload = api.run("svc_upload_picture", content=picture())
    api.run(
        "svc_links_edit_page",
        page_id=page["id"],
        avatar_id=upload["upload_id"],
        share_picture_id=upload["upload_id"],
        share_title="Come by",
        social_profiles=[{"network": "instagram", "url": "@corner"}],
    )
    link = api.run("svc_links_add", page_id=page["id"], title="Menu", url="example.com/menu", icon="☕")
    api.run(
        "svc_links_edit_link",
        page_id=page["id"],
        link_id=link["id"],
        is_on=False,
        shows_from="2024-01-01T10:00:00Z",
        shows_until="2024-02-01T10:00:00Z",
    )
    api.run("svc_links_insert_heading", page_id=page["id"], title="Find us")
    api.run("svc_links_insert_text", page_id=page["id"], text="Open daily")
    api.run("svc_links_add", page_id=page["id"], url="tel:+4312345678")
    return dict(api.run("svc_links_get_page", page_id=page["id"]))


def told(page: dict[str, Any]) -> list[tuple[Any, ...]]:
    names = ("kind", "title", "url", "icon", "text", "live", "is_on", "shows_from", "shows_until")
    return [tuple(one[name] for name in names) for one in page["elements"]]


def test_an_export_makes_the_same_page_in_another_account(api: Api, stranger: Api) -> None:
    page = filled(api)
    exported = api.run("svc_links_export_page", page_id=page["id"])
    again = stranger.run("svc_links_import_page", page=exported["page"], slug="copy")
    assert told(again) == told(page)
    for name in ("title", "bio", "theme", "social_profiles", "share_title", "share_description"):
        assert again[name] == page[name], name
    assert again["id"] != page["id"]
    kept = Upload.objects.get(pk=again["avatar_id"])
    assert (kept.account_id, kept.uses, kept.width) == (stranger.account.pk, 1, 384)
    assert "/pictures/" in shown("/l/copy")
    assert stranger.run("svc_links_export_page", page_id=again["id"])["page"].keys() == exported["page"].keys()


def test_the_smallest_file_is_a_title(api: Api) -> None:
    page = api.run("svc_links_import_page", page={"title": "Links"})
    assert (page["title"], page["elements"], page["state"]) == ("Links", [], "live")


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ({}, "page.title"),
        ([], "page"),
        ({"title": "x", "format": "other"}, "page.format"),
        ({"title": "x", "version": 2}, "page.version"),
        ({"title": "x", "colour": "red"}, "page.colour"),
        ({"title": "x", "elements": [{"kind": "link"}]}, "page.elements.0"),
        ({"title": "x", "elements": [{"kind": "link", "url": "javascript:x"}]}, "page.elements.0.url"),
        ({"title": "x", "elements": [{"kind": "link", "url": "a.de", "icon": "star"}]}, "page.elements.0.icon"),
        ({"title": "x", "elements": [{"kind": "heading", "title": "x", "url": "a.de"}]}, "page.elements.0"),
        ({"title": "x", "elements": [{"kind": "video"}]}, "page.elements.0.kind"),
        (
            {"title": "x", "elements": [{"url": "a.de", "shows_from": "2024-02-01", "shows_until": "2024-01-01"}]},
            "page.elements.0.shows_until",
        ),
        ({"title": "x", "elements": [{"url": "a.de"}] * 151}, "page.elements"),
        ({"title": "x", "avatar": "no picture"}, "page.avatar"),
    ],
)
def test_a_wrong_file_is_refused_at_its_place_and_makes_nothing(file: Any, path: str, api: Api) -> None:
    body = api.refuse("svc_links_import_page", page=file)
    assert [issue["path"] for issue in body["issues"]] == [path]
    assert not Page.objects.exists() and not Upload.objects.exists()


def test_a_file_with_more_buttons_than_a_page_holds_is_refused(api: Api) -> None:
    body = api.refuse("svc_links_import_page", page={"title": "x", "elements": [{"url": "a.de"}] * 101})
    assert (body["error"], Page.objects.count()) == ("tool_error", 0)


def test_an_import_counts_against_the_plan() -> None:
    api = make_api(make_account(link="free", qr="pro"))
    api.run("svc_links_import_page", page={"title": "One"})
    assert api.refuse("svc_links_import_page", page={"title": "Two"})["error"] == "tool_error"


def test_a_picture_that_is_taken_off_is_released(api: Api) -> None:
    page = filled(api)
    assert Upload.objects.get(pk=page["avatar_id"]).uses == 2
    api.run("svc_links_edit_page", page_id=page["id"], avatar_id="")
    assert Upload.objects.get(pk=page["avatar_id"]).uses == 1
    api.run("svc_links_delete_page", page_id=page["id"])
    assert Upload.objects.get(pk=page["avatar_id"]).uses == 0
