"""Clicks: each is counted and redirected by a stored id, and never to a URL in the request."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.analytics.queries import load_totals
from workspace.products.links.models import CLICK
from workspace.products.links.tests.pages import save
from workspace.publishing.models import Publication, VisitCounter
from workspace.testing.api import Api
from workspace.testing.links_guest import public_path, visit

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    result: dict[str, Any] = api.run("svc_links_create", title="Links")
    return result


def clicks() -> int:
    publication = Publication.objects.get()
    return load_totals([publication.pk], CLICK)[publication.pk].total


@pytest.mark.parametrize(
    "url", ["https://example.com/menu?a=1&b=2#x", "mailto:a@example.com?subject=Hi", "tel:+43123456", "sms:+43123456"]
)
def test_a_click_is_counted_and_redirected_temporarily(url: str, api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url=url)
    response = visit(f"{public_path(page)}/{link['id']}")
    assert (response.status_code, response["Location"]) == (302, url)
    assert (response["Cache-Control"], response["X-Robots-Tag"]) == ("no-store", "noindex")
    assert VisitCounter.objects.get(event=CLICK, detail=link["id"]).total == clicks() == 1


def test_head_requests_and_bots_are_redirected_and_not_counted(api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url="example.com")
    path = f"{public_path(page)}/{link['id']}"
    assert visit(path, method="head").status_code == 302
    assert visit(path, agent="WhatsApp/2.23").status_code == 302
    assert clicks() == 0
    assert VisitCounter.objects.get(event=CLICK, detail=link["id"]).bots == 1


def test_a_changed_button_opens_its_new_target_and_retains_its_count(api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url="example.com/old")
    visit(f"{public_path(page)}/{link['id']}")
    save(api, page["id"], id=link["id"], url="example.com/new")
    assert visit(f"{public_path(page)}/{link['id']}")["Location"] == "https://example.com/new"
    assert VisitCounter.objects.get(event=CLICK, detail=link["id"]).total == 2


def test_a_social_profile_is_clicked_by_its_network(api: Api, page: dict[str, Any]) -> None:
    api.run("svc_links_edit", page_id=page["id"], social_profiles=[{"network": "instagram", "url": "@corner"}])
    response = visit(f"{public_path(page)}/instagram")
    assert (response.status_code, response["Location"]) == (302, "https://www.instagram.com/corner")
    assert visit(f"{public_path(page)}/tiktok").status_code == 404


def test_a_url_in_the_query_is_ignored(api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url="example.com")
    for path in (
        f"{public_path(page)}?url=https://evil.example",
        f"{public_path(page)}/{link['id']}?url=https://evil.example",
    ):
        assert "evil" not in visit(path).headers.get("Location", "")
    assert visit(f"{public_path(page)}/https:evil.example").status_code == 404


def test_disabled_buttons_headings_and_foreign_elements_do_not_redirect(
    api: Api, page: dict[str, Any], stranger: Api
) -> None:
    off = api.run("svc_links_add", page_id=page["id"], url="example.com")
    save(api, page["id"], id=off["id"], is_on=False)
    heading = save(api, page["id"], kind="heading", title="Find us")
    theirs = stranger.run("svc_links_create", title="Other")
    foreign = stranger.run("svc_links_add", page_id=theirs["id"], url="example.com")
    for part in (off["id"], heading["id"], foreign["id"], "lnk_nothing"):
        response = visit(f"{public_path(page)}/{part}")
        assert (response.status_code, "Location" in response.headers) == (404, False), part
    assert not VisitCounter.objects.filter(event=CLICK).exists()


def test_buttons_of_a_paused_page_do_not_redirect(api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url="example.com")
    api.run("svc_links_edit", page_id=page["id"], live=False)
    response = visit(f"{public_path(page)}/{link['id']}")
    assert (response.status_code, "has paused" in response.content.decode()) == (404, True)


def test_a_click_url_accepts_no_post(api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url="example.com")
    assert visit(f"{public_path(page)}/{link['id']}", method="post").status_code in (403, 405)
