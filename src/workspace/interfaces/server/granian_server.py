"""Starting and stopping granian."""

import asyncio
import importlib
import multiprocessing
import os
import resource
import signal
import socket
import sys
import threading
from functools import partial, reduce
from multiprocessing import connection
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from workspace import logs
from workspace.interfaces.server.single_process import SingleProcessServer, limit_shutdown_time
from workspace.interfaces.server.socket_activation import find_inherited_socket, server_on_socket
from workspace.interfaces.server.worker_processes import MultiProcessServer, ignore_repeated_signals
from workspace.lib.garbage_collection import pause_garbage_collection

MAX_OPEN_FILES = 16_384


class PortInUseError(Exception):
    """Another program already listens on the address."""


def run_server(
    target: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    factory: bool = False,
    backlog: int = 1024,
    connections: int = 4096,
    header_seconds: int = 30,
    max_header_bytes: int = 65_536,
    drain_seconds: int = 20,
) -> None:
    """Serve the ASGI application `target` ("package.module:name") until SIGTERM or SIGINT.

    One worker runs in this process. Several workers are processes that import the target themselves and, with
    `factory`, call it. This process restarts a worker that ends. `connections` are per worker. A connection that is
    idle or sends no headers is closed after `header_seconds`. After a signal, no requests are accepted, and requests in
    progress have `drain_seconds` to finish. A socket inherited from the parent replaces host and port.

    Raise PortInUseError if the address is in use.
    """
    logs.configure()
    host = "127.0.0.1" if host == "localhost" else host
    check_port(host, port)
    _raise_file_limit()
    _close_database()
    kind = SingleProcessServer if workers == 1 else MultiProcessServer
    given = find_inherited_socket()
    server = (kind if given is None else server_on_socket(kind, given))(
        target,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        factory=factory,
        http=HTTPModes.http1,
        websockets=False,
        backlog=backlog,
        backpressure=connections,
        http1_settings=HTTP1Settings(
            header_read_timeout=header_seconds * 1000, max_buffer_size=max(max_header_bytes, 8192)
        ),
        # granian also warns about workers that "refused to stop" when they stopped in time
        log_level=LogLevels.error,
        log_dictconfig=logs.logging_settings(),
        log_access=False,
        respawn_failed_workers=True,
        workers_kill_timeout=drain_seconds,
    )
    server.serve(
        target_loader=partial(_load_application, factory=factory, drain_seconds=drain_seconds if workers == 1 else None)
    )


def _load_application(target: str, *, factory: bool, drain_seconds: int | None) -> Any:
    """Load the application in the worker's process."""
    logs.configure()
    ignore_repeated_signals(asyncio.get_event_loop())
    if drain_seconds is None:
        _exit_with_parent()
    else:
        limit_shutdown_time(drain_seconds)
    module, _, name = target.partition(":")
    with pause_garbage_collection(to_stay=True):
        found: Any = reduce(getattr, name.split("."), importlib.import_module(module))
        return found() if factory else found


def check_port(host: str, port: int) -> None:
    """Raise PortInUseError if another program listens on the address.

    Granian shares its port (SO_REUSEPORT). A second server would start silently, receive half of the requests, and
    write to the same SQLite database.
    """
    if find_inherited_socket() is not None:
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortInUseError(f"Cannot listen on {host}, port {port}: {error.strerror}.") from error


def _raise_file_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _close_database() -> None:
    """Close database connections before workers are forked.

    Neither a connection nor PostgreSQL's pool with its threads may exist in both processes.
    """
    if "django.db" not in sys.modules:
        return
    from django.db import connections  # noqa: PLC0415 - Django is set up only now

    for database in connections.all(initialized_only=True):
        database.close()
        if hasattr(database, "close_pool"):
            database.close_pool()


def _exit_with_parent() -> None:
    """Stop this worker, after draining, if its parent process is killed.

    Otherwise, it would continue to use the port.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="follow-parent", daemon=True).start()
