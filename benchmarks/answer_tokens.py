"""The cost of the answers of a whole job for an assistant, in tokens: answer_tokens.py [file].

A job is a list of calls. `{chart}` and the like stand for ids in earlier answers.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_BACKGROUND_WORKER="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from django.core.management import call_command

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.delivery.jobs.worker import JobWorker
from workspace.interfaces.mcp import tool_results
from workspace.interfaces.mcp.raw_json import RawJson
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.errors import ToolError
from workspace.testing.api import make_account

JOB = Path(__file__).with_name("jobs") / "wedding.json"
MOST = 60_000  # tokens of all answers to the calls of the wedding


class Replay:
    """A replay of a job's calls, one after the other. `known` contains the ids that later calls name."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.known: dict[str, str] = {}

    def call_tool(self, tool: str, arguments: dict[str, Any]) -> int:
        """Return the bytes of the answer for an assistant: the text and the data."""
        written = json.dumps(arguments)
        for name, id in self.known.items():
            written = written.replace(f"{{{name}}}", id)
        try:
            answer = execute_tool(CATALOG.by_name[tool], self.caller, json.loads(written))
        except ToolError as refusal:
            return _size(tool_results.error_result(refusal), b"")
        self._learn(tool, answer.data)
        while JobWorker().run_once():
            pass
        own, is_write = RawJson(), not CATALOG.by_name[tool].reads
        result = tool_results.success_result(answer, own, zone=self.caller.account.zone, is_write=is_write)
        return _size(result, own.content)

    def _learn(self, tool: str, data: dict[str, Any]) -> None:
        if data.get("dry_run"):
            return
        created = {"svc_seat_create": "chart", "svc_event_create": "program"}
        if tool in created:
            self.known[created[tool]] = data["id"] if "id" in data else data["chart"]["id"]
        if "job_id" in data:
            self.known["job"] = data["job_id"]
        if data.get("change"):
            self.known["change"] = data["change"].get("id", "")
        rows = [row for row in data.get("items", []) if isinstance(row, dict) and "name" in row]
        self.known |= {row["name"] if "party" in row else f"Table {row['name']}": row["id"] for row in rows}


def _size(result: Any, data: bytes) -> int:
    """Return the bytes of a result without pictures, which are not text."""
    return sum(len(block.text.encode()) for block in result.content if block.type == "text") + len(data)


def main() -> None:
    call_command("migrate", verbosity=0)
    replay = Replay(Caller(account=make_account(time_zone="Europe/Berlin"), bucket="key:bench", channel="mcp"))
    total = 0
    for call in json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else JOB).read_text()):
        tokens = replay.call_tool(call["tool"], call["arguments"]) // 4
        total += tokens
        print(f"{tokens:>7,} {call['tool']}")
    print(f"{total:>7,} in all, of {MOST:,}")


if __name__ == "__main__":
    main()
