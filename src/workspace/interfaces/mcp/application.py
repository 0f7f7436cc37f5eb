"""The MCP server as an ASGI application, mounted at /mcp."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount

from workspace.interfaces.mcp.request_checks import MAX_BODY_BYTES, RequestChecker
from workspace.interfaces.mcp.request_scope import ThreadRunner
from workspace.interfaces.mcp.server import build_server
from workspace.tools.catalog import Catalog


def build_application(catalog: Catalog, pool: ThreadRunner) -> Starlette:
    """Build the application, which works at any mount path.

    Its lifespan must be entered once, before the first request. `pool.run(func, *args)` runs everything that uses the
    database. Both generations of the protocol are served without sessions, so any process can answer any request.
    """
    manager = StreamableHTTPSessionManager(
        build_server(catalog, pool, version=_package_version()),
        json_response=True,
        stateless=True,
        max_request_body_size=MAX_BODY_BYTES,
    )
    gate = RequestChecker(manager.handle_request, catalog, pool)
    return Starlette(routes=[Mount("/", app=gate)], lifespan=lambda app: manager.run())


def _package_version() -> str:
    try:
        return version_of("workspace-tools")
    except PackageNotFoundError:
        return "0"
