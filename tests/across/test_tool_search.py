"""Tools are found by words that people use instead of those in their descriptions."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from workspace.interfaces.tool_catalog import CATALOG
from workspace.interfaces.tool_search import ToolIndex
from workspace.testing.api import Api

INDEX = ToolIndex(CATALOG)
PHRASES = {
    phrase: tools.split(" or ")
    for group in tomllib.loads(Path(__file__).with_name("tool_phrases.toml").read_text()).values()
    for phrase, tools in group.items()
}
DESTRUCTIVE = [tool.name for tool in CATALOG if tool.destructive]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("make a business card for Jane", "svc_card_create"),
        ("point a printed QR code to another address", "svc_qr_update_target"),
        ("a dish is sold out", "svc_menu_update_item"),
        ("approve a testimonial", "svc_reviews_approve"),
        ("put a button on my link page", "svc_links_add"),
        ("undo what I did", "svc_undo"),
        ("upload a file", "svc_upload_file"),
        ("who left their contact with my card", "svc_card_leads"),
    ],
)
def test_a_matching_tool_is_among_the_first_results(query: str, words: str) -> None:
    assert words in [tool.name for tool in INDEX.search(query)]


def _share_found(places: int) -> float:
    """Return the share of phrases whose tool is among the first results."""
    found = [any(tool.name in tools for tool in INDEX.search(phrase)[:places]) for phrase, tools in PHRASES.items()]
    return sum(found) / len(found)


def test_the_right_tool_is_usually_first_and_nearly_always_among_three() -> None:
    assert all(name in CATALOG.by_name for tools in PHRASES.values() for name in tools)
    assert _share_found(1) >= 0.88
    assert _share_found(3) >= 0.95


@pytest.mark.parametrize(
    "query",
    ["bookings", "all QR codes", "Termine", "reservas de hoy", "payments of customers", "menus, sections, items"],
)
def test_a_destructive_tool_is_not_first_unless_the_query_asks_for_it(query: str) -> None:
    assert INDEX.search(query)[0].name not in DESTRUCTIVE


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("delete a QR code", "svc_qr_delete"),
        ("Menü löschen", "svc_menu_delete"),
        ("eliminar un formulario", "svc_form_delete"),
        ("stornieren", "svc_booking_cancel"),
    ],
)
def test_a_destructive_tool_is_first_if_the_query_asks_for_it(query: str, name: str) -> None:
    assert INDEX.search(query)[0].name == name


@pytest.mark.parametrize("query", ["xyzzy", "?!", "the of a", "ÄÖ" * 100])
def test_a_query_without_a_matching_tool_finds_nothing(query: str) -> None:
    assert INDEX.search(query) == []


@pytest.mark.django_db
def test_the_answer_contains_all_arguments_and_whether_the_caller_has_the_tool(api: Api) -> None:
    body = api.post("call", {"name": "svc_find_tools", "arguments": {"query": "make a business card"}})[1]
    first = body["data"]["tools"][0]
    assert first["name"] == "svc_card_create" and first["connected"] is True and first["why_not"] == ""
    assert [argument["name"] for argument in first["arguments"] if argument["required"]] == ["full_name"]
    assert {argument["name"] for argument in first["arguments"]} == set(
        CATALOG.by_name["svc_card_create"].input_schema["properties"]
    )
    assert all(argument["name"] in body["text"] for argument in first["arguments"])


@pytest.mark.django_db
def test_an_empty_result_explains_what_to_do(api: Api) -> None:
    body = api.post("call", {"name": "svc_find_tools", "arguments": {"query": "xyzzy"}})[1]
    assert body["data"] == {"tools": []} and "svc_list_products" in body["text"]
