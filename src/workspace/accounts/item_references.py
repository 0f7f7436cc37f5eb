"""References to items in a tool's arguments: an id, a slug or a public URL.

`publishing` registers how they are resolved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workspace.accounts.models import Account
from workspace.tools.tool import Tool

Finder = Callable[[Account, Tool[Any], str, bool], str]
_finders: list[Finder] = []


def register_finder(finder: Finder) -> None:
    """Register `finder(account, tool, text, own)`, which returns the id of an item.

    It returns the text itself if no item matches. With `own`, it raises NotFoundError for an item of another product.
    """
    _finders[:] = [finder]


def resolve_reference(account: Account, tool: Tool[Any], text: str, *, own: bool) -> str:
    """Return the id that the text refers to, or the text itself."""
    for finder in _finders:
        text = finder(account, tool, text, own)
    return text
