"""From a bare URL to a tool's result, with the SDK's own client."""

from __future__ import annotations

import pytest
from mcp.shared.exceptions import MCPError

from workspace.accounts.models import Account, OAuthAccessToken, OAuthClient
from workspace.interfaces.mcp.tests.running_server import Serving, catalog
from workspace.testing.api import make_account, make_api
from workspace.testing.mcp_client import ERAS, Memory, Person, open_client, provider, run
from workspace.testing.oauth_client import call_me, sign_in_browser


def person_of(account: Account, **more: str) -> Person:
    cookies = {name: morsel.value for name, morsel in sign_in_browser(account.owner).cookies.items()}
    return Person(cookies, account, **more)


@pytest.mark.parametrize("mode", ERAS)
def test_an_agent_discovers_registers_asks_for_consent_and_calls(server: Serving, shop: Account, mode: str) -> None:
    person, memory = person_of(shop), Memory()

    async def work() -> tuple[list[str], object]:
        async with open_client(server.mcp, auth=provider(server.mcp, person, memory), mode=mode) as client:
            tools = (await client.list_tools()).tools
            return [tool.name for tool in tools], (await client.call_tool("svc_me", {})).structured_content

    names, me = run(work)
    assert "svc_me" in names
    assert me["id"] == shop.pk
    assert OAuthClient.objects.get().name == "Test Agent"
    assert len(person.asked) == 1
    assert OAuthAccessToken.objects.get().account == shop


def test_a_url_with_selected_products_connects_too(server: Serving, shop: Account) -> None:
    url, person = f"{server.mcp}?products=seat", person_of(shop)

    async def work() -> list[str]:
        async with open_client(url, auth=provider(url, person, Memory())) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert run(work) == [tool.name for tool in catalog().tools_for(["seat"])]


def test_an_agent_renews_its_access_automatically(server: Serving, shop: Account) -> None:
    person, memory = person_of(shop), Memory()
    auth = provider(server.mcp, person, memory)

    async def call_tool() -> object:
        async with open_client(server.mcp, auth=auth) as client:
            return (await client.call_tool("svc_me", {})).structured_content["id"]

    assert run(call_tool) == shop.pk
    first = memory.tokens
    auth.context.token_expiry_time = 1.0
    assert run(call_tool) == shop.pk
    assert memory.tokens.access_token != first.access_token
    assert memory.tokens.refresh_token != first.refresh_token
    assert len(person.asked) == 1
    assert OAuthAccessToken.objects.count() == 1


def test_a_read_only_connection_is_asked_for_more_before_it_writes(server: Serving, shop: Account) -> None:
    person, memory = person_of(shop, access="read"), Memory()

    async def call_read_tool() -> object:
        async with open_client(server.mcp, auth=provider(server.mcp, person, memory)) as client:
            return (await client.call_tool("svc_me", {})).structured_content["id"]

    async def write() -> object:
        async with open_client(server.mcp, auth=provider(server.mcp, person, memory)) as client:
            return (await client.call_tool("svc_note_write", {"name": "Renamed"})).structured_content

    assert run(call_read_tool) == shop.pk
    person.access = "write"
    assert run(write)["name"] == "Renamed"
    assert len(person.asked) == 2, "the client asked the person again after the 403"
    assert "scope=read+write" in person.asked[1]


def test_a_token_works_over_rest_for_the_same_account(server: Serving, shop: Account) -> None:
    person, memory = person_of(shop), Memory()

    async def call_tool() -> object:
        async with open_client(server.mcp, auth=provider(server.mcp, person, memory)) as client:
            return (await client.call_tool("svc_me", {})).structured_content

    assert run(call_tool) == call_me(memory.tokens.access_token).json()["data"]


@pytest.mark.parametrize("mode", ERAS)
def test_an_api_key_connects_without_consent(server: Serving, shop: Account, mode: str) -> None:
    api = make_api(shop)

    async def work() -> object:
        async with open_client(server.mcp, key=api.key, mode=mode) as client:
            await client.list_tools()
            return (await client.call_tool("svc_me", {})).structured_content

    assert run(work) == api.run("svc_me")


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_both_channels_return_equal_data_including_empty_values(server: Serving, shop: Account, mode: str) -> None:
    key = make_api(shop).key

    async def work() -> object:
        async with open_client(server.mcp, key=key, mode=mode) as client:
            return await client.call_tool("svc_note_read", {"from": "there"})

    result = run(work)
    assert result.structured_content == {
        "name": f"{shop.name} there",
        "nothing": None,
        "nested": [{"a": None, "b": 1}],
    }
    assert [part.text for part in result.content] == ["**A note**"]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_an_unknown_tool_is_a_protocol_error(server: Serving, shop: Account, mode: str) -> None:
    key = make_api(shop).key

    async def work(url: str, name: str) -> int:
        async with open_client(url, key=key, mode=mode) as client:
            with pytest.raises(MCPError, match=r"Similar tools: (svc_\w+(, |\. )){3}tools/list names") as refused:
                await client.call_tool(name, {})
            return refused.value.code

    assert run(lambda: work(server.mcp, "svc_nothing")) == -32602
    assert run(lambda: work(f"{server.mcp}?products=seat", "svc_nothing")) == -32602


def test_a_caller_reaches_only_its_own_account(server: Serving, shop: Account) -> None:
    other = make_account(name="Other Shop")
    key = make_api(other).key

    async def work() -> object:
        async with open_client(server.mcp, key=key) as client:
            return (await client.call_tool("svc_me", {})).structured_content["id"]

    assert run(work) == other.pk != shop.pk
