"""A small MCP server based on the protocol library, which can misbehave on purpose."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount

TOKEN = "their-own-token"
SCHEMA = {"type": "object", "properties": {"how": {"type": "string"}}}
READS = types.ToolAnnotations(read_only_hint=True)
TOOLS = [
    types.Tool(name="say", description="Says\x07 how\u202e it is", input_schema=SCHEMA, annotations=READS),
    types.Tool(name="do", title="Do it", input_schema=SCHEMA),
    types.Tool(name="n" * 70, input_schema=SCHEMA, annotations=READS),
    types.Tool(name="odd", input_schema={"type": "object", "$ref": "https://evil.example/schema.json"}),
]


@dataclass
class Plain:
    """A server that answers or misbehaves according to its fields.

    `status`: the status of all answers. `stalls`: send no answer until it is reset. `asked`: the credentials received.
    `gone` is set when the client disconnects.
    """

    url: str = ""
    status: int = 0
    stalls: bool = False
    tools: list[types.Tool] = field(default_factory=lambda: list(TOOLS))
    asked: set[str] = field(default_factory=set)
    began: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)

    async def list_tools(self, ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self.tools)

    async def call_tool(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        how = (params.arguments or {}).get("how", "")
        if how == "slowly":
            self.began.set()
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                self.gone.set()
                raise
        said = "x" * 2_000_000 if how == "at length" else f"{params.name} {how}\x1b[2J"
        answer = types.TextContent(type="text", text=said)
        return types.CallToolResult(content=[answer], structured_content={"how": how}, is_error=how == "badly")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        given = dict(scope["headers"]).get(b"authorization", b"").decode()
        self.asked.add(given)
        while self.stalls:
            await asyncio.sleep(0.02)
        if self.status or given != f"Bearer {TOKEN}":
            return await Response("no", self.status or 401)(scope, receive, send)
        return await self._app(scope, receive, send)

    def start(self, *, streams: bool) -> uvicorn.Server:
        """Start the server. With `streams`, it sends results as events, as many servers do."""
        server: Server[Any] = Server("plain", on_list_tools=self.list_tools, on_call_tool=self.call_tool)
        manager = StreamableHTTPSessionManager(server, json_response=not streams, stateless=not streams)
        mounted = [Mount("/", app=manager.handle_request)]
        self._app = Starlette(routes=mounted, lifespan=lambda app: manager.run())
        listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        running = uvicorn.Server(uvicorn.Config(self, log_level="error", lifespan="on", ws="none"))
        threading.Thread(target=lambda: asyncio.run(running.serve(sockets=[listening])), daemon=True).start()
        wait = threading.Event()
        while not running.started:
            wait.wait(0.01)
        return running
