from __future__ import annotations

import re

import mcp_types as types
import pytest

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.interfaces.mcp.bulk_write_summaries import with_left_out_schema
from workspace.interfaces.mcp.tests.running_server import Serving, catalog
from workspace.interfaces.tool_catalog import CATALOG
from workspace.rate_limits.models import CallQuota
from workspace.testing.api import make_api
from workspace.testing.mcp_client import ERAS, open_client, run
from workspace.tools.compact_schema import compact_schema


def tools_of(url: str, key: str, mode: str = "auto", times: int = 1) -> list[types.Tool]:
    async def work() -> list[types.Tool]:
        async with open_client(url, key=key, mode=mode) as client:
            for _ in range(times):
                found = (await client.list_tools(cache_mode="bypass")).tools
            return found

    return run(work)


@pytest.mark.parametrize("mode", ERAS)
def test_every_tool_is_listed_in_the_order_of_the_catalog_each_time(server: Serving, shop: Account, mode: str) -> None:
    found = tools_of(server.mcp, make_api(shop).key, mode, times=2)
    assert [tool.name for tool in found] == [tool.name for tool in catalog() if not tool.rare]


def test_every_tool_has_a_title_hints_and_a_compact_schema(server: Serving, shop: Account) -> None:
    for tool in tools_of(server.mcp, make_api(shop).key):
        own = catalog().by_name[tool.name]
        assert tool.title and tool.description == own.short
        assert tool.input_schema == compact_schema(own) and tool.input_schema["type"] == "object"
        assert set(tool.input_schema["properties"]) == set(own.input_schema["properties"])
        assert tool.output_schema is None
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint is own.reads
        assert hints.destructive_hint is (own.destructive or own.sends)
        assert hints.idempotent_hint is (own.reads or own.idempotent)
        assert hints.open_world_hint is own.sends


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_full_schemas_are_listed_on_request(server: Serving, shop: Account, mode: str) -> None:
    found = tools_of(f"{server.mcp}?schemas=full", make_api(shop).key, mode)
    assert {tool.name for tool in found} >= {tool.name for tool in CATALOG if tool.rare}
    for tool in found:
        own = catalog().by_name[tool.name]
        assert tool.description == own.description
        assert tool.input_schema == own.input_schema
        assert tool.output_schema == (own.output_schema if own.reads else with_left_out_schema(own.output_schema))


def test_a_read_only_key_gets_only_reading_tools(server: Serving, shop: Account) -> None:
    for mode in ("legacy", "2026-07-28"):
        found = tools_of(server.mcp, make_api(shop, read_only=True).key, mode)
        assert [tool.name for tool in found] == [tool.name for tool in catalog() if tool.reads]
    listed = [tool for tool in catalog() if not tool.rare]
    assert len(tools_of(server.mcp, make_api(shop).key)) == len(listed), "one list is not taken for another"


def test_tools_that_delete_or_cancel_have_the_destructive_hint() -> None:
    ending = [tool for tool in CATALOG if {"delete", "remove", "cancel"} & set(tool.name_parts)]
    assert all(tool.destructive for tool in ending), [tool.name for tool in ending if not tool.destructive]
    assert not any(tool.destructive for tool in CATALOG if tool.reads)


def test_tool_names_are_valid_and_no_tool_calls_another() -> None:
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name) for tool in CATALOG)
    assert "svc_call" not in CATALOG.by_name


def test_listing_uses_no_quota_and_calling_does(server: Serving, shop: Account) -> None:
    api = make_api(shop)
    tools_of(server.mcp, api.key, times=3)
    assert not CallQuota.objects.filter(key__startswith="key:").exists()

    async def call_tool() -> None:
        async with open_client(server.mcp, key=api.key) as client:
            await client.call_tool("svc_me", {})
            await client.call_tool("svc_note_delete", {"id": "x"})
            await client.call_tool("svc_note_delete", {})

    run(call_tool)
    assert CallQuota.objects.get(key__startswith="key:").used == 3


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_selected_products_shorten_the_list(server: Serving, shop: Account, mode: str) -> None:
    key = make_api(shop).key
    only = tools_of(f"{server.mcp}?products=account", key, mode)
    assert [tool.name for tool in only] == [tool.name for tool in catalog().tools_for(["account"]) if not tool.rare]
    both = tools_of(f"{server.mcp}?products=account,%20SEAT", key, mode)
    assert [tool.name for tool in both] == [
        tool.name for tool in catalog().tools_for(["account", "seat"]) if not tool.rare
    ]
    for address in (server.mcp, f"{server.mcp}?products=all"):
        listed = [tool for tool in catalog() if not tool.rare]
        assert len(tools_of(address, key, mode)) == len(listed), "one list is not taken for another"


def test_clients_may_cache_the_list_for_five_minutes(server: Serving, shop: Account) -> None:
    key = make_api(shop).key

    async def work() -> types.ListToolsResult:
        async with open_client(server.mcp, key=key, mode="2026-07-28") as client:
            return await client.list_tools()

    found = run(work)
    assert (found.ttl_ms, found.cache_scope) == (300_000, "private")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_agent_gets_instructions_on_the_service_and_how_to_start(server: Serving, shop: Account, mode: str) -> None:
    key = make_api(shop).key

    async def work() -> str | None:
        async with open_client(server.mcp, key=key, mode=mode) as client:
            return client.instructions

    told = run(work) or ""
    assert "svc_me" in told and "destructive" in told and len(told) < 2500


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_instructions_name_the_products_of_the_connection_and_its_zone(
    server: Serving, shop: Account, mode: str
) -> None:
    shop.time_zone = "Europe/Berlin"
    shop.save()
    key = make_api(shop).key

    def get_instructions(query: str) -> str:
        async def work() -> str | None:
            async with open_client(server.mcp + query, key=key, mode=mode) as client:
                return client.instructions

        return run(work) or ""

    titles = [product.title for product in plans.PRODUCTS.values()]
    whole, narrowed = get_instructions(""), get_instructions("?products=account,seat,menu")
    assert f"This connection has: {', '.join(titles)}." in whole and "Europe/Berlin" in whole
    assert "This connection has: QR menus, Seating charts." in narrowed
