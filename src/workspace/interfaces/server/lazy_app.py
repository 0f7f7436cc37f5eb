"""An inner application that is built on its first request.

Most servers never need its imports, and start faster without them.
"""

import asyncio
from collections.abc import Callable

from workspace.interfaces.server.asgi_types import ASGIApp, Receive, Scope, Send
from workspace.interfaces.server.lifespan import InnerLifespan
from workspace.interfaces.server.thread_pool import Pool


class LazyApp:
    """An ASGI application that is built on demand.

    `build` is called once, in a thread of the pool. The application is started before its first request and stopped
    together with the outer application. If `build` fails, the next request tries again.
    """

    def __init__(self, build: Callable[[], ASGIApp], pool: Pool) -> None:
        self._build = build
        self._pool = pool
        self._app: ASGIApp | None = None
        self._lifespan: InnerLifespan | None = None
        self._guard = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
        else:
            app = self._app or await self._get_app(scope)
            await app(scope, receive, send)

    async def _get_app(self, scope: Scope) -> ASGIApp:
        async with self._guard:
            if self._app is None:
                app = await self._pool.run(self._build)
                lifespan = InnerLifespan(app)
                await lifespan.start({"asgi": scope.get("asgi", {})})
                self._app, self._lifespan = app, lifespan
            return self._app

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        async with self._guard:
            if self._lifespan is not None:
                await self._lifespan.stop()
        await send({"type": "lifespan.shutdown.complete"})
