"""Undo of changes to a page and its elements."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace.products.links.models import Element, Page
from workspace.products.links.tests.pages import get_page
from workspace.publishing.models import Address, Publication
from workspace.testing.api import Api
from workspace.testing.links_guest import fetch_html, public_path, visit

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    result: dict[str, Any] = api.run(
        "svc_links_create",
        title="Corner",
        bio="Coffee",
        elements=[{"title": title, "url": "example.com"} for title in ("One", "Two", "Three")],
    )
    return result


def same(item: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two pages are equal, except for the time of the last change."""
    return all(item[name] == other[name] for name in item if name not in ("updated_at", "views"))


def test_a_call_is_undone_as_a_whole_and_guests_see_it(api: Api, page: dict[str, Any]) -> None:
    item, two, three = (row["id"] for row in page["elements"])
    version = Publication.objects.get().version
    change = api.run(
        "svc_links_save",
        page_id=page["id"],
        items=[{"id": item, "title": "Uno", "shows_until": "2031-01-01"}, {"kind": "text", "text": "New"}],
        remove=[two],
        order=[three],
    )["change"]
    assert change["before"][item] == {"title": "One", "shows_until": None, "position": 0}
    assert change["before"][two]["title"] == "Two"
    assert "Uno" in fetch_html(public_path(page))
    undone = api.run("svc_undo")["change"]["id"]
    assert same(get_page(api, page["id"]), page)
    assert ">One</a>" in fetch_html(public_path(page))
    assert Publication.objects.get().version > version + 1, "a version only grows"
    api.run("svc_undo", change_id=undone)
    assert "Uno" in fetch_html(public_path(page)), "what was taken back can be done again"


def test_undoing_an_added_button_updates_the_page(api: Api, page: dict[str, Any]) -> None:
    api.run("svc_links_add", page_id=page["id"], url="example.com", title="Four")
    assert "Four" in fetch_html(public_path(page))
    api.run("svc_undo")
    assert "Four" not in fetch_html(public_path(page))


def test_publishing_settings_are_undone_except_the_password(api: Api, page: dict[str, Any]) -> None:
    change = api.run("svc_links_edit", page_id=page["id"], live=False, expires_at="2031-01-01", bio="Cake")["change"]
    assert change["before"] == {page["id"]: {"live": True, "expires_at": None, "bio": "Coffee"}}
    api.run("svc_undo")
    assert same(get_page(api, page["id"]), page)
    final = api.run("svc_links_edit", page_id=page["id"], password="sesame")["change"]
    assert "Secrets" in final["cannot_be_undone"]


def test_deleted_pages_and_buttons_are_restored_with_their_ids(api: Api, page: dict[str, Any]) -> None:
    other = api.run("svc_links_create", title="Other", elements=[{"url": "a.de"}, {"url": "b.de"}])
    button = other["elements"][0]["id"]
    deleted = api.run("svc_links_delete", ids=[page["id"], button])
    assert [row["title"] for row in deleted["deleted"]] == ["Corner", "https://a.de"]
    assert visit(public_path(page)).status_code == 410
    assert [row["id"] for row in api.run("svc_links_pages")["items"]] == [other["id"]]
    assert len(get_page(api, other["id"])["elements"]) == 1
    api.run("svc_undo")
    assert same(get_page(api, page["id"]), page) and same(get_page(api, other["id"]), other)
    assert visit(public_path(page)).status_code == 200


@pytest.mark.parametrize("undone", [False, True])
def test_deleting_and_restoring_many_takes_as_many_queries_as_a_few(undone: bool, api: Api) -> None:
    counts = []
    for size in (2, 12):
        pages = [api.run("svc_links_create", title=str(n), elements=[{"url": "a.de"}] * 2) for n in range(size)]
        ids = [
            *(page["id"] for page in pages[: size // 2]),
            *(page["elements"][0]["id"] for page in pages[size // 2 :]),
        ]
        with CaptureQueriesContext(connection) as queries:
            change = api.run("svc_links_delete", ids=ids)["change"]["id"]
        if undone:
            with CaptureQueriesContext(connection) as queries:
                api.run("svc_undo", change_id=change)
            assert all(same(get_page(api, page["id"]), page) for page in pages)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_unknown_id_prevents_the_whole_deletion(api: Api, page: dict[str, Any], stranger: Api) -> None:
    theirs = stranger.run("svc_links_create", title="Theirs")["id"]
    for wrong in ("lnk_none", theirs):
        body = api.refuse("svc_links_delete", ids=[page["id"], wrong])
        assert (body["error"], body["message"].partition(":")[0]) == ("not_found", "ids.1")
    assert Page.objects.count() == 2


def test_undoing_the_creation_of_a_page_without_visits_leaves_nothing(api: Api, page: dict[str, Any]) -> None:
    undone = api.run("svc_undo")
    assert not (Page._base_manager.exists() or Element.objects.exists() or Address.objects.exists())
    assert "Create them again" in undone["change"]["cannot_be_undone"]


def test_a_button_cannot_be_restored_on_a_purged_page(api: Api, page: dict[str, Any]) -> None:
    removed = api.run("svc_links_delete", ids=[page["elements"][0]["id"]])["change"]["id"]
    Page.objects.get(pk=page["id"]).purge()
    assert api.refuse("svc_undo", change_id=removed)["error"] == "conflict"
    assert not Element.objects.exists()


def test_the_dashboard_offers_undo(api: Api, page: dict[str, Any]) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    button = page["elements"][0]["id"]
    answer = owner.post(f"/app/links/{page['id']}/links/{button}/remove")
    html = owner.get(answer["Location"]).content.decode()
    [change] = re.findall(r'name="change_id" value="([^"]+)"', html)
    owner.post("/app/undo", {"change_id": change, "back": "/app/links"})
    assert same(get_page(api, page["id"]), page)
