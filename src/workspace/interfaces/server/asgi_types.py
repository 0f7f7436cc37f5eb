"""Types of the HTTP server."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Protocol

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Environ = dict[str, Any]
WSGIApp = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class FastPathHandler(Protocol):
    """A handler that answers hot public paths without Django.

    Return True if the request was answered. Return False for a path of another handler, without reading anything.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> bool: ...


class HealthCheck(Protocol):
    """A check that returns whether the service is healthy, and details as JSON, within a second."""

    async def __call__(self) -> tuple[bool, dict[str, Any]]: ...


class Metrics(Protocol):
    """A counter of all responses, which shows its counts to authorized callers."""

    def record_request(self, method: str, path: str, status: int, seconds: float) -> None: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class Service(Protocol):
    """Background work that runs as long as the process. Both calls may block briefly."""

    def start(self) -> None: ...

    def stop(self) -> None: ...
