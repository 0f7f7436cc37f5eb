"""Keys that the request checker sets in a request's scope, and the part of the pool that the MCP server uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

CALLER = "workspace.caller"
SELECTION = "workspace.selection"
RECEIVE = "workspace.receive"  # after the body it waits until the client disconnects
T = TypeVar("T")


class ThreadRunner(Protocol):
    """The part of the pool that the MCP server uses."""

    def run(self, func: Callable[..., T], /, *args: Any) -> Awaitable[T]: ...
