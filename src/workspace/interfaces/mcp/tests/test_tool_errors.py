"""Errors of tools: results that the AI assistant reads, each with the next step."""

from __future__ import annotations

import logging
import re
from typing import Any

import mcp_types as types
import pytest

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.interfaces.mcp.tests.running_server import Serving
from workspace.rate_limits.models import CallQuota
from workspace.rate_limits.table import get_limit
from workspace.testing.api import make_account, make_api
from workspace.testing.mcp_client import open_client, run


def call_tool(server: Serving, key: str, name: str, arguments: Any, mode: str = "auto") -> types.CallToolResult:
    async def work() -> types.CallToolResult:
        async with open_client(server.mcp, key=key, mode=mode) as client:
            return await client.call_tool(name, arguments)

    result = run(work)
    assert isinstance(result, types.CallToolResult)
    return result


def text(result: types.CallToolResult) -> str:
    """Return the text of an error, which has no structured content.

    Some clients check structured content against the tool's output schema, and show nothing of an error that does not
    match.
    """
    assert result.is_error is True
    assert result.structured_content is None
    (content,) = result.content
    return content.text


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_invalid_arguments_are_each_named_by_path(server: Serving, shop: Account, mode: str) -> None:
    result = call_tool(server, make_api(shop).key, "svc_note_delete", {"extra": 1}, mode)
    assert "- id: Required" in text(result) and "- extra: Unknown argument" in text(result)
    assert text(result).startswith("invalid_input: ")
    assert "call the tool again" in text(result)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_tool_that_the_url_excludes_is_refused_with_the_way_to_add_it(
    server: Serving, shop: Account, mode: str
) -> None:
    key = make_api(shop).key

    async def work() -> types.CallToolResult:
        async with open_client(f"{server.mcp}?products=seat", key=key, mode=mode) as client:
            return await client.call_tool("svc_me", {})

    told = text(run(work))
    assert told.startswith("forbidden: Tests can’t use svc_me. The URL of this connection doesn’t include Account.")
    assert told.endswith("?products=seat,account")


def test_issues_raised_by_a_tool_have_the_same_format(server: Serving, shop: Account) -> None:
    result = call_tool(server, make_api(shop).key, "svc_note_delete", {"id": "wrong"})
    assert "- links.2.url: Only http and https" in text(result)
    assert "- name: Required" in text(result)


def test_not_found_and_plan_errors_say_what_to_do(server: Serving, shop: Account) -> None:
    key = make_api(shop).key
    missing = call_tool(server, key, "svc_note_delete", {"id": "none"})
    assert text(missing) == "not_found: There is no such note: svc_note_read lists them"
    plan = call_tool(server, key, "svc_note_delete", {"id": "plan"})
    assert text(plan) == "tool_error: Your plan holds 10 notes: delete one, or choose a larger plan"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("svc_qr_create", {"name": "", "target_url": "javascript:x", "extra": 1}),
        ("svc_card_create", {"name": "Ada", "links": [{"label": "", "url": "x"}, {"label": "y", "url": "ftp://y"}]}),
        ("svc_qr_get", {"code_id": "none"}),
    ],
)
def test_the_text_contains_everything_in_the_error_json(
    server: Serving, shop: Account, name: str, arguments: dict[str, Any]
) -> None:
    api = make_api(shop)
    told = text(call_tool(server, api.key, name, arguments))
    by_rest = api.refuse(name, **arguments)
    assert told.startswith(f"{by_rest['error']}: ")
    issues = by_rest.get("issues", [])
    assert all(f"- {issue['path']}: {issue['message']}" in told.splitlines() for issue in issues)
    assert issues or by_rest["message"] in told


def test_a_write_with_a_read_only_key_is_refused_with_the_reason(server: Serving, shop: Account) -> None:
    key = make_api(shop, read_only=True).key
    assert call_tool(server, key, "svc_me", {}).is_error is False
    result = call_tool(server, key, "svc_note_write", {"name": "x"})
    assert text(result).startswith("forbidden: ") and "full access" in text(result)


def test_an_exhausted_quota_says_when_calls_are_available_again(server: Serving) -> None:
    free = make_account(**dict.fromkeys(plans.PRODUCTS, "free"))
    api = make_api(free)
    api.run("svc_me")
    CallQuota.objects.update(used=get_limit("calls-free").count)
    result = call_tool(server, api.key, "svc_me", {})
    assert text(result).startswith("rate_limited: You’ve used all 100 API calls for today.")
    seconds = re.search(r"Try again in (\d+) seconds", text(result))
    assert seconds is not None and 0 < int(seconds[1]) <= 86_401


def test_an_internal_error_shows_a_number_and_nothing_else(
    server: Serving, shop: Account, caplog: pytest.LogCaptureFixture
) -> None:
    key = make_api(shop).key
    with caplog.at_level(logging.ERROR, logger="workspace.mcp"):
        result = call_tool(server, key, "svc_note_delete", {"id": "bug"})
    number = text(result).rsplit(" ", 1)[1]
    assert text(result).startswith("internal_error: ") and len(number) == 32
    assert "hunter2" not in text(result) and "Traceback" not in text(result)
    record = next(record for record in caplog.records if record.name == "workspace.mcp")
    assert number in record.getMessage() and key not in caplog.text


def test_a_refused_write_changes_nothing(server: Serving, shop: Account) -> None:
    call_tool(server, make_api(shop).key, "svc_note_write", {"name": "x" * 10, "more": 1})
    shop.refresh_from_db()
    assert shop.name != "x" * 10
