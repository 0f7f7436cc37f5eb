"""The cost of the bridge: requests per second through it, compared with a bare ASGI application on the same server.

    python benchmarks/bench_bridge.py

Rounds alternate between the two, and the ratio of the medians is printed, so that other load on the machine cancels
out.
"""

from __future__ import annotations

import http.client
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from table import Row, markdown

SOURCE = Path(__file__).resolve().parents[1] / "src"
CLIENTS = 4
FLOOR = 0.3  # share of the bare server's requests per second


async def bare(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def hello(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
    return [b"ok"]


def bridged() -> Any:
    from django.conf import settings

    from workspace.interfaces.server.thread_pool import Pool
    from workspace.interfaces.server.wsgi_bridge import WsgiBridge

    settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
    return WithoutLifespan(WsgiBridge(hello, Pool(8)))


def build_served_application() -> Any:
    """Build the application as it is served, with request ids, log lines and routing."""
    from django.conf import settings

    from workspace.interfaces.server.application import build_application
    from workspace.interfaces.server.thread_pool import Pool

    settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
    return build_application(hello, pool=Pool(8))


class WithoutLifespan:
    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await (bare if scope["type"] == "lifespan" else self.app)(scope, receive, send)


class Served:
    """A target of this file in a separate server process."""

    def __init__(self, target: str, *options: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "workspace.interfaces.server", target, "--port", str(self.port), *options],
            env={**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{Path(__file__).parent}"},
            stderr=subprocess.DEVNULL,
        )
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            if self.process.poll() is not None:
                raise RuntimeError(f"The server of {target} has ended")
            time.sleep(0.01)

    def rate(self, seconds: float) -> float:
        """Return the requests per second with CLIENTS keep-alive connections."""
        counts = [0] * CLIENTS
        until = time.perf_counter() + seconds

        def client(number: int) -> None:
            connection = http.client.HTTPConnection("127.0.0.1", self.port)
            while time.perf_counter() < until:
                connection.request("GET", "/")
                connection.getresponse().read()
                counts[number] += 1
            connection.close()

        threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(counts) / seconds

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


def measure(rounds: int = 3, seconds: float = 1.0) -> list[Row]:
    served = {
        "bare": Served("bench_bridge:bare"),
        "bridge": Served("bench_bridge:bridged", "--factory"),
        "application": Served("bench_bridge:build_served_application", "--factory"),
    }
    rates: dict[str, list[float]] = {name: [] for name in served}
    try:
        for _ in range(rounds):
            for name, server in served.items():
                rates[name].append(server.rate(seconds))
    finally:
        for server in served.values():
            server.stop()
    medians = {name: statistics.median(values) for name, values in rates.items()}
    bare = medians["bare"]
    return [
        Row(what, f"{medians[name]:.0f}/s", f"{bare:.0f}/s", medians[name] / bare, goal)
        for what, name, goal in (("the bridge", "bridge", FLOOR), ("the application around it", "application", None))
    ]


if __name__ == "__main__":
    print(markdown(measure()))
