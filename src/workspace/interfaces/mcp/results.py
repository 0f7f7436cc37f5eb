"""Answers and refusals as tool results: the text to read, and the same as structured content."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from django.core.serializers.json import DjangoJSONEncoder

from workspace.toolkit.answer import Answer
from workspace.toolkit.errors import InvalidInput, Refusal


def answered(answer: Answer[Any]) -> types.CallToolResult:
    # through the same encoder as REST, so that both faces give equal data
    data = json.loads(json.dumps(answer.data, cls=DjangoJSONEncoder))
    return types.CallToolResult(content=[_text(answer.text)], structured_content=data)


def refused(refusal: Refusal) -> types.CallToolResult:
    """A result that the agent reads and acts on, so its text repeats all that the structure holds."""
    lines = [refusal.message]
    if isinstance(refusal, InvalidInput):
        lines = ["The arguments need mending:"]
        lines += [f"- {issue.path or '(the arguments)'}: {issue.message}" for issue in refusal.issues]
        lines.append("Correct these and call the tool again.")
    extra = refusal.extra()
    if "retryAfter" in extra:
        lines.append(f"Try again in {extra['retryAfter']} seconds, not before.")
    return _failed(refusal.code, refusal.message, "\n".join(lines), extra)


def broke(request_id: str) -> types.CallToolResult:
    message = f"Something went wrong here. Try once more; if it stays, tell the owner this number: {request_id}"
    return _failed("internal_error", message, message, {"request_id": request_id})


def busy() -> types.CallToolResult:
    message = "Too many requests at once. Try again in a moment."
    return _failed("busy", message, message, {"retryAfter": 2})


def _failed(code: str, message: str, text: str, extra: dict[str, Any]) -> types.CallToolResult:
    structure = {"ok": False, "error": code, "message": message, **extra}
    return types.CallToolResult(content=[_text(text)], structured_content=structure, is_error=True)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
