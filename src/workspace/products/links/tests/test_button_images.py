"""Small pictures of buttons, which are in use as long as the button exists."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.accounts.models import Upload
from workspace.products.links.models import Page
from workspace.testing.api import Api
from workspace.testing.pictures import picture

pytestmark = pytest.mark.django_db


def upload(api: Api) -> str:
    text: str = api.run("svc_upload_file", content=picture())["upload_id"]
    return text


def uses(*ids: str) -> list[int]:
    return [Upload.objects.get(pk=id).use_count for id in ids]


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    value = upload(api)
    result: dict[str, Any] = api.run(
        "svc_links_create", title="Corner", elements=[{"url": "example.com", "title": "Bread", "image_id": value}]
    )
    return result


def test_a_picture_is_loaded_lazily_in_small_sizes(page: dict[str, Any]) -> None:
    html = Client().get(f"/l/{page['slug']}").content.decode()
    id = page["elements"][0]["image_id"]
    assert f'<img src="/pictures/{id}/96" srcset="/pictures/{id}/96 2x, /pictures/{id}/192 3x" alt=""' in html
    assert 'loading="lazy"' in html


def test_a_picture_is_in_use_with_its_button_and_restored_with_it(api: Api, page: dict[str, Any]) -> None:
    id, element = page["id"], page["elements"][0]
    first, second = element["image_id"], upload(api)
    assert uses(first, second) == [1, 0]
    change = {"id": element["id"], "image_id": second}
    changed = api.run("svc_links_save", page_id=id, items=[change, {"url": "example.org", "image_id": second}])
    assert uses(first, second) == [0, 2]
    same = api.run("svc_links_save", page_id=id, items=[change])
    assert uses(first, second) == [0, 2] and same["elements"][0]["image_id"] == second
    api.run("svc_undo", change_id=changed["change"]["id"])
    assert uses(first, second) == [1, 0]
    removed = api.run("svc_links_delete", ids=[element["id"]])
    assert uses(first) == [0]
    api.run("svc_undo", change_id=removed["change"]["id"])
    assert uses(first) == [1]
    cleared = api.run("svc_links_save", page_id=id, items=[{"id": element["id"], "image_id": ""}])
    assert uses(first) == [0] and "image_id" not in cleared["elements"][0]
    api.run("svc_undo", change_id=cleared["change"]["id"])
    copy = api.run("svc_links_create", title="Copy", copy_of=id)
    assert uses(first) == [2] and copy["elements"][0]["image_id"] == first
    for item in Page.objects.all():
        item.purge()
    assert uses(first) == [0]


def test_an_unknown_picture_is_refused_at_its_path(api: Api, page: dict[str, Any], stranger: Api) -> None:
    items = [
        {"url": "example.com", "image_id": upload(stranger)},
        {"kind": "heading", "title": "A", "image_id": ""},
    ]
    refused = api.refuse("svc_links_save", page_id=page["id"], items=items[:1])
    assert [issue["path"] for issue in refused["issues"]] == ["items.0.image_id"]
    refused = api.refuse("svc_links_save", page_id=page["id"], items=items)
    assert [issue["path"] for issue in refused["issues"]] == ["items.1.image_id"]
    assert len(api.run("svc_links_pages")["items"][0]["elements"]) == 1


def test_an_owner_chooses_a_picture_in_the_buttons_form(api: Api, page: dict[str, Any]) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    element = page["elements"][0]
    url = f"/app/links/{page['id']}/links/{element['id']}"
    form = owner.get(url).content.decode()
    assert f'name="image_id" value="{element["image_id"]}"' in form and 'enctype="multipart/form-data"' in form
    file = SimpleUploadedFile("new.png", base64.b64decode(picture()), content_type="image/png")
    sent = {"url": "https://example.com", "title": "Bread", "_has": "is_on", "is_on": "true"}
    assert owner.post(url, {**sent, "image": file}).status_code in (302, 303)
    now = api.run("svc_links_pages")["items"][0]["elements"][0]["image_id"]
    assert now != element["image_id"] and uses(now, element["image_id"]) == [1, 0]
    owner.post(url, {**sent, "image_id": ["", now]})
    owner.post(url, {**sent, "image_id": [now, ""]})
    assert uses(now) == [0]
