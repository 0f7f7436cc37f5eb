"""The one ASGI application that the server runs."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from time import perf_counter

import structlog

from workspace.interfaces.server.access_log import log, log_access
from workspace.interfaces.server.asgi_types import (
    ASGIApp,
    Front,
    Health,
    Metrics,
    Receive,
    Scope,
    Send,
    Service,
    WSGIApp,
)
from workspace.interfaces.server.client_address import household, parse_networks
from workspace.interfaces.server.cpu_quota import Shares
from workspace.interfaces.server.cpu_usage import Company
from workspace.interfaces.server.error_responses import (
    BREATH,
    CLIENT_ADDRESS,
    PAGE,
    Refused,
    answer,
    busy,
    crowded,
    failed,
    tell_health,
)
from workspace.interfaces.server.fair_queue import Crowded, Turnstile
from workspace.interfaces.server.lifespan import Lifetime
from workspace.interfaces.server.request_context import Exchange, identify
from workspace.interfaces.server.request_reader import Limits, refuse, replay
from workspace.interfaces.server.thread_pool import Pool, PoolBusy, PoolCrowded, caller
from workspace.interfaces.server.untrusted_proxies import Unheard
from workspace.interfaces.server.wsgi_bridge import Ahead, Bridge, Stranger

AT_A_TIME = 64  # that the front door serves; enough for one machine that asks alone to be served at full speed
MCP_PATHS = ("/mcp", "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server")


def build(
    wsgi: WSGIApp,
    *,
    pool: Pool,
    mcp: ASGIApp | None = None,
    mcp_paths: Sequence[str] = MCP_PATHS,
    front: Front | None = None,
    health: Mapping[str, Health] | None = None,
    metrics: Metrics | None = None,
    services: Sequence[Service] = (),
    trusted_proxies: Iterable[str] = (),
    tell_unheard: Callable[[str], None] | None = None,
    page: Callable[[Scope, int], tuple[bytes, str] | None] | None = None,
    limits: Limits | None = None,
    stranger: Stranger | None = None,
    ahead: Ahead = lambda scope: None,
) -> ASGIApp:
    """`health` answers its paths (/healthz, /readyz), apart from the pool; `metrics` /metrics, and is told of every
    answer. `mcp` answers `mcp_paths` and all below them, `front` is asked
    next, everything else is Django's.

    `services` start after `mcp` and stop before it, once the last request is answered. `trusted_proxies` are
    addresses or networks; ValueError names one that is neither. `tell_unheard` is called in the pool with the network
    of a peer that forwards and is not among them. `page` writes a refusal for people (see `refusal.PAGE`), `stranger`
    one for whoever may not send a large body (see `Bridge`), `ahead` answers without Django.
    """
    return Application(
        Bridge(wsgi, pool, limits, stranger, ahead),
        pool=pool,
        mcp=mcp,
        mcp_paths=mcp_paths,
        front=front,
        health=health,
        metrics=metrics,
        services=services,
        trusted_proxies=trusted_proxies,
        tell_unheard=tell_unheard,
        page=page,
    )


class Application:
    """See `build`."""

    def __init__(
        self,
        bridge: Bridge,
        *,
        pool: Pool,
        mcp: ASGIApp | None,
        mcp_paths: Sequence[str],
        front: Front | None,
        health: Mapping[str, Health] | None,
        metrics: Metrics | None,
        services: Sequence[Service],
        trusted_proxies: Iterable[str],
        tell_unheard: Callable[[str], None] | None,
        page: Callable[[Scope, int], tuple[bytes, str] | None] | None,
    ) -> None:
        self.bridge = bridge
        self.pool = pool
        self.mcp = mcp
        self.mcp_paths = frozenset(mcp_paths) if mcp is not None else frozenset()
        self.mcp_prefixes = tuple(path + "/" for path in self.mcp_paths)
        self.front = front
        self.company = Company()
        self.turnstile = Turnstile(AT_A_TIME, company=self.company)
        self.shares = Shares(pool.pace, self.company)
        self.health = health or {}
        self.metrics = metrics
        self.page = page
        self.trusted = parse_networks(" ".join(trusted_proxies))
        self.unheard = Unheard(lambda network: self._tell(tell_unheard, network))
        self.lifetime = Lifetime(pool, services, mcp)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.lifetime(scope, receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    def _tell(self, tell: Callable[[str], None] | None, network: str) -> None:
        if tell is not None:
            with suppress(PoolBusy):  # the log has it
                self.pool.submit(tell, network)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        request_id = identify(scope, self.trusted, self.unheard)
        scope["state"][PAGE] = self.page
        exchange = Exchange(send, request_id)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        caller.set(household(scope["state"][CLIENT_ADDRESS]))
        try:
            await self._route(scope, receive, exchange.send)
            if not exchange.status:
                await answer(scope, exchange.send, failed())
        except Refused as refused:
            await refuse(scope, receive, exchange.send, refused)
        except (Crowded, PoolCrowded):
            await asyncio.sleep(BREATH)
            if not exchange.status:
                await answer(scope, exchange.send, crowded())
        except PoolBusy:
            if not exchange.status:
                await answer(scope, exchange.send, busy())
        except Exception:
            log.exception("request_failed", method=scope["method"])
            if not exchange.status:
                await answer(scope, exchange.send, failed())
        finally:
            seconds = perf_counter() - began
            log_access(request_id, scope["method"], scope["path"], exchange.status, seconds)
            if self.metrics is not None:
                self.metrics.note(scope["method"], scope["path"], exchange.status, seconds)

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if (health := self.health.get(path)) is not None:
            await tell_health(scope, send, await health())
            return
        if self.metrics is not None and path == "/metrics":
            await self.metrics(scope, receive, send)
            return
        self.company.note(caller.get())
        if self.mcp is not None and (path in self.mcp_paths or path.startswith(self.mcp_prefixes)):
            await self.shares.run(caller.get(), self._ask_mcp(self.mcp, scope, receive, send))
        elif not await self._ask_front(scope, receive, send):
            await self.shares.run(caller.get(), self.bridge(scope, receive, send))

    async def _ask_mcp(self, mcp: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self.bridge.take(scope, receive)
        try:
            await mcp(scope, replay(body, receive), send)
        finally:
            body.file.close()

    async def _ask_front(self, scope: Scope, receive: Receive, send: Send) -> bool:
        if self.front is None or scope["method"] not in ("GET", "HEAD"):
            return False
        async with self.turnstile.turn(caller.get()):
            return await self.front(scope, receive, send)
