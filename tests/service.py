"""The whole service as its operator runs it: a server process of its own, with a database of its own, on loopback."""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

PATIENCE = 120  # seconds until something hangs, also on a busy machine
ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """`start` it, call it by `api` or at `url`, `stop` or `kill` it. Its SQLite file or PostgreSQL database is new."""

    def __init__(self, host: str = "127.0.0.1", **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="workspace-service-"))
        self.port = free_port()
        self.url = f"http://{host}:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("WORKSPACE_", "PORT", "SVC_"))
        }
        self.env = {
            **kept,
            "PORT": str(self.port),
            "WORKSPACE_DATA": str(self.folder),
            "WORKSPACE_BASE_URL": self.url,
            "WORKSPACE_DATABASE_URL": _new_database(),
            **settings,
        }

    def operate(self, *words: str) -> str:
        """What `bin/workspace WORDS` prints; fails the test when it fails."""
        command = [sys.executable, "-m", "workspace.interfaces.operator", *words]
        done = subprocess.run(command, env=self.env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def migrate(self) -> Service:
        """As `operate("migrate")`, whose outcome on an empty database is kept for this run of tests."""
        if self.env["WORKSPACE_DATABASE_URL"]:
            self.env["WORKSPACE_DATABASE_URL"] = _new_database(template=_migrated(_server()))
        else:
            shutil.copy(_migrated(""), self.folder)
        return self

    def account(self, email: str = "owner@example.com", *options: str) -> dict[str, Any]:
        """A fresh account: {account_id, email, api_key}."""
        made: dict[str, Any] = json.loads(
            self.operate("account", "create", email, "--name", "Corner Café", "--json", *options)
        )
        return made

    def start(self, prepare: Callable[[], None] | None = None) -> Service:
        """`prepare` is called in the new process before it becomes the server."""
        command = [sys.executable, "-m", "workspace.interfaces.http", "workspace.asgi:application", "--factory"]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                env=self.env,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=prepare,
            )
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.kill()
            raise
        return self

    def _wait_until_it_answers(self) -> None:
        assert self.process is not None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=PATIENCE).close()
                return
            except HTTPError:
                return  # it runs, and tells what is wrong
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"The service did not start: {self.log}")

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """As when the machine loses power, but for the disk: every process of the server at once."""
        self._end(signal.SIGKILL)

    def _end(self, how: int) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, how)
            self.process.wait(PATIENCE)
        self.process = None

    def api(self, key: str, name: str, /, **arguments: Any) -> Any:
        """The data of a tool called by REST; fails the test on a refusal."""
        status, body = self.post("/api/v1/call", {"name": name, "arguments": arguments}, key)
        assert status == 200, body
        return body["data"]

    def post(self, path: str, body: Any, key: str = "") -> tuple[int, Any]:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            return error.code, json.load(error)


@functools.cache
def _migrated(server: str) -> str:
    """The SQLite file, or the name of the database on that PostgreSQL server, of a service that was migrated and never
    started."""
    first = Service()
    atexit.register(shutil.rmtree, first.folder, ignore_errors=True)
    first.operate("migrate")
    database = first.env["WORKSPACE_DATABASE_URL"]
    return database.rsplit("/", 1)[1] if database else str(first.folder / "workspace.sqlite3")


def _new_database(template: str = "template1") -> str:
    """Empty for SQLite in the service's folder, else the address of a new PostgreSQL database."""
    server = _server()
    if not server:
        return ""
    import psycopg

    name = f"service_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return server.rsplit("/", 1)[0] + "/" + name


def _server() -> str:
    return os.environ.get("WORKSPACE_TEST_DATABASE_URL", "")
