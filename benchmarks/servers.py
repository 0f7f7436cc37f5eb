"""The two servers to compare: the service, and the floor on a copy of its database.

Each runs in a separate process on one core, and its costs are measured.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import load

from workspace.testing.ports import free_port
from workspace.testing.service import Service

TICKS = os.sysconf("SC_CLK_TCK")
HERE_AND_NOW = 0.2  # seconds below which a load does not justify a separate process
CORES = sorted(os.sched_getaffinity(0))


def on_one_core() -> None:
    """Restrict the calling process to the first core. Servers use the first core, and loads use the others."""
    os.sched_setaffinity(0, CORES[:1])


def _on_the_others() -> None:
    os.sched_setaffinity(0, CORES[1:] or CORES)


class Server:
    """A process that answers on a port, and its costs so far."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
        self.process, self.port, self.folder = process, port, folder

    @property
    def cpu(self) -> float:
        """The processor seconds, user and system, of the process and its children."""
        return sum(_spent(pid) for pid in _family(self.process.pid))

    def kill(self) -> None:
        """Kill the floor, which has no data to lose."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def load(self, requests: list[str], connections: int, seconds: float) -> dict[str, Any]:
        """Return the results of `load.py`, and `cpu`: processor milliseconds per request."""
        before = self.cpu
        try:
            told = self._loaded(requests, connections, seconds)
        except (OSError, ValueError) as problem:
            logs = [file.read_text()[-2000:] for file in self.folder.glob("*log")]
            raise RuntimeError("\n".join([f"There is no answer: {problem}", *logs])) from problem
        told["cpu"] = (self.cpu - before) / told["requests"] * 1000
        return told

    def _loaded(self, requests: list[str], connections: int, seconds: float) -> dict[str, Any]:
        if seconds < HERE_AND_NOW:
            told = load.run(self.port, connections, seconds, [text.encode("latin-1") for text in requests])
            return json.loads(json.dumps(told))  # type: ignore[no-any-return]
        file = self.folder / f"requests-{self.port}"
        file.write_text(json.dumps(requests))
        command = [sys.executable, str(HERE / "load.py"), str(self.port), str(connections), str(seconds), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=_on_the_others)
        if done.returncode:
            raise ValueError(done.stderr)
        return json.loads(done.stdout)  # type: ignore[no-any-return]


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *[one for child in children for one in _family(int(child))]]


def _spent(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def floor_of(service: Service, pages: list[str], tools: dict[str, Any]) -> Server:
    """Start the floor with the service's current pages and `tools` (see `floor.Floor`).

    The service is stopped while its database is copied.
    """
    answers = service.folder / "answers"
    answers.mkdir()
    for path in pages:
        asked = urllib.request.Request(service.url + path, headers={"User-Agent": "curl/8"})
        with urllib.request.urlopen(asked) as got:
            head = "\r\n".join(["HTTP/1.1 200 OK", *[f"{name}: {value}" for name, value in got.headers.items()]])
            (answers / path.replace("/", "-")).write_bytes(f"{head}\r\n\r\n".encode() + got.read())
    (answers / "tools.json").write_text(json.dumps(tools))
    service.stop()
    database = copied(service)
    service.start(on_one_core)
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "workspace.interfaces.server",
        "floor:application",
        "--factory",
        "--port",
        str(port),
    ]
    environment = {
        **service.env,
        "FLOOR_DATABASE": database,
        "FLOOR_ANSWERS": str(answers),
        "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parent / 'src'}",
    }
    with (service.folder / "floor-log").open("wb") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, cwd=HERE, preexec_fn=on_one_core, start_new_session=True
        )
    deadline = time.monotonic() + 60
    while True:
        with suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}{pages[0]}").close()
            return Server(process, port, service.folder)
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The floor does not answer: {(service.folder / 'floor-log').read_text()[-2000:]}")
        time.sleep(0.05)


def copied(service: Service) -> str:
    """Copy the stopped service's database. Return a file or a PostgreSQL URL."""
    address = service.env["WORKSPACE_DATABASE_URL"]
    if not address:
        copy = service.folder / "floor.sqlite3"
        # copied by SQLite, because closing the file after reading it would release this process's locks on it
        with connected(service) as ours, closing(sqlite3.connect(copy)) as theirs:
            ours.backup(theirs)
        return str(copy)
    import psycopg

    name = address.rpartition("/")[2]
    with psycopg.connect(address.rpartition("/")[0] + "/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}_floor" TEMPLATE "{name}"')
    return f"{address}_floor"


@contextmanager
def connected(service: Service) -> Iterator[Any]:
    """Yield a raw connection to the service's database, which commits each statement."""
    if address := service.env["WORKSPACE_DATABASE_URL"]:
        import psycopg

        connection: Any = psycopg.connect(address, autocommit=True)
    else:
        connection = sqlite3.connect(service.folder / "workspace.sqlite3", isolation_level=None)
    with closing(connection):
        yield connection
