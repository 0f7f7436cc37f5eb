"""The tools of a service and the words of their commands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Words = tuple[str, ...]
PREFIX = "svc_"


@dataclass(frozen=True)
class Tool:
    """A tool as listed by `GET /api/v1/tools`. `words` are what a person types after `svc`."""

    name: str
    title: str
    description: str
    product: str
    product_title: str
    method: str
    path: str
    input_schema: dict[str, Any]
    read_only: bool
    destructive: bool
    output_schema: dict[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()  # columns for a table of its rows, most important first

    @property
    def name_parts(self) -> Words:
        return tuple(self.name.removeprefix(PREFIX).split("_"))

    @property
    def returns_file(self) -> bool:
        """True if its answer is a file, or the URL of one."""
        return "file_url" in (self.output_schema.get("properties") or {})

    @property
    def starts_file_job(self) -> bool:
        """True if it starts a job. The client polls the job, using the id from the answer, until it has a file."""
        fields = self.output_schema.get("properties") or {}
        return "job_id" in (self.input_schema.get("properties") or {}) and {"job_id", "state", "file"} <= set(fields)

    @property
    def answer_fields(self) -> set[str]:
        """The names of all fields of its answers, at any depth."""
        found: set[str] = set()
        left: list[Any] = [self.output_schema]
        while left:
            node = left.pop()
            if isinstance(node, dict):
                found |= set(node.get("properties") or {})
                left += node.values()
            elif isinstance(node, list):
                left += node
        return found

    @property
    def command(self) -> str:
        return " ".join(("svc", *self.name_parts))


class Catalog:
    """All tools, found by name or by words."""

    def __init__(self, entries: list[dict[str, Any]]) -> None:
        """Build a catalog from the entries that the service lists. Raise ValueError if they are invalid."""
        self.entries = entries
        self.tools = [_parse_tool(entry) for entry in entries]
        self._by_words = {tool.name_parts: tool for tool in self.tools}
        self._by_name = {tool.name: tool for tool in self.tools}

    def find_by_name(self, name: str) -> Tool | None:
        return self._by_name.get(name)

    def find_by_words(self, words: Words) -> Tool | None:
        return self._by_words.get(words)

    def list_below(self, words: Words) -> list[Tool]:
        """Return the tools with commands that start with `words` and have more words."""
        size = len(words)
        return [tool for tool in self.tools if len(tool.name_parts) > size and tool.name_parts[:size] == words]

    def next_words(self, words: Words) -> list[str]:
        """Return the words that can follow `words`, in the order of the catalog."""
        return list(dict.fromkeys(tool.name_parts[len(words)] for tool in self.list_below(words)))

    def nearest_command(self, typed: Words) -> str | None:
        """Return the command most similar to the typed words, or None."""
        from difflib import get_close_matches

        # Words after the command (such as the value of a flag) are unknown here, so shorter beginnings are tried, too.
        known = [" ".join(tool.name_parts) for tool in self.tools]
        for size in range(len(typed), 0, -1):
            found = get_close_matches(" ".join(typed[:size]), known, 1, 0.7)
            if found:
                return f"svc {found[0]}"
        return None

    def nearest_name(self, name: str) -> str | None:
        """Return the tool whose name is most similar, or None. The common prefix is ignored."""
        from difflib import get_close_matches

        short = {known.removeprefix(PREFIX): known for known in self._by_name}
        found = get_close_matches(name.removeprefix(PREFIX), short, 1, 0.75)
        return short[found[0]] if found else None

    def group_title(self, words: Words) -> str:
        """Return the title of a group of commands: the title of its only command, or else the products' titles."""
        below = self.list_below(words)
        if len(below) == 1:
            return below[0].title
        return ", ".join(dict.fromkeys(tool.product_title for tool in below))

    def replace_tool_names(self, text: str) -> str:
        """Replace tool names in text from the service with the commands to type here."""

        def command(match: re.Match[str]) -> str:
            tool = self.find_by_name(match[0].strip("`"))
            return f"`{tool.command}`" if tool else match[0]

        return re.sub(rf"`?\b{PREFIX}[a-z0-9_]*[a-z0-9]\b`?", command, text)


def split_words(text: str) -> Words:
    """Split `update-target`, `update_target` and `update target` in the same way. A full tool name loses its prefix."""
    return tuple(word for word in re.split(r"[\s_-]+", text.lower().removeprefix(PREFIX)) if word)


def _parse_tool(entry: Any) -> Tool:
    try:
        hints, schema = entry.get("hints") or {}, entry.get("input_schema") or {}
        schema.get("properties", {}).items()
        tool = Tool(
            name=entry["name"],
            title=entry.get("title") or entry["name"],
            description=entry.get("description") or "",
            product=entry.get("product") or "",
            product_title=entry.get("product_title") or entry.get("product") or "More",
            method=entry["method"],
            path=entry["path"],
            input_schema=schema,
            read_only=hints.get("read_only", entry["method"] == "GET"),
            destructive=hints.get("destructive", False),
            output_schema=entry.get("output_schema") or {},
            columns=tuple(map(str, entry.get("columns") or ())),
        )
    except (AttributeError, KeyError, TypeError) as problem:
        raise ValueError(f"not a tool: {entry!r:.80}") from problem
    if not re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", str(tool.name)) or not str(tool.path).startswith("/"):
        raise ValueError(f"not a tool: {entry!r:.80}")
    return tool
