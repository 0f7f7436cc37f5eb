"""Requests over keep-alive connections from a separate process, so that it does not compete with the server's threads.

    python benchmarks/load.py PORT CONNECTIONS SECONDS FILE

FILE contains raw requests as a JSON array of texts, which are sent in turn. It prints a JSON object: requests, seconds,
statuses {200: n}, and p50 and p99 in milliseconds.
"""

from __future__ import annotations

import json
import selectors
import socket
import statistics
import sys
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

PATIENCE = 60.0  # seconds until the first answer


class Connection:
    """A connection that sends one request at a time, and the next one after a complete answer."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.began = 0.0
        self.got = b""

    def send_request(self, request: bytes) -> None:
        self.began, self.got = time.perf_counter(), b""
        self.socket.sendall(request)

    def receive(self) -> int:
        """Return the status once the answer is complete, and 0 before."""
        part = self.socket.recv(262_144)
        if not part:
            raise ConnectionError("The server has closed a connection")
        self.got += part
        head, found, body = self.got.partition(b"\r\n\r\n")
        if not found:
            return 0
        status = int(head[9:12])
        length = 0
        for line in head.split(b"\r\n")[1:]:
            if line[:15].lower() == b"content-length:":
                length = int(line[15:])
        return status if status in (204, 304) or len(body) >= length else 0


def run(port: int, connections: int, seconds: float, requests: list[bytes]) -> dict[str, object]:
    turn = cycle(requests)
    waits: list[float] = []
    statuses: Counter[int] = Counter()
    selector = selectors.EpollSelector()
    began = time.perf_counter()
    for _ in range(connections):
        connection = Connection(port)
        selector.register(connection.socket, selectors.EVENT_READ, connection)
        connection.send_request(next(turn))
    while (now := time.perf_counter()) - began < seconds or (not waits and now - began < PATIENCE):
        for key, _ in selector.select(0.1):
            connection = key.data
            if status := connection.receive():
                waits.append(time.perf_counter() - connection.began)
                statuses[status] += 1
                connection.send_request(next(turn))
    for key in list(selector.get_map().values()):
        key.data.socket.close()
    selector.close()
    percentiles = statistics.quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    return {
        "requests": len(waits),
        "rate": len(waits) / (now - began),
        "seconds": now - began,
        "statuses": statuses,
        "p50": percentiles[49] * 1000,
        "p99": percentiles[98] * 1000,
    }


if __name__ == "__main__":
    port, connections, seconds, file = sys.argv[1:]
    texts = json.loads(Path(file).read_text())
    print(json.dumps(run(int(port), int(connections), float(seconds), [text.encode("latin-1") for text in texts])))
