"""A fork server: starts the project's programs by forking a process that has already imported them.

Starting Python and importing the service takes two seconds of CPU time, but a fork takes only milliseconds. One fork
server runs for each test process. It has called `django.setup()` and built what a server builds before it listens,
without a database connection. A child uses the given environment and reads the settings again.

`Popen` and `run` replace those of `subprocess`. They start Python itself if a fork would behave differently: for
another program, for variables that Python reads at its start, and for settings that modules read at import.
`TEST_FORK=off` always starts Python.
"""

from __future__ import annotations

import atexit
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[3]
MODULES = ("workspace.interfaces.admin_cli", "workspace.interfaces.server", "svc", "workspace.testing.separate_process")
# read when modules are imported
AT_IMPORT = (
    "WORKSPACE_CONNECTIONS",
    "WORKSPACE_LINKED_APPS",
    "COLLECTED_STATIC_FILES",
    "PROMETHEUS_MULTIPROC_DIR",
    "LD_PRELOAD",
)
_LONGEST = 1 << 20


class Popen:
    """A forked program, with the parts of `subprocess.Popen` that tests use. Its exit code arrives through a socket."""

    def __init__(self, request: dict[str, Any], files: Sequence[int]) -> None:
        self._socket = _connect()
        socket.send_fds(self._socket, [json.dumps(request).encode() + b"\n"], list(files))
        self._answers = self._socket.makefile("rb")
        self.pid = int(self._answers.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._read_status(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._read_status(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _read_status(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            with selectors.DefaultSelector() as selector:
                selector.register(self._socket, selectors.EVENT_READ)
                if not selector.select(timeout):
                    return None
            self.returncode = int(self._answers.readline() or -signal.SIGKILL)
            self._answers.close()
            self._socket.close()
        return self.returncode


def start(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    cwd: Path = ROOT,
    stdout: IO[Any] | int | None = None,
    stderr: IO[Any] | int | None = None,
    start_new_session: bool = False,
    **others: Any,
) -> Popen | subprocess.Popen[bytes]:
    """Start `command`, which begins with Python, "-m" and a module."""
    words = [str(word) for word in command]
    if others or not _can_fork(words, env):
        return subprocess.Popen(
            words, env=dict(env), cwd=cwd, stdout=stdout, stderr=stderr, start_new_session=start_new_session, **others
        )
    with open(os.devnull, "rb") as nothing:
        files = [nothing.fileno(), _file_number(stdout, 1), _file_number(stderr, 2)]
        return Popen(_order(words, env, cwd, start_new_session), files)


def run(
    command: Sequence[str | Path], *, env: Mapping[str, str], cwd: Path = ROOT, input: str = "", timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run `command` to its end. Its output is captured as text."""
    words = [str(word) for word in command]
    if not _can_fork(words, env):
        return subprocess.run(
            words, env=dict(env), cwd=cwd, capture_output=True, text=True, timeout=timeout, input=input or None
        )
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        given.write(input.encode())
        given.seek(0)
        process = Popen(_order(words, env, cwd, False), [given.fileno(), out.fileno(), errors.fileno()])
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        out.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(words, code, out.read().decode(), errors.read().decode())


def _can_fork(words: list[str], env: Mapping[str, str]) -> bool:
    same_python = len(words) > 2 and words[:2] == [sys.executable, "-m"] and words[2] in MODULES
    at_start = {name for name in {*env, *os.environ} if name.startswith("PYTHON") or name in AT_IMPORT}
    unchanged = all(env.get(name) == _base_environment().get(name) for name in at_start)
    return same_python and unchanged and os.environ.get("TEST_FORK") != "off"


def _order(words: list[str], env: Mapping[str, str], cwd: Path, new_session: bool) -> dict[str, Any]:
    return {"words": words[2:], "env": dict(env), "cwd": str(cwd), "new_session": new_session}


def _file_number(stream: IO[Any] | int | None, usual: int) -> int:
    if stream is None:
        return usual
    return stream if isinstance(stream, int) else stream.fileno()


_address = ""


def _connect() -> socket.socket:
    found = socket.socket(socket.AF_UNIX)
    found.connect(_address or _start_server())
    return found


def _start_server() -> str:
    """Start the fork server of this test process and return the path of its socket."""
    global _address
    folder = tempfile.mkdtemp(prefix="workspace-fork-")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{folder}/socket")
        listening.listen(64)
        command = [sys.executable, "-m", "workspace.testing.fork_server", str(listening.fileno())]
        env = {**_base_environment(), "WORKSPACE_DATA": folder}
        server = subprocess.Popen(command, env=env, cwd=ROOT, pass_fds=[listening.fileno()], stdin=subprocess.PIPE)
    atexit.register(server.kill)
    _address = f"{folder}/socket"
    return _address


def _base_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("WORKSPACE_", "PORT", "SVC_"))}


def serve(listening: socket.socket) -> list[str]:
    """Fork a child for each order, and send back exit codes.

    In the server, this ends with the test process. In a child, it returns the program to run: a module and its
    arguments.
    """
    awake, wakes = socket.socketpair()
    for end in (awake, wakes, listening):
        end.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    children: dict[int, socket.socket] = {}
    selector = selectors.DefaultSelector()
    for readable in (awake, listening, sys.stdin):
        selector.register(readable, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listening:
                caller, _ = listening.accept()
                caller.setblocking(True)
                order, files = _receive(caller)
                if (pid := os.fork()) == 0:
                    signal.set_wakeup_fd(-1)
                    for other in (awake, wakes, listening, caller, *children.values()):
                        other.close()
                    selector.close()
                    return _become(order, files)
                for number in files:
                    os.close(number)
                children[pid] = caller
                caller.sendall(f"{pid}\n".encode())
            elif key.fileobj is awake:
                awake.recv(4096)
                _tell_ended(children)
            else:
                os._exit(0)  # the test process has ended


def _receive(caller: socket.socket) -> tuple[dict[str, Any], list[int]]:
    data, files, _, _ = socket.recv_fds(caller, _LONGEST, 3)
    while not data.endswith(b"\n"):
        data += caller.recv(_LONGEST)
    return json.loads(data), list(files)


def _tell_ended(children: dict[int, socket.socket]) -> None:
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        caller = children.pop(pid)
        with suppress(OSError):  # no one waits for it anymore
            caller.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
        caller.close()


def _become(order: dict[str, Any], files: list[int]) -> list[str]:
    """Turn this child into the requested program."""
    if order["new_session"]:
        os.setsid()
    for place, number in enumerate(files):
        os.dup2(number, place)
        os.close(number)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    found: list[str] = order["words"]
    if found[0] != "svc":
        read_settings_again()
    return found


def read_settings_again() -> None:
    """Reload the settings of Django and its applications from the environment."""
    import importlib

    from django.apps import apps
    from django.conf import Settings, settings
    from django.core.cache import caches
    from django.db import connections
    from django.utils.log import configure_logging
    from oauth2_provider.settings import oauth2_settings

    import workspace.settings

    importlib.reload(workspace.settings)
    settings._wrapped = Settings("workspace.settings")
    for handler in (connections, caches):
        handler.__init__()  # type: ignore[misc]
        handler.__dict__.pop("settings", None)
    oauth2_settings.reload()
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
    apps.get_app_config("storage").ready()  # sets up the bucket, if there is one


def import_programs() -> None:
    """Import the programs' modules, and build everything that a server builds before it listens."""
    import importlib
    import pkgutil

    os.environ["DJANGO_SETTINGS_MODULE"] = "workspace.settings"
    import django

    django.setup()
    from workspace.interfaces import admin_cli
    from workspace.interfaces.warmup import warm_up

    for name in [module.name for module in pkgutil.walk_packages(admin_cli.__path__, admin_cli.__name__ + ".")]:
        if ".tests" not in name and not name.endswith("__main__"):
            importlib.import_module(name)
    for name in ("workspace.asgi", "workspace.interfaces.tool_catalog", "workspace.interfaces.mcp.application", "svc"):
        importlib.import_module(name)
    warm_up()


def main(listening: socket.socket) -> list[str]:
    import gc

    gc.disable()
    import_programs()
    gc.collect()
    gc.freeze()
    gc.enable()
    return serve(listening)


def run_to_its_end(module: str) -> None:
    """Run `module`, and exit without a full cleanup.

    Cleaning up the fork server's imports would take longer than most commands. If the module ends with an exception or
    a signal, Python handles it as usual.
    """
    import runpy
    import threading

    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        code = end.code or 0
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.argv = main(socket.socket(fileno=int(sys.argv[1])))
    run_to_its_end(sys.argv[0])
