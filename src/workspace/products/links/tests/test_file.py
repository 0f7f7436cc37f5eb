"""A whole page as JSON: exported and imported as arguments of a tool, and as a file with its pictures."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from workspace.accounts.models import Upload
from workspace.products.links.models import Page
from workspace.products.links.tests.pages import get_page
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.links_guest import fetch_html
from workspace.testing.samples import links as samples  # noqa: F401 - its live block shows pages

pytestmark = pytest.mark.django_db
OWN = ("title", "bio", "theme", "social_profiles", "share_title", "share_description")
ELEMENTS = [
    {
        "title": "Menu",
        "url": "https://example.com/menu",
        "icon": "☕",
        "is_on": False,
        "shows_from": "2024-01-01T10:00:00Z",
        "shows_until": "2024-02-01T10:00:00Z",
    },
    {"kind": "heading", "title": "Find us"},
    {"kind": "text", "text": "Open daily"},
    {"url": "tel:+4312345678"},
]


def picture(side: int = 600) -> str:
    out = io.BytesIO()
    Image.new("RGB", (side, side), "#c0392b").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def filled(api: Api, *more: dict[str, Any]) -> dict[str, Any]:
    upload = api.run("svc_upload_file", content=picture())["upload_id"]
    page: dict[str, Any] = api.run(
        "svc_links_create",
        title="Corner Café",
        bio="Coffee\nand cake",
        theme="bistro",
        avatar_id=upload,
        share_image_id=upload,
        share_title="Come by",
        social_profiles=[{"network": "instagram", "url": "@corner"}],
        elements=[*ELEMENTS, *more],
    )
    return page


def elements_without_ids(page: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: value for name, value in element.items() if name != "id"} for element in page["elements"]]


def signed_in(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def import_page(api: Api, content: Any, **more: str) -> Any:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    file = SimpleUploadedFile("page.json", text, "application/json")
    return signed_in(api).post("/app/links/import", {"file": file, **more})


def test_an_exported_page_can_be_created_again_unchanged(api: Api) -> None:
    page = filled(api)
    exported = api.run("svc_links_export", page_id=page["id"])
    again = api.run("svc_links_create", **json.loads(exported["content"]), slug="copy")
    assert elements_without_ids(again) == elements_without_ids(page)
    for name in (*OWN, "avatar_id", "share_image_id"):
        assert again[name] == page[name], name
    assert again["id"] != page["id"]
    assert Upload.objects.get().use_count == 4
    assert (exported["file_name"], exported["rows"]) == (f"link-page-{page['slug']}.json", 4)


def test_a_page_too_large_for_an_answer_is_only_a_file(api: Api) -> None:
    long = [{"url": "https://example.com/" + "x" * 1000}] * 60
    page = api.run("svc_links_create", title="Links", elements=long)
    exported = api.run("svc_links_export", page_id=page["id"])
    assert exported["content"] == ""
    path = exported["file_url"].removeprefix("http://127.0.0.1:8000")
    assert len(signed_in(api).get(path).json()["elements"]) == 60


def test_a_file_creates_the_same_page_with_pictures_in_another_account(api: Api, stranger: Api) -> None:
    page = filled(api)
    saved = signed_in(api).get(f"/app/links/{page['id']}/export.json")
    assert f'filename="link-page-{page["slug"]}.json"' in saved["Content-Disposition"]
    assert import_page(stranger, saved.content, slug="copy").status_code == 303
    again = get_page(stranger, stranger.account.link_pages.get().pk)
    assert elements_without_ids(again) == elements_without_ids(page)
    for name in OWN:
        assert again[name] == page[name], name
    upload = Upload.objects.get(pk=again["avatar_id"])
    assert (upload.account_id, upload.use_count, upload.width) == (stranger.account.pk, 1, 384)
    assert "/pictures/" in fetch_html("/l/copy")


def test_an_import_leaves_out_live_blocks_of_missing_items_and_says_so(api: Api, stranger: Api) -> None:
    other = api.run("svc_links_create", title="Shown in a block")
    page = filled(api, {"kind": "live", "thing": other["id"]})
    content = signed_in(api).get(f"/app/links/{page['id']}/export.json").content
    owner = signed_in(stranger)
    answer = owner.post("/app/links/import", {"file": SimpleUploadedFile("page.json", content)})
    assert "Some live blocks were skipped" in owner.get(answer["Location"]).content.decode()
    assert len(get_page(stranger, stranger.account.link_pages.get().pk)["elements"]) == 4


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"", ""),
        (b"{", ""),
        (b"null", "not an exported link page"),
        (b"[]", "not an exported link page"),
        (b"\xff\xfe", ""),
        (b'{"title": 5}', "Expected text"),
        ({}, "Required"),
        ({"title": "x", "format": "other"}, "not an exported link page"),
        ({"title": "x", "version": 2}, "not an exported link page"),
        ({"title": "x", "pictures": []}, "not an exported link page"),
        ({"title": "x", "elements": 5}, "not an exported link page"),
        ({"title": "x", "elements": [5]}, "Expected an object"),
        ({"title": "x", "elements": [{"kind": "link"}]}, "This field is required"),
        ({"title": "x", "elements": [{"url": "javascript:x"}]}, "Only http and https"),
        ({"title": "x", "elements": [{"url": "a.de"}] * 151}, "Use at most 150"),
        ({"title": "x", "elements": [{"url": "a.de"}] * 101}, "100 buttons"),
        ({"title": "x", "pictures": {"avatar": "no picture"}}, "base64"),
        ({"title": "x", "color": "red"}, "Unknown argument"),
    ],
)
def test_an_invalid_file_is_refused_and_creates_nothing(file: Any, said: str, api: Api) -> None:
    response = import_page(api, file)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Page.objects.exists() and not Upload.objects.exists()


def test_an_import_counts_toward_the_plans_limit() -> None:
    api = make_api(make_account(link="free", qr="pro"))
    assert import_page(api, {"title": "One"}).status_code == 303
    assert "You’ve reached your plan’s limit of 1 link page" in import_page(api, {"title": "Two"}).content.decode()
    assert Page.objects.count() == 1


def test_pictures_are_in_use_until_the_page_is_purged(api: Api) -> None:
    page = filled(api)
    upload = Upload.objects.get()
    assert upload.use_count == 2
    api.run("svc_links_edit", page_id=page["id"], avatar_id="")
    upload.refresh_from_db()
    assert upload.use_count == 1
    api.run("svc_links_delete", ids=[page["id"]])
    upload.refresh_from_db()
    assert upload.use_count == 1, "it may be brought back"
    Page._base_manager.get().purge()
    upload.refresh_from_db()
    assert upload.use_count == 0


def test_a_duplicate_has_the_same_elements(api: Api) -> None:
    elements = [
        {"title": "Shop", "url": "example.com", "icon": "🛍"},
        {"kind": "heading", "title": "Here", "is_on": False},
    ]
    page = api.run("svc_links_create", title="Corner", bio="Cakes", theme="ink", elements=elements)
    copy = api.run("svc_links_create", title="Other", copy_of=page["slug"])
    assert (copy["title"], copy["bio"], copy["theme"]) == ("Other", "Cakes", "ink")
    said = [
        [{k: v for k, v in element.items() if k not in ("id", "clicks")} for element in row["elements"]]
        for row in (page, copy)
    ]
    assert said[0] == said[1] and len(said[0]) == 2
    bare = api.run("svc_links_create", title="Bare", copy_of=page["id"], elements=[], bio="")
    assert bare["elements"] == [] and bare["bio"] == "" and bare["theme"] == "ink"
