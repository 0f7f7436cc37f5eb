"""An S3 server (moto) on loopback in a separate process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from workspace.testing.ports import free_port

NAME = "of-a-business"
PATIENCE = 120  # seconds until a hang is assumed, also on a busy machine


class Storage:
    """An S3 server, used as a context manager.

    After `freeze`, it does not answer. After `thaw`, it has all its data again.
    """

    def __enter__(self) -> Storage:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command: list[str | Path] = [Path(sys.executable).parent / "moto_server", "-H", "127.0.0.1", "-p", str(port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(
                    urllib.request.Request(f"{self.url}/{NAME}", method="PUT"), timeout=PATIENCE
                ).close()
                return self
            except OSError:
                assert self._process.poll() is None
                assert time.monotonic() < ends
                time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def settings(self) -> dict[str, str]:
        return {
            "WORKSPACE_S3_BUCKET": f"{NAME}/tools",
            "WORKSPACE_S3_ENDPOINT": self.url,
            "WORKSPACE_S3_REGION": "us-east-1",
            "WORKSPACE_S3_KEY": "id",
            "WORKSPACE_S3_SECRET": "secret",
        }

    @property
    def options(self) -> dict[str, str]:
        """The options of `BucketStorage`."""
        return {name.removeprefix("WORKSPACE_S3_").lower(): value for name, value in self.settings.items()}

    def freeze(self) -> None:
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self._process.pid, signal.SIGCONT)

    def list_keys(self) -> set[str]:
        """Return the keys in the bucket, fetched without our client."""
        with urllib.request.urlopen(f"{self.url}/{NAME}?list-type=2", timeout=PATIENCE) as answer:
            return {part.partition("</Key>")[0] for part in answer.read().decode().split("<Key>")[1:]}
