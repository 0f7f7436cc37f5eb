"""A PostgreSQL server in a temporary folder, which is removed afterwards."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path


def programs() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`, or None if PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
        Path(path) for path in [shutil.which("initdb")] if path
    ]
    return found[-1].parent if found else None


class Cluster:
    """A PostgreSQL cluster, used as a context manager.

    `url` is the URL of its database `postgres`. If this process runs as root, which initdb rejects, the cluster runs as
    the user postgres. `durable` means that commits wait for the disk, as everywhere except in tests. `standby_of` is
    the cluster that this one replicates.
    """

    def __init__(self, programs: Path, *, durable: bool = False, standby_of: Cluster | None = None) -> None:
        self._durable = durable
        self._programs, self._first = programs, standby_of
        self._folder = Path(tempfile.mkdtemp(prefix="workspace-postgresql-"))
        root = getpass.getuser() == "root"
        self._as_user = ["runuser", "-u", "postgres", "--"] if root else []
        if root:
            shutil.chown(self._folder, "postgres")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.url = f"postgresql://workspace@127.0.0.1:{self._port}/postgres"

    def __enter__(self) -> Cluster:
        cluster = self._folder / "cluster"
        if self._first is None:
            self._run("initdb", "-D", cluster, "-U", "workspace", "-A", "trust", "-E", "UTF8")
        else:
            # the primary identifies it by this name
            link = f"host=127.0.0.1 port={self._first._port} user=workspace application_name={self.name}"
            self._run("pg_basebackup", "-d", link, "-D", cluster, "-R", "-c", "fast")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop("immediate", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        options = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._folder}"
        options += " -c max_connections=200"
        if not self._durable:
            options += " -c fsync=off -c full_page_writes=off"
        self._control("-o", options, "-l", self._folder / "log", "start")

    def stop(self, mode: str = "fast", *, check: bool = True) -> None:
        """Stop the server. `mode` is fast, as in a restart by an administrator, or immediate, as in a crash."""
        self._control("-m", mode, "stop", check=check)

    @property
    def name(self) -> str:
        return f"at{self._port}"

    def wait_for(self, standby: Cluster) -> None:
        """Acknowledge commits only after the standby has them."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{standby.name}'")
            connection.execute("SELECT pg_reload_conf()")
            asked = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            while connection.execute(asked).fetchone() != (1,):
                time.sleep(0.05)

    def promote(self) -> None:
        """Promote the standby."""
        self._control("promote")

    def freeze(self) -> None:
        """Freeze the server as if its machine were hanging: connections stay open, and nothing answers."""
        first = int((self._folder / "cluster" / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        self._frozen = [first, *map(int, children)]
        for process in self._frozen:
            os.kill(process, signal.SIGSTOP)

    def thaw(self) -> None:
        for process in self._frozen:
            os.kill(process, signal.SIGCONT)

    def _control(self, *words: object, check: bool = True) -> None:
        self._run("pg_ctl", "-D", self._folder / "cluster", "-w", *words, check=check)

    def _run(self, program: str, *words: object, check: bool = True) -> None:
        command = [*self._as_user, str(self._programs / program), *map(str, words)]
        subprocess.run(command, check=check, stdout=subprocess.DEVNULL, cwd=self._folder)
