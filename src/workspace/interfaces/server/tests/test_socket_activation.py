"""A socket that stays open between two servers: connections made in between wait and are served."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from workspace.interfaces.server.tests.running_server import PATIENCE, SAMPLE, SOURCE, eventually

# as systemd does: the socket is descriptor 3, and these two variables announce it to this process only
START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.argv[2], sys.argv[2:])
"""


def start_server(listening: socket.socket, workers: int, log: Path) -> "subprocess.Popen[bytes]":
    """Start a server and wait until each of its workers has started."""
    port = listening.getsockname()[1]
    served = [sys.executable, "-m", "workspace.interfaces.server", SAMPLE, "--factory", "--port", str(port)]
    with log.open("wb") as file:
        server = subprocess.Popen(
            [sys.executable, "-c", START, str(listening.fileno()), *served, "--workers", str(workers)],
            env={**os.environ, "PYTHONPATH": SOURCE},
            pass_fds=[listening.fileno()],
            stderr=file,
            stdout=file,
            start_new_session=True,
        )
    try:
        eventually(lambda: log.read_text().count('"event": "started"') == workers)
    except BaseException:
        os.killpg(server.pid, signal.SIGKILL)
        raise
    return server


@pytest.mark.parametrize("workers", [1, 2])
def test_no_connection_is_refused_while_the_server_restarts(workers: int, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listening:
        server = start_server(listening, workers, tmp_path / "first")
        statuses: list[object] = []
        let_go: list[object] = []
        over = threading.Event()

        def send_requests() -> None:
            while not over.is_set():
                connection = http.client.HTTPConnection(*listening.getsockname(), timeout=PATIENCE)
                try:
                    connection.request("GET", "/echo", headers={"Connection": "close"})
                    statuses.append(connection.getresponse().status)
                except http.client.RemoteDisconnected as error:
                    let_go.append(error)  # accepted by a worker that ended before it read anything: clients retry
                except OSError as error:
                    statuses.append(error)
                finally:
                    connection.close()
                time.sleep(0.02)

        asking = [threading.Thread(target=send_requests) for _ in range(2)]
        for thread in asking:
            thread.start()
        try:
            eventually(lambda: len(statuses) > 5)
            server.send_signal(signal.SIGTERM)
            server.wait(PATIENCE)
            before = len(statuses)
            server = start_server(listening, workers, tmp_path / "second")
            eventually(lambda: len(statuses) > before + 5)
        finally:
            over.set()
            for thread in asking:
                thread.join()
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(PATIENCE)
    assert set(statuses) == {200}
    assert len(let_go) <= len(asking)
