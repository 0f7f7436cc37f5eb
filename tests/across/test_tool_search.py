"""Finding tools by people's words instead of the tools' own."""

from __future__ import annotations

import pytest

from workspace.interfaces.tool_catalog import CATALOG
from workspace.interfaces.tool_search import ToolIndex
from workspace.testing.api import Api

INDEX = ToolIndex(CATALOG)


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
