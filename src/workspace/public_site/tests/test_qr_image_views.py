"""QR code images are rendered once, few at a time, and limited for each guest."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from workspace.lib.subprocess_worker.pool import SubprocessLimits
from workspace.public_site import qr_image_views
from workspace.qr_symbols.render_pool import render_pool
from workspace.rate_limits.table import get_limit
from workspace.testing.code_readers import read_with_zxing, to_gray_pixels
from workspace.testing.rate_limits import set_limit

pytestmark = pytest.mark.django_db

TEXT = "HTTPS://EXAMPLE.COM/Q/OWNCODE"


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    qr_image_views._svgs.clear()
    qr_image_views._pngs.clear()


def request_image(
    form: str = "png", *, method: str = "GET", text: str = TEXT, address: str = "192.0.2.7", **query: Any
) -> HttpResponse:
    request = RequestFactory().generic(method, "/q/code", query_params=query)
    request.client_address = address  # type: ignore[attr-defined]
    return qr_image_views.render_image(request, text, form, etag="code-1", file_name="code", title="A code")


def occupied() -> ExitStack:
    stack = ExitStack()
    for _ in range(render_pool.slot_count):
        stack.enter_context(render_pool.reserve_slot())
    return stack


def test_an_image_is_rendered_once_and_served_from_the_cache_under_load() -> None:
    first = request_image(size=2048)
    assert read_with_zxing(to_gray_pixels(first.content)) == [TEXT]
    with occupied():
        again, other, scalable = request_image(size=2048), request_image(size=1024), request_image("svg")
    assert (again.status_code, again.content) == (200, first.content)
    assert (other.status_code, other["Retry-After"], other["Cache-Control"]) == (503, "3", "no-store")
    assert "ETag" not in other and b"Try again in a few seconds" in other.content
    assert scalable.status_code == 200


def test_a_head_request_renders_nothing() -> None:
    with occupied():
        head = request_image(method="HEAD")
    assert (head.status_code, head["Content-Type"], head.content) == (200, "image/png", b"")
    assert head["ETag"] == request_image()["ETag"]


def test_large_images_for_one_guest_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "large-qr-image", 2)
    texts = [f"{TEXT}{number}" for number in range(3)]
    answers = [request_image(text=text, size=1536) for text in texts]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2]["Retry-After"] == str(get_limit("large-qr-image").window)
    assert request_image(text=texts[0], size=1536).status_code == 200, "what is kept costs nothing"
    assert request_image(text=texts[2], size=512).status_code == 200
    assert request_image(text=texts[2], size=1536, address="198.51.100.7").status_code == 200


def test_a_killed_subprocess_returns_service_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_pool, "_limits", SubprocessLimits(megabytes=8, seconds=5))
    answer = request_image(size=4096)
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert b"Use the SVG" in answer.content
