"""What names a thing of an account in a tool's arguments: its id, its slug or its public address. Which things there
are is known to a room above, which says here how they are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workspace.accounts.models import Account
from workspace.tools.tool import Tool

Finder = Callable[[Account, Tool[Any], str, bool], str]
_finders: list[Finder] = []


def register_finder(finder: Finder) -> None:
    """`finder(account, tool, text, own)` answers the id of what the text names, or the text where it names nothing.
    Raises NotFoundError for a thing of another product where the tool takes its own only."""
    _finders[:] = [finder]


def resolve_reference(account: Account, tool: Tool[Any], text: str, *, own: bool) -> str:
    for finder in _finders:
        text = finder(account, tool, text, own)
    return text
