"""Files of an account, uploaded by tool and by REST, and downloaded only by their owner."""

from __future__ import annotations

import base64
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from workspace.accounts.models import Upload, upload
from workspace.accounts.models.upload import FILE
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.storage.files import store
from workspace.testing.api import Api
from workspace.testing.pictures import picture

pytestmark = pytest.mark.django_db

TABLE = b"name,price\nSoup,6.50\n"


def send(api: Api, content: bytes = TABLE, name: str = "Menü.csv", **more: Any) -> dict[str, Any]:
    return api.run("svc_upload_file", content=base64.b64encode(content).decode(), name=name, **more)


def post(api: Api, content: bytes, name: str, **fields: str) -> Any:
    return api.client.post("/api/v1/upload", {"file": SimpleUploadedFile(name, content), **fields})


def test_a_file_is_returned_unchanged_as_a_sandboxed_attachment(api: Api) -> None:
    sent = send(api)
    assert (sent["kind"], sent["media_type"], sent["size"]) == ("file", "text/csv", len(TABLE))
    response = api.client.get(f"/files/{sent['upload_id']}")
    assert response.content == TABLE
    assert response["Content-Disposition"].startswith("attachment; filename*=utf-8''Men%C3%BC.csv")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response["Content-Security-Policy"] and "no-store" in response["Cache-Control"]


def test_an_html_file_is_served_as_plain_bytes(api: Api) -> None:
    sent = send(api, b"<!doctype html><script>alert(1)</script>", "page.html")
    response = api.client.get(f"/files/{sent['upload_id']}")
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"] == 'attachment; filename="page.html"'


def test_other_accounts_and_guests_cannot_download_a_file(api: Api, stranger: Api) -> None:
    id = send(api)["upload_id"]
    Upload.claim(api.account, id, "file", FILE)
    assert stranger.client.get(f"/files/{id}").status_code == 404
    assert Client().get(f"/files/{id}").status_code == 302
    for width in (96, 320, 480, 640, 960, 2000):
        assert Client().get(f"/pictures/{id}/{width}").status_code == 404
    signed_in = Client()
    signed_in.force_login(api.account.owner)
    assert signed_in.get(f"/files/{id}").content == TABLE


def test_a_picture_is_reencoded_and_is_not_a_file(api: Api) -> None:
    sent = api.run("svc_upload_file", content=picture(), name="logo.png")
    assert (sent["kind"], sent["width"]) == ("picture", 4)
    assert api.client.get(f"/files/{sent['upload_id']}").status_code == 404
    code = api.run("svc_qr_create", name="Menu", target_url="example.com")
    api.run("svc_qr_edit", id=code["id"], logo_id=sent["upload_id"])


def test_a_file_is_not_a_logo_and_a_picture_is_not_a_file(api: Api) -> None:
    id = send(api)["upload_id"]
    code = api.run("svc_qr_create", name="Menu", target_url="example.com")
    for more in ({}, {"preset": "soft"}):
        assert api.refuse("svc_qr_edit", id=code["id"], logo_id=id, **more)["issues"][0]["path"] == "logo_id"
    assert api.refuse("svc_card_create", full_name="Ana", logo_id=id)["issues"][0]["path"] == "logo_id"
    shown = api.run("svc_upload_file", content=picture())["upload_id"]
    with pytest.raises(InvalidInputError):
        Upload.claim(api.account, shown, "file", FILE)


@pytest.mark.parametrize(
    ("content", "name", "path"),
    [
        (b"MZ\x90\x00", "a.pdf", "content"),
        (b"words", "a.exe", "name"),
        (b"\x89PNG\r\n\x1a\nbroken", "a.png", "content"),
    ],
)
def test_programs_and_broken_files_are_refused_at_their_path_and_not_stored(
    content: bytes, name: str, path: str, api: Api
) -> None:
    body = api.refuse("svc_upload_file", content=base64.b64encode(content).decode(), name=name)
    assert (body["error"], body["issues"][0]["path"]) == ("invalid_input", path)
    assert not Upload.objects.exists()


def test_rest_accepts_files_on_request_and_pictures_by_default(api: Api) -> None:
    assert post(api, TABLE, "Menu.csv").status_code == 400
    response = post(api, TABLE, "../Menu.csv", kind="file")
    assert (response.status_code, response.json()["data"]["name"]) == (200, "Menu.csv")
    shown = post(api, base64.b64decode(picture()), "logo.png").json()["data"]
    assert shown["width"] == 4
    assert post(api, TABLE, "Menu.csv", kind="virus").json()["issues"][0]["path"] == "kind"
    assert post(api, b"MZ", "Menu.exe", kind="file").status_code == 400


def test_an_account_has_a_storage_limit_and_a_refused_file_is_not_stored(api: Api, stranger: Api, monkeypatch) -> None:
    monkeypatch.setattr(upload, "MAX_STORAGE_BYTES", {True: 50, False: 50})
    send(api)
    send(api)
    written: list[str] = []
    monkeypatch.setattr(store, "put", lambda key, content, put=store.put: (written.append(key), put(key, content)))
    body = api.refuse("svc_upload_file", content=base64.b64encode(TABLE).decode(), name="c.csv")
    assert "You’ve used all" in body["message"]
    [key] = written
    with pytest.raises(FileNotFoundError):
        store.get(key)
    send(stranger)


def test_pictures_and_files_share_the_storage_limit_of_an_account(api: Api, monkeypatch) -> None:
    size = Upload.objects.get(pk=api.run("svc_upload_file", content=picture())["upload_id"]).size
    monkeypatch.setattr(upload, "MAX_STORAGE_BYTES", {True: size + len(TABLE), False: size + len(TABLE)})
    send(api)
    for content, name in ((base64.b64encode(TABLE).decode(), "c.csv"), (picture(), "")):
        body = api.refuse("svc_upload_file", content=content, **({"name": name} if name else {}))
        assert "You’ve used all" in body["message"]
    assert Upload.objects.count() == 2


def test_a_dry_run_stores_no_file(api: Api) -> None:
    sent = send(api, dry_run=True)
    assert not Upload.objects.exists()
    with pytest.raises(FileNotFoundError):
        store.get(sent["upload_id"])


def test_an_unused_file_is_deleted_after_a_day_and_a_used_one_remains(api: Api) -> None:
    waits, used = send(api)["upload_id"], send(api)["upload_id"]
    Upload.claim(api.account, used, "file", FILE)
    with time_machine.travel(clock.now() + timedelta(days=1, minutes=1)):
        assert Upload.delete_expired() == 1
    with pytest.raises(FileNotFoundError):
        store.get(waits)
    assert store.get(used) == TABLE
