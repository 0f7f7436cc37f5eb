"""Guests' traffic beside its floor: requests a second, processor time a request and waits, in one run.

    python benchmarks/traffic.py [scans] [pages] [SECONDS]

The floor (`floor.py`) is a raw ASGI application with raw `sqlite3` on the same server, with the same rows, bytes and
durability. Ratios are floor ÷ ours for the processor, ours ÷ floor for requests a second: the larger, the better.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tests.service import Service, free_port

CODES, ROUNDS = 200, 3
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A process that answers at a port, and what it has cost so far."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process, self.port = process, port

    @property
    def cpu(self) -> float:
        """Seconds of the processor, user and system, of the process and its children."""
        return sum(_spent(pid) for pid in _family(self.process.pid))

    def load(self, requests: list[str], connections: int, seconds: float, folder: Path) -> dict[str, Any]:
        file = folder / "requests"
        file.write_text(json.dumps(requests))
        before = self.cpu
        command = [sys.executable, str(HERE / "load.py"), str(self.port), str(connections), str(seconds), str(file)]
        told: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        told["cpu"] = (self.cpu - before) / told["requests"] * 1000
        return told


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *[one for child in children for one in _family(int(child))]]


def _spent(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def request(port: int, path: str, *lines: str) -> str:
    head = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"User-Agent: {PHONE}", "Accept-Language: en", *lines]
    return "\r\n".join([*head, "", ""])


def floor_of(service: Service, pages: list[str]) -> Server:
    """The floor on a copy of the service's file, with the pages as the service has just answered them."""
    copy = service.folder / "floor.sqlite3"
    shutil.copy(service.folder / "workspace.sqlite3", copy)
    for path in pages:
        with urllib.request.urlopen(
            urllib.request.Request(service.url + path, headers={"User-Agent": "curl/8"})
        ) as got:
            head = "\r\n".join(["HTTP/1.1 200 OK", *[f"{name}: {value}" for name, value in got.headers.items()]])
            Path(str(copy) + path.replace("/", "-")).write_bytes(f"{head}\r\n\r\n".encode() + got.read())
    port = free_port()
    command = [sys.executable, "-m", "workspace.interfaces.http", "floor:application", "--factory", "--port", str(port)]
    environment = {**service.env, "FLOOR_FILE": str(copy), "PYTHONPATH": f"{HERE}{os.pathsep}{HERE.parent / 'src'}"}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, cwd=HERE)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{pages[0]}").close()
            break
        except OSError:
            time.sleep(0.05)
    return Server(process, port)


def compare(
    what: str, ours: Server, floor: Server, paths: list[str], connections: int, seconds: float, *lines: str
) -> None:
    got: dict[str, list[dict[str, Any]]] = {"ours": [], "floor": []}
    folder = Path(os.environ.get("TMPDIR", "/tmp"))
    for number in range(ROUNDS + 1):
        for name, server in (("ours", ours), ("floor", floor)):
            requests = [request(server.port, path, *lines) for path in paths]
            told = server.load(requests, connections, seconds if number else 0.5, folder)
            if number:  # the first one warms up
                got[name].append(told)
    middle = {
        name: {key: sorted(one[key] for one in told)[len(told) // 2] for key in ("rate", "cpu", "p50", "p99")}
        for name, told in got.items()
    }
    mine, least = middle["ours"], middle["floor"]
    statuses = {status: count for one in got["ours"] for status, count in one["statuses"].items()}
    print(
        f"{what:28} {mine['rate']:7.0f}/s of {least['rate']:7.0f} = {mine['rate'] / least['rate']:5.2f}   "
        f"cpu {mine['cpu']:6.3f} ms, floor {least['cpu']:6.3f} = {least['cpu'] / mine['cpu']:5.2f}   "
        f"p99 {mine['p99']:6.1f} ms, floor {least['p99']:6.1f}   {statuses}",
        flush=True,
    )


def main(chosen: list[str]) -> int:
    seconds = next((float(word) for word in chosen if word.replace(".", "").isdigit()), 3.0)
    parts = {word for word in chosen if word.isalpha()} or {"scans", "pages"}
    service = Service()
    service.operate("migrate")
    service.start()
    key = service.account("owner@example.com", "--plan", "qr=pro")["api_key"]
    slugs = [
        service.api(key, "svc_qr_create", name=f"Code {number}", target_url="https://example.com/menu?table=7")
        for number in range(CODES)
    ]
    scans = ["/q/" + (one.get("public_url") or one["short_url"]).rpartition("/")[2] for one in slugs]
    card = service.api(key, "svc_card_create", full_name="Olive Owner", email="olive@example.com", phone="+43 1 234567")
    page = "/c/" + card["public_url"].rpartition("/")[2]
    etag = urllib.request.urlopen(service.url + page).headers["ETag"]
    assert service.process is not None
    ours, floor = Server(service.process, service.port), floor_of(service, [page])
    try:
        if "scans" in parts:
            for connections in (64, 16, 1):
                compare(f"scans, {connections} connections", ours, floor, scans, connections, seconds)
        if "pages" in parts:
            for connections in (16, 1):
                compare(f"page, {connections} connections", ours, floor, [page], connections, seconds)
            compare("page unchanged (304)", ours, floor, [page], 16, seconds, f"If-None-Match: {etag}")
    finally:
        floor.process.terminate()
        floor.process.wait(20)
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
