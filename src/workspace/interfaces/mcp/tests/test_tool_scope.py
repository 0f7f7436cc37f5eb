"""The MCP server lists and calls only tools of the products that the owner selected."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.accounts.models import Account, ApiKey
from workspace.accounts.permissions import SHARED
from workspace.interfaces.mcp.tests.running_server import Serving, catalog
from workspace.interfaces.mcp.tests.test_tool_errors import call_tool, text
from workspace.interfaces.mcp.tests.test_tool_list import tools_of
from workspace.testing.api import make_api
from workspace.testing.mcp_client import open_client, run


@pytest.fixture
def key(shop: Account) -> str:
    """Return an API key limited to the tools of QR codes."""
    made = make_api(shop).key
    ApiKey.objects.get().set_products(["qr"])
    return made


def found_at(url: str, key: str, query: str) -> list[dict[str, Any]]:
    async def work() -> Any:
        async with open_client(url, key=key) as client:
            return (await client.call_tool("svc_find_tools", {"query": query})).structured_content

    return list(run(work)["tools"])


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_only_the_tools_of_selected_products_are_listed(server: Serving, key: str, mode: str) -> None:
    def names(query: str) -> list[str]:
        return [tool.name for tool in tools_of(f"{server.mcp}{query}", key, mode)]

    def has(*products: str) -> list[str]:
        found = catalog().tools_for([*products, "account"])
        return [tool.name for tool in found if not tool.rare and tool.area in (*products, SHARED)]

    assert names("") == has("qr")
    assert "svc_account_edit" not in names("") and "svc_search" in names("")
    assert names("?products=qr,card") == [tool.name for tool in catalog().tools_for(["qr"])]
    assert names("?products=all") == [tool.name for tool in catalog() if not tool.rare]
    ApiKey.objects.get().set_products(["qr", "card"])
    assert names("") == has("qr", "card")


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_tool_outside_the_selection_is_refused_with_the_way_to_add_it(server: Serving, key: str, mode: str) -> None:
    page = f"{server.url}/app/keys/{ApiKey.objects.get().pk}"
    told = text(call_tool(server, key, "svc_card_list", {}, mode))
    assert told.startswith("forbidden: Tests can’t use svc_card_list. Access to Business cards was not granted.")
    assert told.endswith(page)
    assert call_tool(server, key, "svc_qr_list", {}, mode).is_error is False


def test_an_agent_finds_tools_it_does_not_have_and_where_the_owner_adds_them(server: Serving, key: str) -> None:
    found = call_tool(server, key, "svc_find_tools", {"query": "make a business card"})
    assert found.structured_content is not None
    first = found.structured_content["tools"][0]
    assert first["name"] == "svc_card_create" and first["connected"] is False
    assert f"/app/keys/{ApiKey.objects.get().pk}" in first["why_not"]
    assert first["why_not"] in found.content[0].text
    narrowed = f"{server.mcp}?products=account,qr"
    ApiKey.objects.get().set_products(None)
    missing = found_at(narrowed, key, "make a business card")[0]
    assert missing["connected"] is False and missing["why_not"].endswith("?products=account,qr,card")
    told = call_tool(server, key, "svc_find_tools", {"query": "change where a printed code leads"}).structured_content
    assert told is not None and all(tool["connected"] for tool in told["tools"] if tool["product"] == "QR codes")


def test_a_read_only_key_finds_that_it_cannot_change_anything(server: Serving, shop: Account) -> None:
    key = make_api(shop, read_only=True).key
    told = call_tool(server, key, "svc_find_tools", {"query": "make a business card"}).structured_content
    assert told is not None and told["tools"][0]["why_not"].endswith("this connection is read-only")
    me = call_tool(server, key, "svc_me", {})
    assert "read-only, so only tools that read are listed" in me.content[0].text
