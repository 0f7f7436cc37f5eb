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

    It returns True if it answered the request. It returns False for paths of other handlers, without having read
    anything.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> bool: ...


class HealthCheck(Protocol):
    """A check that returns, within a second, whether the service is healthy, with details as JSON."""

    async def __call__(self) -> tuple[bool, dict[str, Any]]: ...


class Metrics(Protocol):
    """A counter of all responses that shows its counts to authorized callers."""

    def record_request(self, method: str, path: str, status: int, seconds: float) -> None: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class Service(Protocol):
    """Background work that runs as long as the process. Both methods may block briefly."""

    def start(self) -> None: ...

    def stop(self) -> None: ...
