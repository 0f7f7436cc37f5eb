"""A real server on its own port: the MCP server in front, Django behind it, one pool for both."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import dataclass

import uvicorn
from django.core.wsgi import get_wsgi_application
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.interfaces.mcp import application
from workspace.interfaces.server import application as front
from workspace.interfaces.server.thread_pool import Pool
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib.errors import InvalidInputError, NotFoundError, OperationNotAllowedError
from workspace.tools.answer import Answer
from workspace.tools.catalog import Catalog
from workspace.tools.tool import Toolbox

fixture = Toolbox("seat", "Fixture")


class Note(TypedDict):
    name: str
    nothing: str | None
    nested: list[dict[str, int | None]]


@fixture.tool("svc_note_read", title="Read a note", about="Read a note.", reads=True)
def read_note(account: Account, from_: str = "here") -> Answer[Note]:
    """Return a note with empty values of every kind."""
    return Answer({"name": f"{account.name} {from_}", "nothing": None, "nested": [{"a": None, "b": 1}]}, "**A note**")


@fixture.tool("svc_note_write", title="Write a note", about="Write a note.")
def write_note(account: Account, name: str) -> Answer[Note]:
    """Rename the account, so that a test can see that it was called."""
    account.name = name
    account.save(update_fields=["name"])
    return Answer({"name": name, "nothing": None, "nested": []}, name)


@fixture.tool("svc_note_delete", title="Delete a note", about="Delete a note.", destructive=True)
def delete_note(account: Account, id: str) -> Answer[Note]:
    """Refuse the call, in each of the possible ways."""
    if id == "bug":
        raise RuntimeError("the secret is hunter2")
    if id == "plan":
        raise OperationNotAllowedError("Your plan holds 10 notes: delete one, or choose a larger plan")
    if id == "wrong":
        raise InvalidInputError.from_pairs([("links.2.url", "Only http and https"), ("name", "Required")])
    raise NotFoundError("There is no such note: svc_note_read lists them")


@dataclass
class Serving:
    url: str
    server: uvicorn.Server
    thread: threading.Thread

    @property
    def mcp(self) -> str:
        return f"{self.url}/mcp"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(60)


def catalog() -> Catalog:
    return Catalog([[*CATALOG], fixture])  # the complete catalog and three more tools


def start_serving() -> Serving:
    listening = socket.create_server(("127.0.0.1", 0))
    pool = Pool(size=4)
    app = front.build_application(
        get_wsgi_application(), pool=pool, mcp=application.build_application(catalog(), pool), mcp_paths=("/mcp",)
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    serving = Serving(f"http://127.0.0.1:{listening.getsockname()[1]}", server, thread)
    wait = threading.Event()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        wait.wait(0.01)
    return serving
