"""The effect of one hostile machine on the requests per second of other guests.

    python benchmarks/hostile_load.py [SECONDS]

Sixteen guests on different machines scan codes and open a page. Goal: an attack at most halves their requests.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from table import Row, markdown

from workspace.testing.service import Service

PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
GUESTS, GOAL = 16, 0.5


def request(path: str, address: str, agent: str = PHONE, form: dict[str, str] | None = None) -> str:
    body = urlencode(form) if form else ""
    head = [
        f"{'POST' if form else 'GET'} {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"User-Agent: {agent}",
        f"X-Forwarded-For: {address}",
        *(["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"] if form else []),
    ]
    return "\r\n".join([*head, "", body])


def picture(path: str, address: str, size: int) -> str:
    """Return a form with a file of that many bytes that is not a picture."""
    part = 'Content-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg'
    body = f"--x\r\n{part}\r\n\r\n{'x' * size}\r\n--x--\r\n"
    head, _, _ = request(path, address).partition("\r\n\r\n")
    lines = ["Content-Type: multipart/form-data; boundary=x", f"Content-Length: {len(body)}", "", body]
    return "\r\n".join([head.replace("GET", "POST", 1).rstrip(), *lines])


class Loads:
    """Load processes, each with a file of requests."""

    def __init__(self, port: int) -> None:
        self.port, self.folder = port, Path(tempfile.mkdtemp())

    def start(self, name: str, requests: list[str], connections: int, seconds: float) -> subprocess.Popen[bytes]:
        file = self.folder / name
        file.write_text(json.dumps(requests))
        command = [sys.executable, str(HERE / "load.py"), str(self.port), str(connections), str(seconds), str(file)]
        return subprocess.Popen(command, stdout=subprocess.PIPE)


def load_result(load: subprocess.Popen[bytes]) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(load.communicate()[0])
    return result


def measure(seconds: float = 4.0, attacked: int | None = None) -> list[Row]:
    """Return the effects of that many attacks, or of all by default."""
    service = Service(WORKSPACE_TRUSTED_PROXIES="127.0.0.1")
    service.migrate().start()
    key = service.account()["api_key"]
    codes = [service.api(key, "svc_qr_create", name=str(n), target_url="https://example.com/") for n in range(8)]
    locked = service.api(key, "svc_qr_create", name="Locked", target_url="https://example.com/")
    service.api(key, "svc_qr_edit", id=locked["id"], password="a long password")
    card = service.api(key, "svc_card_create", full_name="Olive Owner", email="olive@example.com")
    scans = [one["public_url"].rpartition("/")[2] for one in codes]
    page, shut = "/c/" + card["public_url"].rpartition("/")[2], "/q/" + locked["public_url"].rpartition("/")[2]
    reviews = service.api(key, "svc_reviews_create", title="How was it?")
    photos = "/r/" + reviews["public_url"].rpartition("/")[2]
    here, large = "198.51.100.7", {"name": "x" * 1_000_000}
    attacks = {
        "a page, 200 connections": ([request(page, here)], 200),
        "a page with a query, 200": ([request(f"{page}?{n}", here) for n in range(500)], 200),
        "scans by wild agents, 200": ([request(f"/q/{scans[0]}", here, f"Wild/{n} (x" * 9) for n in range(3000)], 200),
        "guessing a password, 8": ([request(shut, here, form={"password": str(n)}) for n in range(300)], 8),
        "a flood of forms, 50": ([request(f"{page}/exchange", here, form={"name": "x" * 80})], 50),
        "unknown addresses, 100": ([request(f"/q/none{n}", here) for n in range(500)], 100),
        "refused requests, 600": ([request(f"{page}?{n}", here) for n in range(500)], 600),
        "calls without a key, 50": ([request("/api/v1/call", here, form={"name": "svc_me"})], 50),
        "bodies of 1 MB to a form, 50": ([request(f"{page}/exchange", here, form=large)], 50),
        "bodies of 1 MB to a page for photos, 50": ([picture(photos, here, 1_000_000)], 50),
        "bodies of 1 MB to the API, 50": ([request("/api/v1/call", here, form=large)], 50),
    }
    loads = Loads(service.port)
    others = [
        request(path, f"203.0.113.{number}") for number in range(GUESTS) for path in (f"/q/{scans[number % 8]}", page)
    ]
    rows = []
    try:
        for name, (requests, connections) in list(attacks.items())[:attacked]:
            alone = load_result(loads.start("others", others, GUESTS, seconds))["rate"]
            attack = loads.start("attack", requests, connections, seconds + 2)
            time.sleep(1)
            beside = load_result(loads.start("others", others, GUESTS, seconds))
            met = ", ".join(f"{count} of {status}" for status, count in load_result(attack)["statuses"].items())
            note = f"p99 {beside['p99']:.0f} ms, the attack met {met}"
            ratio = beside["rate"] / alone
            rows.append(Row(name, f"{beside['rate']:.0f}/s", f"{alone:.0f}/s", ratio, GOAL, note))
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)
        shutil.rmtree(loads.folder, ignore_errors=True)
    return rows


if __name__ == "__main__":
    print(markdown(measure(*map(float, sys.argv[1:2]))))
