"""Jobs of AI assistants: lists of calls to replay, and the cost of their answers.

A call has `tool`, `arguments`, and optionally `save` (names for values in its data, with their dotted paths) and
`refused`. In later arguments, `{page}` is replaced with the saved value, and `{Rosa Kim}` with the id of the row with
this name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.delivery.jobs.worker import JobWorker
from workspace.interfaces.mcp import tool_results
from workspace.interfaces.mcp.raw_json import RawJson
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.errors import ToolError

BYTES_PER_TOKEN = 4  # an estimate


def load_job(path: Path) -> list[dict[str, Any]]:
    """Return the calls of a job."""
    calls: list[dict[str, Any]] = json.loads(path.read_text())
    return calls


@dataclass
class JobReplay:
    """A replay of a job's calls for one caller. `known` has the values that later calls can use."""

    caller: Caller
    known: dict[str, str] = field(default_factory=dict)

    def run_call(self, call: Mapping[str, Any]) -> int:
        """Run a call, and the background jobs that it starts. Return the tokens of its answer.

        Raise the call's ToolError if none is expected, and AssertionError if an expected one is not raised.
        """
        written = json.dumps(call["arguments"])
        for name, value in self.known.items():
            written = written.replace(json.dumps(f"{{{name}}}")[1:-1], value)
        tool = CATALOG.by_name[call["tool"]]
        try:
            answer = execute_tool(tool, self.caller, json.loads(written))
        except ToolError as refusal:
            if not call.get("refused"):
                raise
            return _count_tokens(tool_results.error_result(refusal), b"")
        if call.get("refused"):
            raise AssertionError(f"{tool.name}: a refusal was expected")
        self._save_values(call.get("save", {}), answer.data)
        while JobWorker().run_once():
            pass
        data = RawJson()
        result = tool_results.success_result(answer, data, zone=self.caller.account.zone, is_write=not tool.reads)
        return _count_tokens(result, data.content)

    def run(self, calls: Sequence[Mapping[str, Any]]) -> int:
        """Run all calls, and return the tokens of their answers."""
        return sum(map(self.run_call, calls))

    def _save_values(self, paths: Mapping[str, str], data: Mapping[str, Any]) -> None:
        if data.get("dry_run"):
            return
        self.known |= {name: str(_find_value(data, path)) for name, path in paths.items()}
        rows = [row for row in data.get("items", []) if isinstance(row, dict) and {"name", "id"} <= row.keys()]
        self.known |= {row["name"]: row["id"] for row in rows}


def _find_value(data: Any, path: str) -> Any:
    for part in path.split("."):
        data = data[int(part)] if part.isdigit() else data[part]
    return data


def _count_tokens(result: Any, data: bytes) -> int:
    """Return the tokens of a result without its pictures, which are not text."""
    texts = sum(len(block.text.encode()) for block in result.content if block.type == "text")
    return (texts + len(data)) // BYTES_PER_TOKEN
