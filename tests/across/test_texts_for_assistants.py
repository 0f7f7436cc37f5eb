"""Answers for assistants: times in the account's time zone, and ids that can be copied."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest

from tests.across.samples import SAMPLES
from workspace.interfaces.mcp import tool_results
from workspace.interfaces.mcp.raw_json import RawJson
from workspace.testing.api import Api
from workspace.tools.answer import Answer

pytestmark = [pytest.mark.django_db]

# a moment without an offset, or in UTC
_MOMENT = r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?"
_FOREIGN = re.compile(rf"{_MOMENT}(?:Z|\+00:00|(?!\d|:\d|\.\d|[+-]\d\d:\d\d))")
_ESCAPED_ID = re.compile(r"\b[a-z]+\\_[0-9a-z]{26}\b")


@pytest.mark.parametrize("name", list(SAMPLES))
def test_an_assistant_gets_local_times_and_plain_ids(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    body = api.post("call", {"name": name, "arguments": SAMPLES[name](made)})[1]
    assert body["ok"], body
    answer = Answer(body["data"], body["text"])
    sent = tool_results.success_result(answer, RawJson(), zone=ZoneInfo("Asia/Tokyo"), is_write=False)
    text = sent.content[0].text  # type: ignore[union-attr]
    assert _FOREIGN.findall(text) == []
    assert _ESCAPED_ID.findall(text) == []
