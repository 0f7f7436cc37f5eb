"""What the gate leaves in a request's scope for those behind it, and the pool as far as they need it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

CALLER = "workspace.caller"
SELECTION = "workspace.selection"
RECEIVE = "workspace.receive"  # after the body it waits until who asks hangs up
T = TypeVar("T")


class ThreadRunner(Protocol):
    """The pool, as far as the connector needs it."""

    def run(self, func: Callable[..., T], /, *args: Any) -> Awaitable[T]: ...
