"""Requests that arrive too early wait and run again.

Waiting uses no thread, and the number of waiting requests is limited.
"""

import asyncio
from types import SimpleNamespace

import pytest

from workspace.interfaces.server import request_delays
from workspace.interfaces.server.thread_pool import Pool, caller
from workspace.interfaces.server.wsgi_bridge import WsgiBridge
from workspace.lib.delayed_response import DELAY_KEY


def too_early(environ, start_response):
    """Request a delay where possible, otherwise answer with the body."""
    early = environ["PATH_INFO"] == "/early" and DELAY_KEY in environ
    if early:
        environ[DELAY_KEY].seconds = 1.5
    start_response("400 Bad Request" if early else "200 OK", [])
    return [environ["wsgi.input"].read()]


class Sleeps:
    """A replacement for `asyncio.sleep` in this module only: servers of other tests may run in other threads."""

    def __init__(self, monkeypatch):
        self.times, self.wake = [], asyncio.Event()
        monkeypatch.setattr(request_delays, "asyncio", SimpleNamespace(sleep=self))

    async def __call__(self, seconds):
        self.times.append(seconds)
        await self.wake.wait()


async def request_path(bridge, path, body=b"", whose=""):
    """Return the status and the body of the response."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    headers = [(b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "headers": headers, "query_string": b"", "http_version": "1.1"}
    caller.set(whose)
    await bridge({**scope, "path": path, "raw_path": path.encode()}, receive, send)
    return sent[0]["status"], sent[1]["body"]


@pytest.fixture
def bridge():
    pool = Pool(1)
    yield WsgiBridge(too_early, pool)
    pool.close()


def test_a_delayed_request_is_answered_after_the_missing_time_with_its_whole_body(bridge, monkeypatch):
    async def story():
        sleeps = Sleeps(monkeypatch)
        sleeps.wake.set()
        return await request_path(bridge, "/early", b"name=Ada"), sleeps.times

    assert asyncio.run(story()) == ((200, b"name=Ada"), [1.5 + request_delays.CLOCK_MARGIN_SECONDS])


def test_other_requests_are_answered_while_more_requests_wait_than_there_are_threads(bridge, monkeypatch):
    async def story():
        sleeps = Sleeps(monkeypatch)
        early = [asyncio.create_task(request_path(bridge, "/early", whose=f"10.0.0.{number}")) for number in range(5)]
        while len(sleeps.times) < 5:
            await asyncio.wait(early, timeout=0.01)
        assert await request_path(bridge, "/") == (200, b"")
        sleeps.wake.set()
        return await asyncio.gather(*early)

    assert asyncio.run(story()) == [(200, b"")] * 5


@pytest.mark.parametrize(("addresses", "limit"), [(1, 2), (9, 4)], ids=["of one caller", "of all"])
def test_requests_over_the_limit_are_answered_immediately(addresses, limit, bridge, monkeypatch):
    bridge.delayed_responses = request_delays.RequestDelays(max_total=4, max_per_caller=2)

    async def story():
        sleeps = Sleeps(monkeypatch)
        early = [asyncio.create_task(request_path(bridge, "/early", whose=f"{n % addresses}")) for n in range(9)]
        done, _ = await asyncio.wait(early, return_when=asyncio.FIRST_COMPLETED)
        while len(done) < 9 - limit:
            done, _ = await asyncio.wait(early, timeout=0.01)
        assert {task.result()[0] for task in done} == {400}
        sleeps.wake.set()
        return sorted(status for status, _ in await asyncio.gather(*early))

    assert asyncio.run(story()) == [200] * limit + [400] * (9 - limit)
