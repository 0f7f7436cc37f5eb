"""The tools a service offers, and the words each is called by."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Words = tuple[str, ...]
PREFIX = "svc_"


@dataclass(frozen=True)
class Tool:
    """One operation as `GET /api/v1/tools` tells it; `words` are what a person types after `svc`."""

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
    columns: tuple[str, ...] = ()  # what a table shows of each row of its list, most wanted first

    @property
    def words(self) -> Words:
        return tuple(self.name.removeprefix(PREFIX).split("_"))

    @property
    def returns_file(self) -> bool:
        """Whether its answer is a file, with the address where that lies."""
        return "file_url" in (self.output_schema.get("properties") or {})

    @property
    def starts_file_job(self) -> bool:
        """Whether it is asked again, by the job that its answer names, until that has a file."""
        told = self.output_schema.get("properties") or {}
        return "job_id" in (self.input_schema.get("properties") or {}) and {"job_id", "state", "file"} <= set(told)

    @property
    def answer_fields(self) -> set[str]:
        """The names of all that its answers hold, at whatever depth."""
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
        return " ".join(("svc", *self.words))


class Catalog:
    """All tools, found by name or by words."""

    def __init__(self, entries: list[dict[str, Any]]) -> None:
        """`entries` as the service lists them; raises ValueError when they are not that."""
        self.entries = entries
        self.tools = [_parse_tool(entry) for entry in entries]
        self._by_words = {tool.words: tool for tool in self.tools}
        self._by_name = {tool.name: tool for tool in self.tools}

    def find_by_name(self, name: str) -> Tool | None:
        return self._by_name.get(name)

    def find_by_words(self, words: Words) -> Tool | None:
        return self._by_words.get(words)

    def list_below(self, words: Words) -> list[Tool]:
        """The tools whose words go on after `words`."""
        size = len(words)
        return [tool for tool in self.tools if len(tool.words) > size and tool.words[:size] == words]

    def next_words(self, words: Words) -> list[str]:
        return list(dict.fromkeys(tool.words[len(words)] for tool in self.list_below(words)))

    def nearest_command(self, typed: Words) -> str | None:
        """The command most like what was typed, None when nothing is near."""
        from difflib import get_close_matches

        # What follows the words (a flag's value, say) is unknown here, so shorter readings count too.
        known = [" ".join(tool.words) for tool in self.tools]
        for size in range(len(typed), 0, -1):
            found = get_close_matches(" ".join(typed[:size]), known, 1, 0.7)
            if found:
                return f"svc {found[0]}"
        return None

    def nearest_name(self, name: str) -> str | None:
        """The tool most like `name`, None when nothing is near; the prefix that all share counts for nothing."""
        from difflib import get_close_matches

        short = {known.removeprefix(PREFIX): known for known in self._by_name}
        found = get_close_matches(name.removeprefix(PREFIX), short, 1, 0.75)
        return short[found[0]] if found else None

    def group_title(self, words: Words) -> str:
        """What a group of commands is about: its only command's title, else the products' titles."""
        below = self.list_below(words)
        if len(below) == 1:
            return below[0].title
        return ", ".join(dict.fromkeys(tool.product_title for tool in below))

    def replace_tool_names(self, text: str) -> str:
        """A text of the service with the names of tools as the commands a person types here."""

        def command(found: re.Match[str]) -> str:
            tool = self.find_by_name(found[0].strip("`"))
            return f"`{tool.command}`" if tool else found[0]

        return re.sub(rf"`?\b{PREFIX}[a-z0-9_]*[a-z0-9]\b`?", command, text)


def split_words(text: str) -> Words:
    """`update-target`, `update_target` and `update target` alike; a full tool name loses its prefix."""
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
