"""The cached catalog: a bundled snapshot, and a copy per service that is refreshed in the background."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from svc.app_folders import cache_folder, write_private
from svc.catalog import Catalog

MAX_AGE_SECONDS = 3600.0
RETRY_DELAY_SECONDS = 600.0
SNAPSHOT_PATH = Path(__file__).with_name("catalog.json")


class CatalogCache:
    """The catalog of a service."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        name = hashlib.sha256(base_url.encode()).hexdigest()[:16]
        self._path = cache_folder() / f"catalogue-{name}.json"
        self._attempt_path = self._path.with_suffix(".attempt")

    def load_catalog(self) -> Catalog:
        """Return the catalog without a request: the cached copy, or else the snapshot."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            return Catalog(self._load_cached()["tools"])
        try:
            return Catalog(json.loads(SNAPSHOT_PATH.read_bytes())["tools"])
        except (OSError, ValueError, TypeError, KeyError):
            return Catalog([])

    def fetch_catalog(self, timeout: float = 10) -> Catalog:
        """Fetch the catalog from the service and store it. Raise CliError if that fails."""
        from svc.client import parse_result
        from svc.connection import Connection
        from svc.errors import NetworkError

        known: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError, TypeError):
            known = self._load_cached()
        headers = {"If-None-Match": known["etag"]} if known.get("etag") else {}
        connection = Connection(self.base_url, timeout=timeout)
        try:
            answer = connection.request("GET", "/api/v1/tools", headers=headers)
        finally:
            connection.close()
        if answer.status == 304 and known.get("tools"):
            with contextlib.suppress(OSError):
                os.utime(self._path)
            return Catalog(known["tools"])
        data = parse_result(answer).data
        try:
            catalogue = Catalog(data["tools"])
        except (KeyError, TypeError, ValueError) as problem:
            raise NetworkError(f"{self.base_url} returned a list of tools that this version cannot read.") from problem
        etag = answer.headers.get("ETag")
        kept = {"base_url": self.base_url, "etag": etag, "tools": catalogue.entries}
        # In a read-only home directory, only the cache is missing.
        with contextlib.suppress(OSError):
            write_private(self._path, json.dumps(kept))
        return catalogue

    def refresh_in_background(self) -> None:
        """Start a detached process that fetches the catalog if the copy is old, at most once every ten minutes."""
        if _file_age(self._path) < MAX_AGE_SECONDS or _file_age(self._attempt_path) < RETRY_DELAY_SECONDS:
            return
        try:
            write_private(self._attempt_path, "")
        except OSError:
            return
        import subprocess

        # With -P, a folder called svc in the current directory is not imported. The URL is passed in the environment,
        # because other users of the machine can read a process's arguments.
        with contextlib.suppress(OSError):
            subprocess.Popen(
                [sys.executable, "-P", "-m", "svc.catalog_refresh"],
                env={**os.environ, "SVC_BASE_URL": self.base_url},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def _load_cached(self) -> dict[str, Any]:
        known = json.loads(self._path.read_bytes())
        if not isinstance(known, dict) or known.get("base_url") != self.base_url:
            raise ValueError("another service's catalog")
        return known


def _file_age(path: Path) -> float:
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return float("inf")
    return age if age >= 0 else float("inf")
