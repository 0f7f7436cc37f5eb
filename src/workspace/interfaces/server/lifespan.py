"""The lifetime of the process: the MCP application's lifespan, the background services and the pool."""

import asyncio
import contextlib
import contextvars
from collections.abc import Sequence
from typing import Any

from workspace.interfaces.server.access_log import log
from workspace.interfaces.server.asgi_types import ASGIApp, Message, Receive, Scope, Send, Service
from workspace.interfaces.server.thread_pool import Pool


class Lifetime:
    """The ASGI lifespan handler. It starts services in order and stops them in reverse, the pool last."""

    def __init__(self, pool: Pool, services: Sequence[Service] = (), inner: ASGIApp | None = None) -> None:
        self.pool = pool
        self.services = services
        self.inner = InnerLifespan(inner) if inner is not None else None
        self._running: list[Service] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self._start_all(scope)
        except Exception as error:
            log.exception("startup_failed")
            await self._stop_all()
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        log.info("started")
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._stop_all()
        log.info("stopped")
        await send({"type": "lifespan.shutdown.complete"})

    async def _start_all(self, scope: Scope) -> None:
        if self.inner is not None:
            await self.inner.start(scope)
        for service in self.services:
            await self.pool.run(service.start)
            self._running.append(service)

    async def _stop_all(self) -> None:
        while self._running:
            service = self._running.pop()
            try:
                await self.pool.run(service.stop)
            except Exception:
                log.exception("stop_failed", service=type(service).__name__)
        if self.inner is not None:
            await self.inner.stop()
        await asyncio.to_thread(self.pool.close)


class InnerLifespan:
    """The lifespan of a mounted application, run in one task as its task groups require."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._inbox: asyncio.Queue[Message] = asyncio.Queue()
        self._outbox: asyncio.Queue[Message] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self, scope: Scope) -> None:
        """Start the application. An application without lifespan support is considered started.

        Raise RuntimeError if it fails to start.
        """
        inner: dict[str, Any] = {**scope, "type": "lifespan"}
        # in a separate context, because a request may start it, and it outlives the request
        self._task = asyncio.create_task(self._run_app(inner), context=contextvars.Context())
        reply = await self._send_event("lifespan.startup")
        if reply["type"] == "lifespan.startup.failed":
            raise RuntimeError(reply.get("message") or "an inner application did not start")

    async def stop(self) -> None:
        if self._task is not None and not self._task.done():
            await self._send_event("lifespan.shutdown")
            with contextlib.suppress(Exception):
                await self._task

    async def _send_event(self, kind: str) -> Message:
        await self._inbox.put({"type": kind})
        return await self._outbox.get()

    async def _run_app(self, scope: Scope) -> None:
        try:
            await self.app(scope, self._inbox.get, self._outbox.put)
        except Exception:
            log.debug("inner_lifespan_ended", exc_info=True)
        finally:
            # Anyone who still waits for a reply gets one, even if the application has no lifespan.
            await self._outbox.put({"type": "lifespan.ended"})
