"""Routing of paths to handlers, and the start and stop of services."""

import asyncio
import json

import pytest

from workspace.interfaces.server.application import build_application
from workspace.interfaces.server.thread_pool import Pool


def test_the_fast_path_answers_only_its_paths(server):
    status, headers, _ = server.request(path="/q/abc")
    assert (status, headers["location"]) == (302, "https://example.com/")
    assert server.environ(path="/qr")["PATH_INFO"] == "/qr"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/x", "/.well-known/oauth-protected-resource/mcp"])
def test_mcp_answers_its_paths_with_its_lifespan_state(server, path):
    assert json.loads(server.request("POST", path, body=b"{}")[2]) == {"size": 2, "greeting": "hello"}


@pytest.mark.parametrize("path", ["/mcpx", "/x/mcp", "/.well-known/other"])
def test_similar_paths_are_not_sent_to_mcp(server, path):
    assert server.environ(path=path)["PATH_INFO"] == path


class Service:
    def __init__(self, name, events, fails=False):
        self.name, self.events, self.fails = name, events, fails

    def start(self):
        if self.fails:
            raise RuntimeError(f"{self.name} cannot start")
        self.events.append(f"{self.name} started")

    def stop(self):
        self.events.append(f"{self.name} stopped")
        if self.name == "second":
            raise RuntimeError("stumbles")


def live(services, mcp=None, pool=None):
    """Run a lifespan from start to end and return the messages sent to the server."""
    sent = []

    async def main():
        inbox = asyncio.Queue()
        inbox.put_nowait({"type": "lifespan.startup"})
        inbox.put_nowait({"type": "lifespan.shutdown"})

        async def send(message):
            sent.append(message)

        app = build_application(lambda environ, start_response: [], pool=pool or Pool(2), services=services, mcp=mcp)
        await app({"type": "lifespan", "state": {}}, inbox.get, send)

    asyncio.run(main())
    return sent


def test_services_start_in_order_and_stop_in_reverse_even_if_one_fails():
    events = []
    sent = live([Service(name, events) for name in ("first", "second", "third")])
    assert events == [
        *(f"{name} started" for name in ("first", "second", "third")),
        *(f"{name} stopped" for name in ("third", "second", "first")),
    ]
    assert [message["type"] for message in sent] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]


def test_the_pool_closes_with_the_process_after_its_calls():
    pool = Pool(1)
    live([], pool=pool)
    with pytest.raises(RuntimeError):
        pool.submit(len, "late")


def test_a_service_that_fails_to_start_aborts_the_start_and_stops_earlier_services():
    events = []
    sent = live([Service("first", events), Service("third", events, fails=True)])
    assert events == ["first started", "first stopped"]
    assert sent == [{"type": "lifespan.startup.failed", "message": "third cannot start"}]


def test_an_inner_application_that_fails_to_start_aborts_the_start():
    async def mcp(scope, receive, send):
        await receive()
        await send({"type": "lifespan.startup.failed", "message": "no secret"})

    assert live([], mcp) == [{"type": "lifespan.startup.failed", "message": "no secret"}]


def test_an_inner_application_without_a_lifespan_is_served():
    async def mcp(scope, receive, send):
        raise KeyError("method")

    assert [message["type"] for message in live([], mcp)] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]


def test_an_invalid_trusted_proxy_is_named_in_the_error():
    with pytest.raises(ValueError, match="'proxy'"):
        build_application(lambda environ, start_response: [], pool=Pool(1), trusted_proxies=["10.0.0.1", "proxy"])
