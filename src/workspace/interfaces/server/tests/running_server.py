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
PATIENCE = 60.0  # seconds until a hang is assumed, also on a busy machine
CAP = 1024 * 1024  # bytes in a body
SAMPLE = "workspace.interfaces.server.tests.sample:build"


class Server:
    """The sample application, served by a separate process. As a context manager it ends the process."""

    def __init__(self, *arguments, log=None, **environment):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start(log, *arguments, **environment)
        try:
            eventually(self.is_open)
        except BaseException:
            self.kill()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def is_open(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def start(self, log=None, *arguments, **environment):
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "workspace.interfaces.server",
                SAMPLE,
                "--factory",
                "--port",
                str(self.port),
                *arguments,
            ],
            env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONWARNINGS": "default", **environment},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

    def stop(self, by=signal.SIGTERM):
        self.process.send_signal(by)
        return self.process.wait(PATIENCE)

    def kill(self):
        """Kill the server and its workers, in any state."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def connect(self, timeout=PATIENCE):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.settimeout(timeout)
        return connection

    def raw(self, data, timeout=PATIENCE):
        """Send these bytes. Return the first response as (status, headers, body).

        Return (0, {}, b"") if there is none.
        """
        with self.connect(timeout) as connection:
            connection.sendall(data)
            return read_answer(connection)

    def request(self, method="GET", path="/echo", body=None, headers=None):
        """Send one well-formed request and return (status, headers, body)."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            client.request(method, path, body=body, headers=headers or {})
            response = client.getresponse()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
        finally:
            client.close()

    def environ(self, *lines, path="/echo"):
        """Return the WSGI environ of a GET with these additional header lines (bytes)."""
        head = b"".join(line + b"\r\n" for line in lines)
        path = path if isinstance(path, bytes) else path.encode()
        status, _, body = self.raw(b"GET %s HTTP/1.1\r\nHost: shop.test\r\n%s\r\n" % (path, head))
        assert status == 200, (status, body)
        return json.loads(body)["environ"]

    def counters(self):
        """Return the counters. The event loop answers, so this works with a full pool."""
        return json.loads(self.request(path="/mcp/counters")[2])


def read_answer(connection):
    response = http.client.HTTPResponse(connection)
    try:
        response.begin()
        return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
    except (http.client.HTTPException, ConnectionError):
        return 0, {}, b""


def eventually(condition, seconds=PATIENCE):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)
