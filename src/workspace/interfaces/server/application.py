"""The ASGI application that the server runs."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from time import perf_counter

import structlog

from workspace.interfaces.server.access_log import log, log_access
from workspace.interfaces.server.asgi_types import (
    ASGIApp,
    FastPathHandler,
    HealthCheck,
    Metrics,
    Receive,
    Scope,
    Send,
    Service,
    WSGIApp,
)
from workspace.interfaces.server.client_address import parse_networks, rate_limit_network
from workspace.interfaces.server.cpu_quota import CpuQuota
from workspace.interfaces.server.cpu_usage import CallerMonitor
from workspace.interfaces.server.error_responses import (
    CLIENT_ADDRESS,
    ERROR_PAGE,
    REJECTION_DELAY_SECONDS,
    RequestRejectedError,
    busy_error,
    internal_error,
    rate_limited_error,
    send_error,
    send_health,
)
from workspace.interfaces.server.fair_queue import CallerQueueFullError, FairSemaphore
from workspace.interfaces.server.lifespan import Lifetime
from workspace.interfaces.server.request_context import RequestContext, identify_request
from workspace.interfaces.server.request_reader import Limits, reject_request, replay_body
from workspace.interfaces.server.thread_pool import Pool, PoolBusyError, PoolCallerLimitError, caller
from workspace.interfaces.server.untrusted_proxies import UntrustedProxyMonitor
from workspace.interfaces.server.wsgi_bridge import AnonymousCheck, DirectHandlerFinder, WsgiBridge

FAST_PATH_CONCURRENCY = 64  # slots of the fast path, enough for a single client to be served at full speed
MCP_PATHS = ("/mcp", "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server")


def build_application(
    wsgi: WSGIApp,
    *,
    pool: Pool,
    mcp: ASGIApp | None = None,
    mcp_paths: Sequence[str] = MCP_PATHS,
    fast_path: FastPathHandler | None = None,
    health: Mapping[str, HealthCheck] | None = None,
    metrics: Metrics | None = None,
    services: Sequence[Service] = (),
    trusted_proxies: Iterable[str] = (),
    report_untrusted: Callable[[str], None] | None = None,
    render_error_page: Callable[[Scope, int], tuple[bytes, str] | None] | None = None,
    limits: Limits | None = None,
    is_anonymous: AnonymousCheck | None = None,
    find_direct_handler: DirectHandlerFinder = lambda scope: None,
) -> ASGIApp:
    """Build the ASGI application of the server.

    `health` maps paths (/healthz, /readyz) to checks that run outside the pool. `metrics` answers /metrics and records
    every response. `mcp` answers `mcp_paths` and everything below them. `fast_path` is tried next. Django answers all
    other requests.

    `services` start after `mcp`, and stop before it, after the last request. `trusted_proxies` are addresses or
    networks. Raise ValueError, naming the invalid part, if they cannot be parsed. `report_untrusted` is called in the
    pool with the network of a peer that sends forwarding headers but is not trusted. `render_error_page` renders an
    error as HTML (see `error_responses.ERROR_PAGE`). `is_anonymous` decides whether a client may send a large body (see
    `WsgiBridge`). `find_direct_handler` finds a handler that answers without Django.
    """
    return Application(
        WsgiBridge(wsgi, pool, limits, is_anonymous, find_direct_handler),
        pool=pool,
        mcp=mcp,
        mcp_paths=mcp_paths,
        fast_path=fast_path,
        health=health,
        metrics=metrics,
        services=services,
        trusted_proxies=trusted_proxies,
        report_untrusted=report_untrusted,
        page=render_error_page,
    )


class Application:
    """The ASGI application of the server. See `build_application`."""

    def __init__(
        self,
        bridge: WsgiBridge,
        *,
        pool: Pool,
        mcp: ASGIApp | None,
        mcp_paths: Sequence[str],
        fast_path: FastPathHandler | None,
        health: Mapping[str, HealthCheck] | None,
        metrics: Metrics | None,
        services: Sequence[Service],
        trusted_proxies: Iterable[str],
        report_untrusted: Callable[[str], None] | None,
        page: Callable[[Scope, int], tuple[bytes, str] | None] | None,
    ) -> None:
        self.bridge = bridge
        self.pool = pool
        self.mcp = mcp
        self.mcp_paths = frozenset(mcp_paths) if mcp is not None else frozenset()
        self.mcp_prefixes = tuple(path + "/" for path in self.mcp_paths)
        self.fast_path = fast_path
        self.caller_monitor = CallerMonitor()
        self.fast_path_slots = FairSemaphore(FAST_PATH_CONCURRENCY, caller_monitor=self.caller_monitor)
        self.cpu_quota = CpuQuota(pool.cpu_usage, self.caller_monitor)
        self.health = health or {}
        self.metrics = metrics
        self.page = page
        self.trusted = parse_networks(" ".join(trusted_proxies))
        self.proxy_monitor = UntrustedProxyMonitor(lambda network: self._report_network(report_untrusted, network))
        self.lifetime = Lifetime(pool, services, mcp)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.lifetime(scope, receive, send)
        elif scope["type"] == "http":
            await self._handle_request(scope, receive, send)

    def _report_network(self, report_untrusted: Callable[[str], None] | None, network: str) -> None:
        if report_untrusted is not None:
            with suppress(PoolBusyError):  # the log already has the network
                self.pool.submit(report_untrusted, network)

    async def _handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        request_id = identify_request(scope, self.trusted, self.proxy_monitor)
        scope["state"][ERROR_PAGE] = self.page
        exchange = RequestContext(send, request_id)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        caller.set(rate_limit_network(scope["state"][CLIENT_ADDRESS]))
        try:
            await self._route_request(scope, receive, exchange.send)
            if not exchange.status:
                await send_error(scope, exchange.send, internal_error())
        except RequestRejectedError as refused:
            await reject_request(scope, receive, exchange.send, refused)
        except (CallerQueueFullError, PoolCallerLimitError):
            await asyncio.sleep(REJECTION_DELAY_SECONDS)
            if not exchange.status:
                await send_error(scope, exchange.send, rate_limited_error())
        except PoolBusyError:
            if not exchange.status:
                await send_error(scope, exchange.send, busy_error())
        except Exception:
            log.exception("request_failed", method=scope["method"])
            if not exchange.status:
                await send_error(scope, exchange.send, internal_error())
        finally:
            seconds = perf_counter() - began
            log_access(request_id, scope["method"], scope["path"], exchange.status, seconds)
            if self.metrics is not None:
                self.metrics.record_request(scope["method"], scope["path"], exchange.status, seconds)

    async def _route_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if (health := self.health.get(path)) is not None:
            await send_health(scope, send, await health())
            return
        if self.metrics is not None and path == "/metrics":
            await self.metrics(scope, receive, send)
            return
        self.caller_monitor.record_caller(caller.get())
        if self.mcp is not None and (path in self.mcp_paths or path.startswith(self.mcp_prefixes)):
            await self.cpu_quota.run_in_turn(caller.get(), self._call_mcp(self.mcp, scope, receive, send))
        elif not await self._try_fast_path(scope, receive, send):
            await self.cpu_quota.run_in_turn(caller.get(), self.bridge(scope, receive, send))

    async def _call_mcp(self, mcp: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self.bridge.receive_body(scope, receive)
        try:
            await mcp(scope, replay_body(body, receive), send)
        finally:
            body.file.close()

    async def _try_fast_path(self, scope: Scope, receive: Receive, send: Send) -> bool:
        if self.fast_path is None or scope["method"] not in ("GET", "HEAD"):
            return False
        async with self.fast_path_slots.acquire_slot(caller.get()):
            return await self.fast_path(scope, receive, send)
