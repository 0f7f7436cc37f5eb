"""Duplicating a published thing: another one like it, by its product's own tool, with a title that tells which is
which."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import count
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call
from workspace.publishing.models import Published
from workspace.tools.tool import Tool

_ENOUGH = 20  # characters of a title by which its copies are found
_COPY = re.compile(r" \(copy(?: \d+)?\)$")


@dataclass(frozen=True, slots=True)
class Copy:
    """How a product makes one like another: the `tool`; `title`, the argument that holds its title, as the model's
    field does; `like`, the argument that names the other one; whether both are an entry of a list (`listed`); and
    `part`, what of the tool's answer tells of the new one, where that is not all."""

    tool: Tool[Any]
    title: str = "title"
    like: str = "like"
    listed: bool = False
    part: str = ""

    def make(self, request: SignedInRequest, row: Published) -> str:
        """The id of the copy."""
        said = {self.title: self._named(row), self.like: row.pk}
        if self.listed:
            [made] = call(request, self.tool, items=[said])["items"]
        else:
            answer = call(request, self.tool, **said)
            made = answer[self.part] if self.part else answer
        return str(made["id"])

    def _named(self, row: Any) -> str:
        original: str = getattr(row, self.title)
        begins = {f"{self.title}__startswith": _COPY.sub("", original)[:_ENOUGH]}
        same = type(row)._default_manager.filter(account=row.account_id, **begins)
        most = row._meta.get_field(self.title).max_length
        return titled(original, set(same.values_list(self.title, flat=True)), most)


def titled(original: str, taken: Collection[str], most: int) -> str:
    """`Summer menu (copy)`, then `Summer menu (copy 2)`: the first that is free, of at most so many characters."""
    base = _COPY.sub("", original)
    for number in count(1):
        end = " (copy)" if number == 1 else f" (copy {number})"
        title = base[: most - len(end)].rstrip() + end
        if title not in taken:
            break
    return title
