"""The cost of a standby that must confirm each commit.

It measures milliseconds per commit and per write through the API, and scans per second, for each level of confirmation.

    python benchmarks/standby.py [SECONDS]

Both PostgreSQL servers run on this machine, on one disk, with fsync. A real standby adds the network round trip.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from table import Row, markdown

from workspace.testing.postgresql_server import Cluster, programs
from workspace.testing.service import Service

CONNECTIONS, CODES, WRITES, ROUNDS = 16, 200, 40, 5
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
WAYS = {
    "not waited for": "local",
    "it has the commit in memory": "remote_write",
    "it has it on disk (`on`)": "on",
    "it shows it to readers": "remote_apply",
}


def commits(url: str) -> dict[str, float]:
    """Return the milliseconds per commit of one row, by setting.

    Settings take turns, and each value is the slowest of the fastest quarter.
    """
    times: dict[str, list[float]] = {setting: [] for setting in WAYS.values()}
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE committed (at timestamptz DEFAULT now())")
        for _ in range(ROUNDS):
            for setting, taken in times.items():
                connection.execute(f"SET synchronous_commit = {setting}")
                for _ in range(WRITES):
                    began = time.perf_counter()
                    connection.execute("INSERT INTO committed DEFAULT VALUES")
                    taken.append(time.perf_counter() - began)
    return {setting: statistics.quantiles(taken, n=4)[0] * 1000 for setting, taken in times.items()}


def scans(service: Service, paths: list[str], seconds: float) -> float:
    """Return the scans per second."""
    lines = (f"Host: 127.0.0.1:{service.port}", f"User-Agent: {PHONE}", "", "")
    file = service.folder / "requests"
    file.write_text(json.dumps(["\r\n".join([f"GET {path} HTTP/1.1", *lines]) for path in paths]))
    command = [sys.executable, str(HERE / "load.py"), str(service.port), str(CONNECTIONS), str(seconds), str(file)]
    return float(json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["rate"])


def write(service: Service, key: str) -> float:
    """Return the median milliseconds of a write."""
    times = []
    for number in range(WRITES):
        began = time.perf_counter()
        service.api(key, "svc_qr_create", name=f"Written {number}", target_url="https://example.com")
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def measure(seconds: float = 3.0) -> list[Row]:
    """Return rows that compare waiting for a standby with not waiting, or none without PostgreSQL."""
    found = programs()
    if found is None:
        return []
    with Cluster(found, durable=True) as first, Cluster(found, standby_of=first, durable=True) as standby:
        first.wait_for(standby)
        with psycopg.connect(first.url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE service")
        committed = commits(first.url)
        service = Service(
            WORKSPACE_DATABASE_URL=first.url.replace("/postgres", "/service"), WORKSPACE_BACKGROUND_WORKER="off"
        )
        service.operate("migrate")
        key = service.account("owner@example.com", "--plan", "qr=pro")["api_key"]
        service.start()
        try:
            codes = [
                service.api(key, "svc_qr_create", name=str(n), target_url="https://a.example") for n in range(CODES)
            ]
            paths = [urlsplit(code["public_url"]).path for code in codes]
            rows, alone = [], (0.0, 0.0)
            for what, setting in WAYS.items():
                with psycopg.connect(first.url, autocommit=True) as connection:
                    connection.execute(f"ALTER SYSTEM SET synchronous_commit = {setting}")
                    connection.execute("SELECT pg_reload_conf()")
                scans(service, paths, 1.0)  # so that connections load the setting
                written, scanned = write(service, key), scans(service, paths, seconds)
                if not rows:
                    alone = written, scanned
                note = f"a commit {committed[setting]:.2f} ms"
                rows += [
                    Row(f"a write; {what}", f"{written:.1f} ms", f"{alone[0]:.1f} ms", alone[0] / written, note=note),
                    Row(f"scans; {what}", f"{scanned:.0f}/s", f"{alone[1]:.0f}/s", scanned / alone[1]),
                ]
            return rows
        finally:
            service.stop()
            shutil.rmtree(service.folder, ignore_errors=True)


if __name__ == "__main__":
    print(markdown(measure(*map(float, sys.argv[1:2]))))
