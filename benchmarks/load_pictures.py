"""The effect of hostile pictures and drawings: the memory of all processes, and the waiting times of other requests.

    python benchmarks/load_pictures.py

Goals: all processes together below 450 MB, and every other request below 500 ms. It takes about half a minute.
"""

from __future__ import annotations

import http.client
import io
import os
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))
from table import Row, markdown

from workspace.testing.service import Service

MEGABYTES, SECONDS = 450.0, 0.5
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def encoded(form: str, mode: str, size: tuple[int, int], **options: Any) -> bytes:
    out = io.BytesIO()
    color = (10, 120, 90, 200)[: len(mode)] if len(mode) > 2 and mode.isalpha() else 120
    Image.new(mode, size, color).save(out, form, **options)
    return out.getvalue()


def hostile() -> list[bytes]:
    """Return twenty pictures of a few hundred kB. Decoded, each is as large as its format allows, or larger."""
    frames = [Image.new("RGB", (4000, 3000), (number * 20, 0, 0)) for number in range(5)]
    kinds = [
        encoded("PNG", "RGB", (8000, 5000)),
        encoded("JPEG", "RGB", (8000, 5000), quality=20),
        encoded("PNG", "RGBA", (6000, 4000)),
        encoded("PNG", "RGBA", (4898, 4898)),
        encoded("PNG", "P", (6000, 4000)),
        encoded("PNG", "I;16", (6000, 4000)),
        encoded("JPEG", "RGB", (6000, 4000), progressive=True, subsampling=0),
        encoded("JPEG", "CMYK", (6000, 4000), quality=20),
        encoded("WEBP", "RGBA", (4000, 3000), lossless=True, method=0),
        encoded("WEBP", "RGB", (4000, 3000), lossless=True, method=0, save_all=True, append_images=frames),
    ]
    return kinds * 2


def noisy(size: tuple[int, int]) -> bytes:
    """Return a photo like those that phones take."""
    out = io.BytesIO()
    grain = Image.effect_noise((size[0] // 4, size[1] // 4), 60).convert("RGB").resize(size)
    grain.save(out, "JPEG", quality=85)
    return out.getvalue()


def fetch(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request(method, path, body, {"User-Agent": PHONE, **headers})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def send(port: int, key: str, picture: bytes) -> int:
    line = uuid.uuid4().hex
    head = f'--{line}\r\nContent-Disposition: form-data; name="file"; filename="p"\r\n\r\n'.encode()
    body = head + picture + f"\r\n--{line}--\r\n".encode()
    kind = f"multipart/form-data; boundary={line}"
    return fetch(port, "POST", "/api/v1/upload", body, Authorization=f"Bearer {key}", **{"Content-Type": kind})


def resident(process: int) -> int:
    """Return the bytes of the process and all its descendants. Shared pages count for each."""
    children: dict[int, list[int]] = {}
    sizes: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                sizes[int(folder.name)] = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(folder.name))
    total, todo = 0, [process]
    while todo:
        one = todo.pop()
        total += sizes.get(one, 0)
        todo += children.get(one, [])
    return total


@contextmanager
def watched(service: Service, scan: str) -> Iterator[dict[str, list[float]]]:
    """Sample the memory in MB, and the seconds that other requests take."""
    assert service.process is not None
    seen: dict[str, list[float]] = {"memory": [], "/healthz": [], "a scan": []}
    process, done = service.process.pid, threading.Event()

    def request_picture(name: str, path: str) -> None:
        while not done.wait(0.03):
            began = time.perf_counter()
            fetch(service.port, "GET", path)
            seen[name].append(time.perf_counter() - began)

    def weigh() -> None:
        while not done.wait(0.02):
            seen["memory"].append(resident(process) / 1024 / 1024)

    threads = [threading.Thread(target=request_picture, args=("/healthz", "/healthz"))]
    threads += [threading.Thread(target=request_picture, args=("a scan", scan)), threading.Thread(target=weigh)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    yield seen
    time.sleep(0.5)
    done.set()
    for thread in threads:
        thread.join()


def _load(service: Service, scan: str, title: str, calls: list[Callable[[], int]]) -> Row:
    began = time.perf_counter()
    with watched(service, scan) as seen, ThreadPoolExecutor(len(calls)) as together:
        statuses = Counter(each.result() for each in [together.submit(call) for call in calls])
    memory, others = max(seen["memory"]), {name: max(seen[name]) for name in ("/healthz", "a scan")}
    waits = ", ".join(f"{name} waited {seconds * 1000:.0f} ms" for name, seconds in others.items())
    took = time.perf_counter() - began
    met = ", ".join(f"{count} of {status}" for status, count in sorted(statuses.items()))
    nearest = min(MEGABYTES / memory, SECONDS / max(others.values()))
    return Row(title, f"{memory:.0f} MB", f"{MEGABYTES:.0f} MB", nearest, 1, f"{waits}; {met}, in {took:.0f} s")


def measure() -> list[Row]:
    """Return the measurements. The ratio is that of memory or of waiting times, whichever is closer to its limit."""
    pictures, photo = hostile(), noisy((4608, 3456))
    service = Service()
    service.operate("migrate")
    key = service.account()["api_key"]
    service.start()
    try:
        codes = [
            service.api(key, "svc_qr_create", name=f"Code {number}", target_url="https://example.com")
            for number in range(25)
        ]
        paths = [urlsplit(code["public_url"]).path for code in codes]
        for code in codes[1:]:
            service.api(key, "svc_qr_edit", id=code["id"], preset="ocean")
        port, scan = service.port, paths[0]
        fetch(port, "GET", scan)  # the first request fills caches for the later ones
        drawn = [lambda path=path: fetch(port, "GET", f"{path}.png?size=4096") for path in paths[1:]]
        sent = [lambda picture=picture: send(port, key, picture) for picture in pictures]
        loads: dict[str, list[Callable[[], int]]] = {
            "nothing else": [lambda: fetch(port, "GET", "/healthz")],
            "24 codes of 4096 pixels": drawn,
            "6 photos of 16 megapixels": [lambda: send(port, key, photo)] * 6,
            "20 hostile pictures": sent,
            "nothing else, after it": [lambda: fetch(port, "GET", "/healthz")],
        }
        return [_load(service, scan, title, calls) for title, calls in loads.items()]
    finally:
        service.stop()


if __name__ == "__main__":
    print(markdown(measure()))
