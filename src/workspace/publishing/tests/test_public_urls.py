"""URLs of this instance are recognized in any notation, and no others are."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from workspace.publishing.public_urls import CLICK_PATH, SCAN_PATH, is_own_url, parse_own_path


@pytest.mark.parametrize(
    ("base", "url", "path"),
    [
        ("https://codes.example", "https://codes.example/q/abc", "/q/abc"),
        ("https://codes.example", "https://CODES.example:443/q/abc", "/q/abc"),
        ("https://codes.example:443", "https://codes.example/q/abc", "/q/abc"),
        ("http://codes.example", "http://codes.example:80/q/abc", "/q/abc"),
        ("https://codes.example", "https://codes.example", "/"),
        ("https://codes.example", "https://codes.example/l/..//q/%2561bc?test=1", "/q/abc"),
        ("http://localhost:8000", "http://127.0.0.1:8000/q/abc", "/q/abc"),
        ("http://localhost:8000", "http://127.0.0.1:8001/q/abc", None),
        ("https://codes.example", "https://codes.example:8443/q/abc", None),
        ("https://codes.example", "http://codes.example:8080/q/abc", None),
        ("https://codes.example", "https://127.0.0.1/q/abc", None),
        ("https://codes.example", "https://other.example/q/abc", None),
        ("https://codes.example", "https://codes.example:99999/q/abc", None),
        ("https://codes.example", "https://[codes.example/q/abc", None),
    ],
)
def test_path_is_returned_for_own_urls_only(base: str, url: str, path: str | None, settings: Settings) -> None:
    settings.BASE_URL = base
    assert parse_own_path(url) == path


@pytest.mark.parametrize(
    ("path", "scan", "click"),
    [
        ("/q/abc", True, False),
        ("/Q/abc", True, False),
        ("/q", True, False),
        ("/quiz", False, False),
        ("/l/corner/lnk_1", False, True),
        ("/l/corner", False, False),
        ("/m/corner", False, False),
    ],
)
def test_urls_that_could_loop_are_recognized(path: str, scan: bool, click: bool, settings: Settings) -> None:
    settings.BASE_URL = "https://codes.example"
    url = f"https://codes.example{path}"
    assert (is_own_url(url, SCAN_PATH), is_own_url(url, CLICK_PATH), is_own_url(url, SCAN_PATH, CLICK_PATH)) == (
        scan,
        click,
        scan or click,
    )
