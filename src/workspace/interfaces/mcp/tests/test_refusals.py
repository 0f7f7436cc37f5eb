"""Refusals of tools: results that the agent reads, each saying what to do next."""

from __future__ import annotations

import logging
from typing import Any

import mcp_types as types
import pytest

from workspace.accounts import plans
from workspace.accounts.models import Account, Meter
from workspace.interfaces.mcp.tests.agent import connected, run
from workspace.interfaces.mcp.tests.serving import Serving
from workspace.testing import make_account, make_api


def call(server: Serving, key: str, name: str, arguments: Any, mode: str = "auto") -> types.CallToolResult:
    async def work() -> types.CallToolResult:
        async with connected(server.mcp, key=key, mode=mode) as client:
            return await client.call_tool(name, arguments)

    result = run(work)
    assert isinstance(result, types.CallToolResult)
    return result


def text(result: types.CallToolResult) -> str:
    assert result.is_error is True
    return result.content[0].text


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_wrong_arguments_are_named_each_at_its_path(server: Serving, shop: Account, mode: str) -> None:
    result = call(server, make_api(shop).key, "svc_note_delete", {"extra": 1}, mode)
    assert "- id: Required" in text(result) and "- extra: Unknown argument" in text(result)
    assert "call the tool again" in text(result)
    structure = result.structured_content
    assert structure["error"] == "invalid_input"
    assert {"path": "id", "message": "Required"} in structure["issues"]


def test_issues_of_a_tool_itself_come_the_same_way(server: Serving, shop: Account) -> None:
    result = call(server, make_api(shop).key, "svc_note_delete", {"id": "wrong"})
    assert "- links.2.url: Only http and https" in text(result)


def test_what_is_missing_and_what_the_plan_refuses_say_what_to_do(server: Serving, shop: Account) -> None:
    key = make_api(shop).key
    missing = call(server, key, "svc_note_delete", {"id": "none"})
    assert text(missing) == "There is no such note: svc_note_read lists them"
    assert missing.structured_content["error"] == "not_found"
    plan = call(server, key, "svc_note_delete", {"id": "plan"})
    assert "choose a larger plan" in text(plan) and plan.structured_content["error"] == "tool_error"


def test_a_read_only_key_is_told_so(server: Serving, shop: Account) -> None:
    key = make_api(shop, read_only=True).key
    assert call(server, key, "svc_me", {}).is_error is False
    result = call(server, key, "svc_note_write", {"name": "x"})
    assert "full access" in text(result)
    assert result.structured_content["error"] == "forbidden"


def test_the_end_of_the_days_calls_says_when_there_are_more(server: Serving) -> None:
    free = make_account(**dict.fromkeys(plans.PRODUCTS, "free"))
    api = make_api(free)
    api.run("svc_me")
    Meter.objects.update(used=plans.FREE_CALLS)
    result = call(server, api.key, "svc_me", {})
    structure = result.structured_content
    assert structure["error"] == "rate_limited" and 0 < structure["retryAfter"] <= 86_401
    assert f"{structure['retryAfter']} seconds" in text(result)


def test_a_defect_tells_a_number_and_nothing_else(
    server: Serving, shop: Account, caplog: pytest.LogCaptureFixture
) -> None:
    key = make_api(shop).key
    with caplog.at_level(logging.ERROR, logger="workspace.mcp"):
        result = call(server, key, "svc_note_delete", {"id": "bug"})
    number = result.structured_content["request_id"]
    assert number in text(result)
    assert "hunter2" not in text(result) and "Traceback" not in text(result)
    record = next(record for record in caplog.records if record.name == "workspace.mcp")
    assert number in record.getMessage() and key not in caplog.text


def test_a_refused_write_leaves_nothing(server: Serving, shop: Account) -> None:
    call(server, make_api(shop).key, "svc_note_write", {"name": "x" * 10, "more": 1})
    shop.refresh_from_db()
    assert shop.name != "x" * 10
