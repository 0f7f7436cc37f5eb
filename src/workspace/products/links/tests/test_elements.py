"""Elements: adding, changing, ordering and removing."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.products.links.tests.pages import get_page, save
from workspace.testing.api import Api
from workspace.testing.links_guest import fetch_html, public_path

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    result: dict[str, Any] = api.run("svc_links_create", title="Links")
    return result


def order(api: Api, page: dict[str, Any]) -> list[str]:
    elements = get_page(api, page["id"])["elements"]
    return [element.get("text") or element["title"] for element in elements]


def add(api: Api, page: dict[str, Any], title: str, url: str = "example.com", **more: str) -> str:
    link: dict[str, Any] = api.run("svc_links_add", page_id=page["id"], title=title, url=url, **more)
    return str(link["id"])


def test_a_button_without_a_title_shows_its_url(api: Api, page: dict[str, Any]) -> None:
    link = api.run("svc_links_add", page_id=page["id"], url="www.example.com/menu")
    assert link["title"] == link["url"] == "https://www.example.com/menu"
    assert ">example.com/menu</a>" in fetch_html(public_path(page))


def test_elements_are_in_the_order_in_which_they_were_added(api: Api, page: dict[str, Any]) -> None:
    add(api, page, "One", icon="☕")
    save(api, page["id"], kind="heading", title="Find us")
    save(api, page["id"], kind="text", text="Open daily\nfrom eight")
    add(api, page, "Two")
    assert order(api, page) == ["One", "Find us", "Open daily\nfrom eight", "Two"]
    html = fetch_html(public_path(page))
    assert "<i>☕</i>One" in html and "<h2>Find us</h2>" in html and "Open daily<br>from eight" in html


def test_named_elements_come_first_and_the_others_follow(api: Api, page: dict[str, Any]) -> None:
    _one, two, three, _four = (add(api, page, title) for title in ("One", "Two", "Three", "Four"))
    api.run("svc_links_save", page_id=page["id"], order=[three, two])
    assert order(api, page) == ["Three", "Two", "One", "Four"]
    html = fetch_html(public_path(page))
    assert html.index("Three") < html.index("Two") < html.index("One")


def test_an_order_with_unknown_or_repeated_ids_is_refused(api: Api, page: dict[str, Any]) -> None:
    value = add(api, page, "One")
    assert api.refuse("svc_links_save", page_id=page["id"], order=[value, value])["error"] == "invalid_input"
    assert api.refuse("svc_links_save", page_id=page["id"], order=["lnk_x"])["issues"][0]["path"] == "order.0"


def test_only_the_given_fields_of_a_button_change(api: Api, page: dict[str, Any]) -> None:
    link = add(api, page, "Menu", "example.com/menu", icon="🍰")
    changed = save(api, page["id"], id=link, title="Cakes")
    assert (changed["title"], changed["url"], changed["icon"]) == ("Cakes", "https://example.com/menu", "🍰")
    cleared = save(api, page["id"], id=link, title="", icon="")
    assert (cleared["title"], cleared.get("icon")) == ("https://example.com/menu", None)


def test_a_button_turned_off_is_hidden_until_it_is_turned_on(api: Api, page: dict[str, Any]) -> None:
    link = add(api, page, "Menu")
    off = save(api, page["id"], id=link, is_on=False)
    assert (off["is_on"], off["shows_now"]) == (False, False)
    assert "Menu" not in fetch_html(public_path(page))
    save(api, page["id"], id=link, is_on=True)
    assert "Menu" in fetch_html(public_path(page))


def test_a_removed_button_is_gone(api: Api, page: dict[str, Any]) -> None:
    link = add(api, page, "Menu")
    api.run("svc_links_save", page_id=page["id"], remove=[link])
    assert order(api, page) == []
    body = api.refuse("svc_links_save", page_id=page["id"], items=[{"id": link, "title": "x"}])
    assert [issue["path"] for issue in body["issues"]] == ["items.0.id"]


def test_a_button_of_another_page_cannot_be_used(api: Api, page: dict[str, Any]) -> None:
    other = api.run("svc_links_create", title="Other")
    link = add(api, other, "Menu")
    for arguments in ({"remove": [link]}, {"order": [link]}, {"items": [{"id": link, "is_on": False}]}):
        assert api.refuse("svc_links_save", page_id=page["id"], **arguments)["error"] == "invalid_input"


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({}, "url"),
        ({"url": "a.de", "title": "x" * 121}, "title"),
        ({"url": "a.de", "icon": "star"}, "icon"),
        ({"url": "a.de", "icon": "☕" * 17}, "icon"),
    ],
)
def test_an_invalid_button_is_reported_at_its_argument(
    arguments: dict[str, Any], path: str, api: Api, page: dict[str, Any]
) -> None:
    body = api.refuse("svc_links_add", page_id=page["id"], **arguments)
    assert [issue["path"] for issue in body["issues"]] == [path]


@pytest.mark.parametrize(
    ("item", "paths"),
    [
        ({}, ["url"]),
        ({"text": "Open daily"}, ["text", "url"]),
        ({"kind": "heading"}, ["title"]),
        ({"kind": "heading", "title": ""}, ["title"]),
        ({"kind": "heading", "title": "x", "url": "a.de"}, ["url"]),
        ({"kind": "text", "text": ""}, ["text"]),
        ({"kind": "text", "text": "x" * 1001}, ["text"]),
        ({"kind": "text", "text": "a\x07b"}, ["text"]),
        ({"kind": "text", "text": "x", "title": "x", "icon": "☕"}, ["title", "icon"]),
        ({"kind": "live"}, ["thing"]),
        ({"kind": "video", "url": "a.de"}, ["kind"]),
        ({"url": "a.de", "color": "red"}, ["color"]),
        ({"url": "a.de", "shows_from": "2027-03-02", "shows_until": "2027-03-01"}, ["shows_until"]),
    ],
)
def test_an_invalid_item_is_reported_at_its_exact_path_and_nothing_is_saved(
    item: dict[str, Any], paths: list[str], api: Api, page: dict[str, Any]
) -> None:
    body = api.refuse("svc_links_save", page_id=page["id"], items=[{"url": "a.de"}, item])
    assert sorted(issue["path"] for issue in body["issues"]) == sorted(f"items.1.{path}" for path in paths)
    assert order(api, page) == []


def test_all_errors_are_reported_together(api: Api, page: dict[str, Any]) -> None:
    value, two = add(api, page, "One"), add(api, page, "Two")
    body = api.refuse(
        "svc_links_save",
        page_id=page["id"],
        items=[
            {"id": value, "kind": "text"},
            {"id": two, "url": "b.de"},
            {"id": two, "icon": "☕"},
            {"kind": "heading"},
        ],
        remove=[two, page["id"]],
        order=["lnk_x", value, value, two],
    )
    assert {issue["path"] for issue in body["issues"]} == {
        "items.0.kind",
        "items.1.id",
        "items.2.id",
        "items.3.title",
        "remove.1",
        "order.0",
        "order.2",
        "order.3",
    }
    assert "svc_links_delete" in str(body["issues"])


def test_items_are_added_changed_removed_and_ordered_in_one_call(api: Api, page: dict[str, Any]) -> None:
    value, two, three = (add(api, page, title) for title in ("One", "Two", "Three"))
    answer = api.run(
        "svc_links_save",
        page_id=page["id"],
        items=[{"kind": "heading", "title": "Find us"}, {"id": value, "title": "Uno"}, {"url": "example.com/4"}],
        remove=[two],
        order=[three],
    )
    assert [row["title"] for row in answer["elements"]] == ["Three", "Uno", "Find us", "https://example.com/4"]
    assert answer["saved"][1] == value
    assert [row["id"] for row in answer["elements"][2:]] == [answer["saved"][0], answer["saved"][2]]


def test_an_empty_call_is_refused_and_one_without_changes_says_so(api: Api, page: dict[str, Any]) -> None:
    for arguments in ({}, {"items": []}, {"remove": [], "order": []}):
        assert api.refuse("svc_links_save", page_id=page["id"], **arguments)["issues"][0]["path"] == "items"
    value, two = add(api, page, "One"), add(api, page, "Two")
    same = {"page_id": page["id"], "items": [{"id": value, "title": "One"}], "order": [value, two]}
    body = api.post("links/save", same)[1]
    assert body["text"].startswith("**No changes to “") and body["data"]["change"] is None
    assert api.run("svc_links_edit", page_id=page["id"])["change"] is None


@pytest.mark.parametrize("undone", [False, True])
def test_sixty_elements_take_the_same_queries_as_three(undone: bool, api: Api) -> None:
    counts = []
    for size in (3, 60):
        page = api.run("svc_links_create", title="Links", elements=[{"url": "a.de"}] * size)
        ids = [row["id"] for row in page["elements"]]
        half = size // 3
        with CaptureQueriesContext(connection) as queries:
            answer = api.run(
                "svc_links_save",
                page_id=page["id"],
                items=[*({"id": id, "title": "x"} for id in ids[:half]), *({"url": "b.de"} for _ in range(half))],
                remove=ids[half : 2 * half],
                order=ids[:half][::-1] + ids[2 * half :][::-1],
            )
        if undone:
            with CaptureQueriesContext(connection) as queries:
                api.run("svc_undo", change_id=answer["change"]["id"])
            assert [row["id"] for row in get_page(api, page["id"])["elements"]] == ids
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_html_in_the_owners_texts_is_escaped(api: Api, page: dict[str, Any]) -> None:
    add(api, page, "<script>alert(1)</script>", icon="☕")
    save(api, page["id"], kind="text", text="<b>bold</b>")
    html = fetch_html(public_path(page))
    assert "<script>" not in html and "<b>bold" not in html
    assert "&lt;script&gt;" in html


def test_the_hundred_and_first_button_is_refused(api: Api) -> None:
    page = api.run("svc_links_create", title="Links", elements=[{"url": "example.com"}] * 100)
    body = api.refuse("svc_links_add", page_id=page["id"], url="example.com")
    assert body["error"] == "tool_error" and "100 buttons" in body["message"]
    assert len(get_page(api, page["id"])["elements"]) == 100
    save(api, page["id"], kind="heading", title="A heading is no button")


def test_other_elements_have_a_separate_limit(api: Api) -> None:
    page = api.run("svc_links_create", title="Links", elements=[{"kind": "text", "text": "x"}] * 50)
    again = [{"kind": "heading", "title": "x"}]
    assert api.refuse("svc_links_save", page_id=page["id"], items=again)["error"] == "tool_error"
    add(api, page, "A button still fits")


def test_restoring_elements_requires_room_within_the_limit(api: Api) -> None:
    page = api.run("svc_links_create", title="Links", elements=[{"url": "example.com"}] * 100)
    removed = api.run("svc_links_save", page_id=page["id"], remove=[page["elements"][0]["id"]])["change"]["id"]
    add(api, page, "Another")
    assert "100 buttons" in api.refuse("svc_undo", change_id=removed)["message"]
