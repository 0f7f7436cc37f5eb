"""The shapes that the serving layer passes around."""

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
    """Answers hot public paths without Django. True: answered. False: not its path; it has read nothing."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> bool: ...


class HealthCheck(Protocol):
    """Whether all is well, and the details as JSON, within a second."""

    async def __call__(self) -> tuple[bool, dict[str, Any]]: ...


class Metrics(Protocol):
    """Counts every answer, and tells the counts to who may know them."""

    def record_request(self, method: str, path: str, status: int, seconds: float) -> None: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class Service(Protocol):
    """Background work that lives as long as the process. Both calls may block for a moment."""

    def start(self) -> None: ...

    def stop(self) -> None: ...
