"""The connector as one ASGI application, for the front of the process to mount at /mcp."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount

from workspace.interfaces.mcp.gate import MAX_BODY, Gate
from workspace.interfaces.mcp.request_scope import Runs
from workspace.interfaces.mcp.server import serve
from workspace.tools.catalog import Catalogue


def build(catalogue: Catalogue, pool: Runs) -> Starlette:
    """The application, whatever path it is mounted at; its lifespan must be entered before the first request, once.

    `pool.run(func, *args)` runs what touches the database. Both eras of the protocol are served without sessions:
    any process can answer any request.
    """
    manager = StreamableHTTPSessionManager(
        serve(catalogue, pool, version=_version()),
        json_response=True,
        stateless=True,
        max_request_body_size=MAX_BODY,
    )
    gate = Gate(manager.handle_request, catalogue, pool)
    return Starlette(routes=[Mount("/", app=gate)], lifespan=lambda app: manager.run())


def _version() -> str:
    try:
        return version_of("workspace-tools")
    except PackageNotFoundError:
        return "0"
