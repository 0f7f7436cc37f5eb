"""Duplicating an item with its product's tool under a unique title."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import count
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool
from workspace.publishing.models import PublishedItem
from workspace.tools.tool import Tool

_PREFIX_LENGTH = 20  # characters of a title that identify its copies
_COPY_SUFFIX = re.compile(r" \(copy(?: \d+)?\)$")


@dataclass(frozen=True, slots=True)
class Duplication:
    """How a product duplicates an item.

    `tool` creates the copy. `title_argument` is the argument with its title, and the name of the model's field.
    `source_argument` is the argument that names the original. `is_list` means that both belong to an entry of a list.
    `result_key` is the key of the copy in the tool's answer, if the answer contains more than the copy.
    """

    tool: Tool[Any]
    title_argument: str = "title"
    source_argument: str = "copy_of"
    is_list: bool = False
    result_key: str = ""

    def create_duplicate(self, request: SignedInRequest, row: PublishedItem) -> str:
        """Create a copy and return its id."""
        said = {self.title_argument: self._free_title(row), self.source_argument: row.pk}
        if self.is_list:
            [made] = call_tool(request, self.tool, items=[said])["items"]
        else:
            answer = call_tool(request, self.tool, **said)
            made = answer[self.result_key] if self.result_key else answer
        return str(made["id"])

    def _free_title(self, row: Any) -> str:
        original: str = getattr(row, self.title_argument)
        begins = {f"{self.title_argument}__startswith": _COPY_SUFFIX.sub("", original)[:_PREFIX_LENGTH]}
        same = type(row)._default_manager.filter(account=row.account_id, **begins)
        most = row._meta.get_field(self.title_argument).max_length
        return find_free_title(original, set(same.values_list(self.title_argument, flat=True)), most)


def find_free_title(original: str, existing: Collection[str], max_length: int) -> str:
    """Return the first unused title with at most `max_length` characters.

    The titles are `Summer menu (copy)`, `Summer menu (copy 2)` and so on.
    """
    base = _COPY_SUFFIX.sub("", original)
    for number in count(1):
        end = " (copy)" if number == 1 else f" (copy {number})"
        title = base[: max_length - len(end)].rstrip() + end
        if title not in existing:
            break
    return title
