"""Pages: creating, finding, changing, pausing and deleting, and the plan's limit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from workspace.products.links.models import Page
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.links_guest import fetch_html, public_path, visit


@pytest.mark.django_db
def test_a_new_page_is_live_and_listed_with_its_buttons_and_profiles(api: Api) -> None:
    page = api.run("svc_links_create", title="Corner Café", bio="Coffee", slug="corner-cafe")
    link = api.run("svc_links_add", page_id=page["id"], title="Menu", url="example.com/menu")
    api.run("svc_links_edit", page_id=page["id"], social_profiles=[{"network": "tiktok", "url": "@corner"}])
    listing = api.run("svc_links_pages")
    assert (listing["total"], listing["count"], listing["offset"], listing["has_more"]) == (1, 1, 0, False)
    [row] = listing["items"]
    assert row["public_url"] == "http://127.0.0.1:8000/l/corner-cafe"
    [button] = row["elements"]
    assert (button["id"], button["title"], button["url"], button["is_on"]) == (
        link["id"],
        "Menu",
        "https://example.com/menu",
        True,
    )
    assert row["social_profiles"] == [{"network": "tiktok", "url": "https://www.tiktok.com/@corner"}]
    assert "Corner Café" in fetch_html("/l/corner-cafe")


@pytest.mark.django_db
def test_only_the_given_fields_change_and_an_empty_text_clears_one(api: Api) -> None:
    page = api.run("svc_links_create", title="Corner", bio="Coffee", theme="ocean")
    changed = api.run("svc_links_edit", page_id=page["id"], title="Corner Café")
    assert (changed["title"], changed["bio"], changed["theme"]) == ("Corner Café", "Coffee", "ocean")
    assert api.run("svc_links_edit", page_id=page["id"], bio="")["bio"] == ""


@pytest.mark.django_db
def test_the_old_slug_works_after_a_change(api: Api) -> None:
    page = api.run("svc_links_create", title="Corner", slug="corner")
    moved = api.run("svc_links_edit", page_id=page["id"], slug="corner-cafe")
    assert (moved["slug"], moved["slugs"]) == ("corner-cafe", ["corner-cafe", "corner"])
    assert "Corner" in fetch_html("/l/corner")
    assert "Corner" in fetch_html("/L/CORNER-CAFE")


@pytest.mark.django_db
def test_a_taken_slug_is_refused(api: Api, stranger: Api) -> None:
    api.run("svc_links_create", title="Corner", slug="corner")
    body = stranger.refuse("svc_links_create", title="Other", slug="Corner")
    assert [issue["path"] for issue in body["issues"]] == ["slug"]


@pytest.mark.django_db
def test_a_paused_page_names_the_business_and_can_be_resumed(api: Api) -> None:
    page = api.run("svc_links_create", title="Links")
    assert api.run("svc_links_edit", page_id=page["id"], live=False)["state"] == "paused"
    paused = visit(public_path(page))
    assert (paused.status_code, "Corner Café has paused" in paused.content.decode()) == (404, True)
    assert api.run("svc_links_edit", page_id=page["id"], live=True)["state"] == "live"
    fetch_html(public_path(page))


@pytest.mark.django_db
def test_a_deleted_page_is_gone_and_its_slug_is_never_reused(api: Api) -> None:
    page = api.run("svc_links_create", title="Links", slug="corner")
    api.run("svc_links_add", page_id=page["id"], url="example.com")
    assert api.run("svc_links_delete", ids=[page["id"]])["deleted"] == [{"id": page["id"], "title": "Links"}]
    assert visit("/l/corner").status_code == 410
    assert api.refuse("svc_links_create", title="Again", slug="corner")["issues"][0]["path"] == "slug"
    assert not Page.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 81}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"title": "x", "bio": "x" * 301}, "bio"),
        ({"title": "x", "theme": "plaid"}, "theme"),
        ({"title": "x", "slug": "a b"}, "slug"),
        ({"title": "x", "color": "red"}, "color"),
    ],
)
def test_an_invalid_argument_is_reported_and_no_page_is_created(arguments: dict[str, str], path: str, api: Api) -> None:
    body = api.refuse("svc_links_create", **arguments)
    assert [issue["path"] for issue in body["issues"]] == [path]
    assert not Page.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_creations_stop_at_the_plans_limit() -> None:
    api = make_api(make_account(link="free", menu="pro"))

    def create(number: int) -> str:
        try:
            status, body = Api(api.account, api.key).post("links/create", {"title": str(number)})
            return "ok" if status == 200 else str(body["error"])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        results = sorted(pool.map(create, range(4)))
    assert results == ["ok", "tool_error", "tool_error", "tool_error"]
    assert Page.objects.count() == 1
