"""The whole service as an administrator runs it: a separate server process with its own database, on loopback."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from workspace.testing import fork_server, prepared_database
from workspace.testing.ports import free_port
from workspace.testing.service_conditions import chosen_environment

PATIENCE = 120  # seconds until a hang is assumed, also on a busy machine
ROOT = Path(__file__).resolve().parents[3]
_shops = itertools.count(1)


class Service:
    """A service with a new database.

    `start` it, call it with `api` or at `url`, and `stop` or `kill` it.
    """

    def __init__(self, host: str = "127.0.0.1", **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="workspace-service-"))
        self.port = free_port()
        self.url = f"http://{host}:{self.port}"
        self.process: fork_server.Popen | subprocess.Popen[bytes] | None = None
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("WORKSPACE_", "PORT", "SVC_"))
        }
        self.env = {
            **kept,
            "PORT": str(self.port),
            "WORKSPACE_DATA": str(self.folder),
            "WORKSPACE_BASE_URL": self.url,
            "WORKSPACE_DATABASE_URL": prepared_database.new_database(),
            **chosen_environment(),
            **settings,
        }

    def operate(self, *words: str) -> str:
        """Return the output of `bin/workspace WORDS`. Fail the test if the command fails."""
        command = [sys.executable, "-m", "workspace.interfaces.admin_cli", *words]
        done = fork_server.run(command, env=self.env, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def migrate(self) -> Service:
        """Migrate the database, as `operate("migrate")` does, by copying a prepared one."""
        if self.env["WORKSPACE_DATABASE_URL"]:
            self.env["WORKSPACE_DATABASE_URL"] = prepared_database.new_database(prepared_database.migrated_database())
        else:
            shutil.copy(prepared_database.migrated_file(), self.folder / "workspace.sqlite3")
        return self

    def account(self, email: str = "", *options: str) -> dict[str, Any]:
        """Create an account: {account_id, email, api_key}. If no email is given, its owner gets a new one."""
        email = email or f"shop{next(_shops)}@example.com"  # `make_account` uses ownerN@example.com
        made: dict[str, Any] = json.loads(
            self.operate("account", "create", email, "--name", "Corner Café", "--json", *options)
        )
        return made

    def start(self, prepare: Callable[[], None] | None = None) -> Service:
        """Start the server. `prepare` is called in the new process before it becomes the server."""
        command = [sys.executable, "-m", "workspace.interfaces.server", "workspace.asgi:application", "--factory"]
        others: dict[str, Any] = {"preexec_fn": prepare} if prepare else {}
        with (self.folder / "log").open("ab") as log:
            self.process = fork_server.start(
                [*command, "--port", str(self.port)],
                env=self.env,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **others,
            )
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.kill()
            raise
        return self

    def _wait_until_it_answers(self) -> None:
        assert self.process is not None
        self.wait_for(self.process)

    def wait_for(self, process: fork_server.Popen | subprocess.Popen[bytes]) -> None:
        """Wait until the service answers. Fail if the process ends first."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert process.poll() is None, self.log
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=PATIENCE).close()
                return
            except HTTPError:
                return  # it is running, and reports what is wrong
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"The service did not start: {self.log}")

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text() if (self.folder / "log").exists() else ""

    def stop(self) -> None:
        self._end_process(signal.SIGTERM)

    def kill(self) -> None:
        """Kill all processes of the server at once, as in a power failure, except that the disk is intact."""
        self._end_process(signal.SIGKILL)

    def _end_process(self, signal_number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal_number)
            self.process.wait(PATIENCE)
        self.process = None

    def api(self, key: str, name: str, /, **arguments: Any) -> Any:
        """Call a tool over REST and return its data. Fail the test if the tool raises an error."""
        status, body = self.post("/api/v1/call", {"name": name, "arguments": arguments}, key)
        assert status == 200, body
        return body["data"]

    def post(self, path: str, body: Any, key: str = "", idempotency_key: str = "") -> tuple[int, Any]:
        """Send a POST and return (status, body). `idempotency_key` is its Idempotency-Key."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        headers |= {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            return error.code, json.load(error)


@contextmanager
def running_service(host: str = "127.0.0.1", **settings: str) -> Iterator[Service]:
    """Start a migrated service. Stop it and remove its folder at the end."""
    service = Service(host, **settings).migrate()
    try:
        yield service.start()
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)
