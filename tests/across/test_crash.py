"""The server is killed while many guests scan one code: no answered scan is lost."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from workspace.testing.service import Service, running_service

PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
PEOPLE = 16


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Run a service that this module kills."""
    with running_service() as running:
        yield running


def test_every_answered_scan_is_counted_after_a_kill(service: Service) -> None:
    key = service.account("crash@example.com")["api_key"]
    code = service.api(key, "svc_qr_create", name="Poster", target_url="https://example.com")
    path = urlsplit(code["public_url"]).path
    asked, answered = _Count(), _Count()
    done = threading.Event()

    def scan() -> None:
        while not done.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
            try:
                asked.add()
                connection.request("GET", path, headers={"User-Agent": PHONE})
                if connection.getresponse().status == 302:
                    answered.add()
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
            finally:
                connection.close()

    people = [threading.Thread(target=scan, daemon=True) for _ in range(PEOPLE)]
    for person in people:
        person.start()
    while answered.value < 300:
        time.sleep(0.01)
    service.kill()
    done.set()
    for person in people:
        person.join()
    service.start()
    total = service.api(key, "svc_qr_stats", id=code["id"])["total"]
    assert answered.value <= total <= asked.value


class _Count:
    def __init__(self) -> None:
        self.value, self._lock = 0, threading.Lock()

    def add(self) -> None:
        with self._lock:
            self.value += 1
