"""Buttons and what stands between them: adding, changing, ordering, removing."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.products.links.models import MOST_OTHERS, Element, Kind, Page
from workspace.products.links.tests.guests import path_of, shown
from workspace.testing import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    found: dict[str, Any] = api.run("svc_links_create_page", title="Links")
    return found


def order(api: Api, page: dict[str, Any]) -> list[str]:
    elements = api.run("svc_links_get_page", page_id=page["id"])["elements"]
    return [one["title"] or one["text"] for one in elements]


def add(api: Api, page: dict[str, Any], title: str, url: str = "example.com", **more: str) -> str:
    link: dict[str, Any] = api.run("svc_links_add", page_id=page["id"], title=title, url=url, **more)
    return str(link["id"])


def test_a_button_without_a_title_shows_its_address(api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url="www.example.com/menu")
    assert link["title"] == link["url"] == "https://www.example.com/menu"
    assert ">example.com/menu</a>" in shown(path_of(page))


def test_elements_stand_in_the_order_of_their_adding(api: Api, page: dict[str, Any]) -> None:
    add(api, page, "One", icon="☕")
    api.run("svc_links_insert_heading", page_id=page["id"], title="Find us")
    api.run("svc_links_insert_text", page_id=page["id"], text="Open daily\nfrom eight")
    add(api, page, "Two")
    assert order(api, page) == ["One", "Find us", "Open daily\nfrom eight", "Two"]
    html = shown(path_of(page))
    assert "<i>☕</i>One" in html and "<h2>Find us</h2>" in html and "Open daily<br>from eight" in html


def test_named_elements_come_first_and_the_others_follow(api: Api, page: dict[str, Any]) -> None:
    _one, two, three, _four = (add(api, page, title) for title in ("One", "Two", "Three", "Four"))
    api.run("svc_links_reorder", page_id=page["id"], link_ids=[three, two])
    assert order(api, page) == ["Three", "Two", "One", "Four"]
    html = shown(path_of(page))
    assert html.index("Three") < html.index("Two") < html.index("One")


def test_an_order_with_a_stranger_or_twice_the_same_is_refused(api: Api, page: dict[str, Any]) -> None:
    one = add(api, page, "One")
    assert api.refuse("svc_links_reorder", page_id=page["id"], link_ids=[one, one])["error"] == "invalid_input"
    assert api.refuse("svc_links_reorder", page_id=page["id"], link_ids=["lnk_x"])["error"] == "not_found"


def test_only_what_is_given_of_a_button_changes(api: Api, page: dict[str, Any]) -> None:
    link = add(api, page, "Menu", "example.com/menu", icon="🍰")
    changed = api.run("svc_links_edit_link", page_id=page["id"], link_id=link, title="Cakes")
    assert (changed["title"], changed["url"], changed["icon"]) == ("Cakes", "https://example.com/menu", "🍰")
    cleared = api.run("svc_links_edit_link", page_id=page["id"], link_id=link, title="", icon="")
    assert (cleared["title"], cleared["icon"]) == ("https://example.com/menu", "")


def test_a_button_turned_off_is_not_shown_and_comes_back(api: Api, page: dict[str, Any]) -> None:
    link = add(api, page, "Menu")
    off = api.run("svc_links_edit_link", page_id=page["id"], link_id=link, is_on=False)
    assert (off["is_on"], off["shows_now"]) == (False, False)
    assert "Menu" not in shown(path_of(page))
    api.run("svc_links_edit_link", page_id=page["id"], link_id=link, is_on=True)
    assert "Menu" in shown(path_of(page))


def test_a_removed_button_is_gone(api: Api, page: dict[str, Any]) -> None:
    link = add(api, page, "Menu")
    api.run("svc_links_remove_link", page_id=page["id"], link_id=link)
    assert order(api, page) == []
    assert api.refuse("svc_links_edit_link", page_id=page["id"], link_id=link, title="x")["error"] == "not_found"


def test_a_button_of_another_page_of_mine_is_not_on_this_one(api: Api, page: dict[str, Any]) -> None:
    other = api.run("svc_links_create_page", title="Other")
    link = add(api, other, "Menu")
    assert api.refuse("svc_links_remove_link", page_id=page["id"], link_id=link)["error"] == "not_found"


@pytest.mark.parametrize(
    ("tool", "arguments", "path"),
    [
        ("svc_links_add", {}, "url"),
        ("svc_links_add", {"url": "a.de", "title": "x" * 121}, "title"),
        ("svc_links_add", {"url": "a.de", "icon": "star"}, "icon"),
        ("svc_links_add", {"url": "a.de", "icon": "☕" * 17}, "icon"),
        ("svc_links_insert_heading", {"title": ""}, "title"),
        ("svc_links_insert_text", {"text": ""}, "text"),
        ("svc_links_insert_text", {"text": "x" * 1001}, "text"),
        ("svc_links_insert_text", {"text": "a\x07b"}, "text"),
    ],
)
def test_a_wrong_element_is_named_at_its_argument(
    tool: str, arguments: dict[str, Any], path: str, api: Api, page: dict[str, Any]
) -> None:
    body = api.refuse(tool, page_id=page["id"], **arguments)
    assert [issue["path"] for issue in body["issues"]] == [path]


def test_a_heading_has_no_address_and_needs_its_title(api: Api, page: dict[str, Any]) -> None:
    heading = api.run("svc_links_insert_heading", page_id=page["id"], title="Find us")
    for arguments, path in (({"url": "a.de"}, "url"), ({"text": "x"}, "text"), ({"title": ""}, "title")):
        body = api.refuse("svc_links_edit_link", page_id=page["id"], link_id=heading["id"], **arguments)
        assert [issue["path"] for issue in body["issues"]] == [path]


def test_words_of_the_owner_are_no_markup(api: Api, page: dict[str, Any]) -> None:
    add(api, page, "<script>alert(1)</script>", icon="☕")
    api.run("svc_links_insert_text", page_id=page["id"], text="<b>bold</b>")
    html = shown(path_of(page))
    assert "<script>" not in html and "<b>bold" not in html
    assert "&lt;script&gt;" in html


def test_the_hundred_and_first_button_is_refused(api: Api, page: dict[str, Any]) -> None:
    found = Page.objects.get(pk=page["id"])
    found.append([Element(kind=Kind.LINK, title=str(n), url="https://example.com") for n in range(100)])
    body = api.refuse("svc_links_add", page_id=page["id"], url="example.com")
    assert body["error"] == "tool_error" and "100 buttons" in body["message"]
    assert found.elements.count() == 100
    api.run("svc_links_insert_heading", page_id=page["id"], title="A heading is no button")


def test_other_elements_have_a_cap_of_their_own(api: Api, page: dict[str, Any]) -> None:
    Page.objects.get(pk=page["id"]).append([Element(kind=Kind.TEXT, text="x") for _ in range(MOST_OTHERS)])
    assert api.refuse("svc_links_insert_heading", page_id=page["id"], title="x")["error"] == "tool_error"
    add(api, page, "A button still fits")
