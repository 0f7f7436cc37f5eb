"""More pictures at once than can be processed.

Every interface reports that and preserves the input, and no thread waits in vain.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from workspace.accounts.models import Account
from workspace.lib.subprocess_worker.pool import SubprocessPool
from workspace.qr_symbols.render_pool import render_pool
from workspace.storage.files import images
from workspace.testing.api import Api
from workspace.testing.reviews_guest import open_page, photo, send

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (30, 30), "teal").save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def crowd() -> Iterator[None]:
    """Occupy every slot of the image pools."""
    with ExitStack() as stack:
        for queue in (images.image_pool, render_pool):
            for _ in range(queue.slot_count):
                stack.enter_context(queue.reserve_slot())
        yield


@pytest.mark.parametrize("threads", [4, 12, 40])
def test_waiting_requests_leave_a_third_of_the_threads_to_others(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SubprocessPool, "threads", threads)
    assert 2 <= images.image_pool.slot_count + render_pool.slot_count <= threads * 2 / 3


def refused(response: Any) -> None:
    body = response.json()
    assert (response.status_code, body["error"], response["Retry-After"]) == (503, "busy", str(body["retryAfter"]))
    assert "Try again" in body["message"] and body["request_id"]


@pytest.mark.usefixtures("crowd")
def test_an_upload_and_a_tool_are_refused_in_the_contracts_format(api: Api) -> None:
    refused(api.client.post("/api/v1/upload", {"file": SimpleUploadedFile("a.png", picture())}))
    call = {"name": "svc_upload_file", "arguments": {"content": base64.b64encode(picture()).decode()}}
    refused(api.client.post("/api/v1/call", call, content_type="application/json"))
    assert not api.account.uploads.exists()


@pytest.mark.usefixtures("crowd")
def test_a_guests_review_form_preserves_the_input(account: Account) -> None:
    page = open_page(account)
    answer = send(page, photo=photo(), text="The very best cake")
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert "The very best cake" in answer.content.decode()
    assert "Too many photos are being uploaded right now" in answer.content.decode()
    assert not page.testimonials.exists()
    assert send(page, text="The very best cake").status_code == 303, "without a photo it is taken at once"


@pytest.mark.usefixtures("crowd")
def test_an_owners_form_preserves_the_input(api: Api) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    given = {"restaurant_name": "Trattoria Sole", "logo": SimpleUploadedFile("a.png", picture())}
    answer = owner.post("/app/menu/new", given)
    assert answer.status_code in (422, 503)
    assert "Trattoria Sole" in answer.content.decode() and "Try again in a few seconds" in answer.content.decode()


@pytest.mark.usefixtures("crowd")
def test_a_poster_and_a_large_picture_of_a_code_report_that_the_service_is_busy(api: Api) -> None:
    code = api.run("svc_qr_create", name="Poster", target_url="https://example.com")
    owner = Client()
    owner.force_login(api.account.owner)
    share = f"/app/qr/{code['id']}/share"
    poster = owner.get(
        f"/files/qr/print?thing={code['id']}&kind=poster", headers={"referer": f"http://testserver{share}"}
    )
    assert (poster.status_code, poster["Location"]) == (303, share)
    assert "Try again in a few seconds" in owner.get(poster["Location"]).content.decode()
    assert Client().get(f"/q/{code['slug']}.png").status_code == 503
    assert Client().get(f"/q/{code['slug']}.svg").status_code == 200
