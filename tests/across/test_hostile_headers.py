"""Hostile headers must not keep the server busy: parsing all of these together takes little time."""

from __future__ import annotations

import http.client
import shutil
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from workspace.testing.service import Service

pytestmark = pytest.mark.any_database


SHAPES = [  # a start, and a part that is repeated up to a length
    ("Cookie", 'a="', "\\"),
    ("Cookie", 'a="', "\\1"),
    ("Cookie", 'a="', '\\"'),
    ("Cookie", "", ";"),
    ("Cookie", "", "a=b;"),
    ("Content-Type", "text/html", ";"),
    ("Content-Type", 'multipart/form-data; boundary="', '";"'),
    ("Accept", "text/html", ";"),
    ("Accept", "", "a/b;q=0.1,"),
    ("Accept-Encoding", "", "gzip;q=0.1,"),
    ("Accept-Language", "", "a-"),
    ("If-None-Match", "", '"a",'),
    ("If-Modified-Since", "", "Mon, "),
    ("Range", "bytes=", "0-1,"),
    ("Authorization", "Bearer ", "a"),
    ("Authorization", "Basic ", "a"),
    ("Origin", "https://", "a."),
    ("Referer", "https://", "a."),
    ("Referer", "https://[", "1:"),
    ("X-Forwarded-For", "", "10.0.0.1,"),
    ("X-Forwarded-For", "", ","),
    ("User-Agent", "Mozilla/5.0 ", "redb"),
    ("Sec-Purpose", "", "pre"),
]
LENGTHS = (8_000, 60_000)
PATHS = ["/{code}", "/sign-in/", "/api/v1/qr/list", "/mcp", "/static/public/page.css", "/nowhere"]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """Run a service behind a trusted proxy, so that forwarding headers are read."""
    running = Service(WORKSPACE_TRUSTED_PROXIES="127.0.0.0/8, 10.0.0.0/8")
    running.migrate()
    running.start()
    try:
        yield running
    finally:
        running.stop()
        shutil.rmtree(running.folder, ignore_errors=True)


def request_status(service: Service, path: str, name: str, value: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    try:
        connection.request("GET", path, headers={name: value})
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def test_no_header_keeps_the_service_busy(service: Service) -> None:
    made: dict[str, Any] = service.api(
        service.account()["api_key"], "svc_qr_create", name="Poster", target_url="example.com"
    )
    paths = [path.format(code=made["public_url"].split("/", 3)[3]) for path in PATHS]
    for path in paths:
        request_status(service, path, "Accept", "*/*")
    usual = seconds(
        lambda: [request_status(service, path, "Accept", "*/*") for path in paths * len(SHAPES) * len(LENGTHS)]
    )
    answers: dict[tuple[str, str, str, int], int] = {}

    def hurt() -> None:
        for path, (name, start, repeated), length in product(paths, SHAPES, LENGTHS):
            value = start + repeated * ((length - len(start) - 1) // len(repeated)) + ('"' if '"' in start else "")
            answers[path, name, repeated, length] = request_status(service, path, name, value)

    spent = seconds(hurt)
    assert {what: status for what, status in answers.items() if status >= 500} == {}
    assert {status for (path, *_), status in answers.items() if path == paths[0]} == {302}
    # 276 requests of each kind take a second or two; a single one of these cookies used to take nine
    assert spent < 10 * usual + 5


def seconds(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began
