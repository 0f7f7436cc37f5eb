"""Answers and errors as tool results: text to read and, for answers, the same as structured content."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

import mcp_types as types

from workspace.interfaces.mcp.bulk_write_summaries import summarize_data, summarize_text
from workspace.interfaces.mcp.local_times import localize_text
from workspace.interfaces.mcp.raw_json import RawJson
from workspace.lib.errors import ToolError
from workspace.tools.answer import Answer


def success_result(
    answer: Answer[Any], is_own_tool: RawJson, *, zone: ZoneInfo, is_write: bool
) -> types.CallToolResult:
    """Build the result of a call. It may render a picture, so call it in a thread of the pool.

    `zone` is the account's time zone. The result of a write to many items is summarized.
    """
    sent = answer.brief() if answer.brief is not None else answer
    text, data = sent.text, sent.data
    if is_write:
        text, data = summarize_text(text), summarize_data(data)
    local = localize_text(text, zone)
    if local != text:
        local += f"\n\nTimes are in {zone.key}."
    content: list[types.ContentBlock] = [_text_block(local)]
    if answer.picture is not None:
        with suppress(ToolError):  # the result is useful without it
            drawn = b64encode(answer.picture()).decode()
            content.append(types.ImageContent(type="image", data=drawn, mime_type="image/png"))
    return types.CallToolResult(content=content, structured_content=is_own_tool.store_data(data, zone))


def error_result(refusal: ToolError) -> types.CallToolResult:
    return _build_error(refusal.code, refusal.message, refusal.extra())


def internal_error_result(request_id: str) -> types.CallToolResult:
    message = f"Something went wrong. Try again. If it happens again, give the owner this request id: {request_id}"
    return _build_error("internal_error", message, {})


def busy_result() -> types.CallToolResult:
    return _build_error("busy", "Too many requests at once.", {"retryAfter": 2})


def _build_error(code: str, message: str, extra: dict[str, Any]) -> types.CallToolResult:
    """Build an error result, which consists of text only. It contains everything that REST's error JSON does.

    Clients check structured content against the tool's output schema, even if `isError` is set, and hide what does not
    match.
    """
    issues = extra.get("issues", [])
    lines = [f"{code}: {'Some arguments are invalid.' if issues else message}"]
    lines.extend(f"- {issue['path'] or '(the arguments)'}: {issue['message']}" for issue in issues)
    if issues:
        lines.append("Correct these and call the tool again.")
    if "retryAfter" in extra:
        lines.append(f"Try again in {extra['retryAfter']} seconds, not before.")
    return types.CallToolResult(content=[_text_block("\n".join(lines))], is_error=True)


def _text_block(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
