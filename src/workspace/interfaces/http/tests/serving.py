"""A real server on a real port, and a client that can misbehave."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

SOURCE = str(Path(__file__).resolve().parents[4])
POOL_SIZE = 4
CAP = 1024 * 1024  # bytes in a body
SAMPLE = "workspace.interfaces.http.tests.sample:make"


class Server:
    """The sample application served by a process of its own."""

    def __init__(self, *arguments, log=None, **environment):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start(log, *arguments, **environment)
        until = time.monotonic() + 15
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            time.sleep(0.02)
        raise AssertionError("the server did not come up")

    def start(self, log=None, *arguments, **environment):
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "workspace.interfaces.http",
                SAMPLE,
                "--factory",
                "--port",
                str(self.port),
                *arguments,
            ],
            env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONWARNINGS": "default", **environment},
            stdout=log,
            stderr=log,
        )

    def stop(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        return self.process.wait(15)

    def connect(self, timeout=5.0):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.settimeout(timeout)
        return connection

    def raw(self, data, timeout=5.0):
        """The first answer to these bytes, as (status, headers, body); (0, {}, b"") when there is none."""
        with self.connect(timeout) as connection:
            connection.sendall(data)
            return read_answer(connection)

    def ask(self, method="GET", path="/echo", body=None, headers=None):
        """One well-formed request, as (status, headers, body)."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            client.request(method, path, body=body, headers=headers or {})
            response = client.getresponse()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
        finally:
            client.close()

    def environ(self, *lines, path="/echo"):
        """The WSGI environ of a GET with these further header lines (bytes)."""
        head = b"".join(line + b"\r\n" for line in lines)
        path = path if isinstance(path, bytes) else path.encode()
        status, _, body = self.raw(b"GET %s HTTP/1.1\r\nHost: shop.test\r\n%s\r\n" % (path, head))
        assert status == 200, (status, body)
        return json.loads(body)["environ"]

    def counters(self):
        return json.loads(self.ask(path="/counters")[2])


def read_answer(connection):
    response = http.client.HTTPResponse(connection)
    try:
        response.begin()
        return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
    except (http.client.HTTPException, ConnectionError):
        return 0, {}, b""


def eventually(condition, seconds=3.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)
