"""Files in a Django storage on another server, without paths: sent, generated, exported, imported and erased.

An administrator names it with one setting, and moves files to it and back.
"""

from __future__ import annotations

import base64
import io
import json
import shutil
import tarfile
import urllib.request
from pathlib import Path
from typing import Any

import click
import pytest
from django.core.files.storage import storages
from django.test import Client
from PIL import Image

from workspace import environment
from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Upload
from workspace.accounts.privacy import data_subjects
from workspace.delivery.jobs.worker import JobWorker
from workspace.delivery.models import Delivery
from workspace.interfaces.admin_cli import checks, serve
from workspace.lib.data_subject import DataSubject
from workspace.products.form.models import GuestFile
from workspace.products.waiver.domain.pdf import PdfSigningChannel
from workspace.storage.files import store
from workspace.testing.api import Api
from workspace.testing.form_person import submit_person_responses
from workspace.testing.remote_storage import FakeRemoteStorage
from workspace.testing.samples import waiver as signer
from workspace.testing.service import PATIENCE, Service

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = b"name,price\nSoup,6.50\n"
EMAIL, NAME, PHONE = "mark_x7q@person.example", "Xaver Qualmburger", "+43 660 771-23 45"


@pytest.fixture
def remote(settings: Any, tmp_path: Path) -> FakeRemoteStorage:
    options = {"folder": str(tmp_path / "remote")}
    other = {"BACKEND": "workspace.testing.remote_storage.FakeRemoteStorage", "OPTIONS": options}
    settings.DATA, settings.MEDIA_ROOT = tmp_path, tmp_path / "files"
    settings.STORAGES = {**settings.STORAGES, "files": other}
    found = storages["files"]
    assert isinstance(found, FakeRemoteStorage)
    return found


def _send(api: Api, content: bytes = TABLE, name: str = "menu.csv") -> str:
    sent = api.run("svc_upload_file", content=base64.b64encode(content).decode(), name=name)
    return str(sent["upload_id"])


def _photo() -> str:
    out = io.BytesIO()
    Image.new("RGBA", (400, 400), "red").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def _make_card(api: Api) -> str:
    """Create a card and return the id of its photo."""
    card = api.run("svc_card_create", full_name="Jane Doe")
    photo = str(api.run("svc_upload_file", content=_photo(), name="me.png")["upload_id"])
    api.run("svc_card_edit", card_id=card["id"], photo_id=photo)
    return photo


def _keys(remote: FakeRemoteStorage) -> set[str]:
    assert not list(store.local_storage().list_keys()), "every file has been moved"
    return set(remote.listdir("")[1])


def _work_off() -> None:
    worker = JobWorker()
    while worker.run_once():
        pass


def _sign_waiver(api: Api) -> Any:
    """Return a signing with its signed PDF."""
    waiver = api.run("svc_waiver_create", title="Boats", text="I can swim.")
    them = {"name": NAME, "email": EMAIL, "phone": PHONE, "birth_date": "1980-02-03"}
    signing = signer.sign(waiver["id"], api.account, signer=them, signer_participates=True)
    PdfSigningChannel().send(Delivery.objects.get(payload__signing=signing.pk))
    signing.refresh_from_db()
    return signing


def test_only_its_account_can_download_a_file(api: Api, stranger: Api, remote: FakeRemoteStorage) -> None:
    id = _send(api)
    assert _keys(remote) == {id}
    response = api.client.get(f"/files/{id}")
    assert (response.content, response["Content-Disposition"]) == (TABLE, 'attachment; filename="menu.csv"')
    assert stranger.client.get(f"/files/{id}").status_code == 404
    assert Client().get(f"/files/{id}").status_code == 302
    for path in ("/files/..%2f..%2fsecret-key", "/pictures/..%2fsecret-key/96", f"/pictures/{id}/96"):
        assert Client().get(path).status_code in (302, 404), path
        assert api.client.get(path).status_code == 404, path


def test_a_refused_upload_leaves_no_file(api: Api, remote: FakeRemoteStorage, monkeypatch: Any) -> None:
    monkeypatch.setattr("workspace.accounts.models.upload.MAX_STORAGE_BYTES", {False: 10, True: 10})
    api.refuse("svc_upload_file", content=base64.b64encode(TABLE).decode(), name="menu.csv")
    monkeypatch.setattr(store, "SETTLED_AFTER_SECONDS", -10.0)
    monkeypatch.setattr(store, "ORPHAN_AGE_SECONDS", -10.0)
    for _ in range(2):
        store.purge_orphans()
    assert _keys(remote) == set() and not Upload.objects.exists()


def test_pictures_are_shown_in_every_size_and_deleted(api: Api, remote: FakeRemoteStorage) -> None:
    photo = _make_card(api)
    assert _keys(remote) == {photo, f"96-{photo}", f"192-{photo}", f"384-{photo}"}
    for width in (96, 192, 1536):
        shown = Client().get(f"/pictures/{photo}/{width}")
        assert (shown.status_code, shown["Content-Type"]) == (200, "image/png"), width
    purge_account(api.account)
    assert _keys(remote) == set()


def test_generated_files_are_stored_and_erased(api: Api, remote: FakeRemoteStorage) -> None:
    signing = _sign_waiver(api)
    assert _keys(remote) == {signing.pdf_key} and store.get(signing.pdf_key).startswith(b"%PDF-")
    submit_person_responses(api, NAME, EMAIL, PHONE, "0660/7712345")
    guest_files = set(GuestFile.objects.values_list("pk", flat=True))
    assert guest_files and guest_files <= _keys(remote)
    data_subjects.erase_subject(api.account, DataSubject.parse(EMAIL, PHONE))
    assert not {signing.pdf_key, *guest_files} & _keys(remote)


def test_an_export_contains_the_files_and_is_imported(
    api: Api, stranger: Api, remote: FakeRemoteStorage, monkeypatch: Any
) -> None:
    monkeypatch.setattr(store, "ORPHAN_AGE_SECONDS", -10.0)
    _make_card(api)
    signing = _sign_waiver(api)
    paper = store.get(signing.pdf_key)
    export = api.run("svc_account_export")["job_id"]
    _work_off()
    assert export in _keys(remote)
    response = api.client.get(f"/files/{export}")
    content = b"".join(response.streaming_content)
    assert int(response["Content-Length"]) == len(content) == remote.size(export)
    purge_account(api.account)
    store.purge_orphans()  # deletes generated files without a row
    assert _keys(remote) == set()

    upload = Upload.create_file(stranger.account, "everything.zip", "application/zip", content)
    job = stranger.run("svc_account_import", upload_id=upload.pk)["job_id"]
    _work_off()
    assert stranger.run("svc_jobs_get", job_id=job)["state"] == "done"
    [card] = stranger.run("svc_card_list")["items"]
    shown = Client().get(f"/pictures/{stranger.run('svc_card_get', card_id=card['id'])['photo_id']}/96")
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/png")
    assert any(store.get(key) == paper for key in _keys(remote))


def test_an_outage_is_reported_and_nothing_is_lost(api: Api, remote: FakeRemoteStorage, monkeypatch: Any) -> None:
    id = _send(api)
    remote.is_away = True
    response = api.client.get(f"/files/{id}")
    assert response.status_code == 503 and "minute" in response.content.decode()
    assert "errors of its own" not in response.content.decode()
    late = _send(api, b"late\n")
    remote.is_away = False
    monkeypatch.setattr("workspace.storage.files.outage_guard.RETRY_DELAY_SECONDS", 0.0)
    monkeypatch.setattr(store, "SETTLED_AFTER_SECONDS", -10.0)
    assert [api.client.get(f"/files/{one}").content for one in (id, late)] == [TABLE, b"late\n"]
    store.purge_orphans()
    assert _keys(remote) == {id, late}


@pytest.mark.parametrize(
    "text",
    ["storages.backends.s3.S3Storage", "[]", "{}", '{"BACKEND": 1}', '{"BACKEND": "a.B", "OPTIONS": []}', '{"a": 1}'],
)
def test_an_invalid_setting_is_explained(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_FILE_STORAGE", text)
    with pytest.raises(SystemExit, match=r"use \{.BACKEND"):
        environment.read_file_storage()
    monkeypatch.setenv("WORKSPACE_S3_BUCKET", "uploads")
    with pytest.raises(SystemExit, match="not both"):
        environment.read_file_storage()


def test_a_missing_class_is_reported_before_anyone_needs_a_file(settings: Any) -> None:
    settings.STORAGES = {**settings.STORAGES, "files": {"BACKEND": "storages.backends.missing.Storage"}}
    [problem] = checks._check_files()
    assert "WORKSPACE_FILE_STORAGE cannot be used: Could not find backend" in str(problem)
    with pytest.raises(click.ClickException, match="Could not find backend"):
        serve._check_file_storage()


def _fetch(service: Service, key: str, id: str) -> bytes:
    request = urllib.request.Request(f"{service.url}/files/{id}", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        content: bytes = response.read()
        return content


def _setting(folder: Path) -> str:
    backend = "workspace.testing.remote_storage.FakeRemoteStorage"
    return json.dumps({"BACKEND": backend, "OPTIONS": {"folder": str(folder)}})


@pytest.mark.timeout(600)
def test_an_administrator_names_another_storage_and_goes_back(tmp_path: Path) -> None:
    service, elsewhere = Service().migrate().start(), Service()
    try:
        key = service.account()["api_key"]
        content = base64.b64encode(TABLE).decode()
        early = service.api(key, "svc_upload_file", content=content, name="early.csv")["upload_id"]
        service.stop()
        service.env["WORKSPACE_FILE_STORAGE"] = _setting(tmp_path / "remote")
        service.start()
        late = service.api(key, "svc_upload_file", content=content, name="late.csv")["upload_id"]
        assert [_fetch(service, key, id) for id in (early, late)] == [TABLE, TABLE]
        assert [path.name for path in (tmp_path / "remote").iterdir()] == [late]
        assert "Some files are not in FakeRemoteStorage yet" in service.operate("check")
        assert service.operate("files", "move").startswith("Moved 1 file to FakeRemoteStorage")
        assert {path.name for path in (tmp_path / "remote").iterdir()} == {early, late}
        service.operate("backup", str(tmp_path / "copy.tar"))
        with tarfile.open(tmp_path / "copy.tar") as copy:
            assert {f"files/{early}", f"files/{late}"} <= set(copy.getnames())
        service.stop()

        elsewhere.env["WORKSPACE_FILE_STORAGE"] = _setting(tmp_path / "restored")
        elsewhere.operate("restore", str(tmp_path / "copy.tar"))
        assert {path.name for path in (tmp_path / "restored").iterdir()} == {early, late}
        assert _fetch(elsewhere.start(), key, early) == TABLE

        assert "Remove WORKSPACE_FILE_STORAGE" in service.operate("files", "restore")
        service.env["WORKSPACE_FILE_STORAGE"] = ""
        service.start()
        assert [_fetch(service, key, id) for id in (early, late)] == [TABLE, TABLE]
    finally:
        for one in (service, elsewhere):
            one.stop()
            shutil.rmtree(one.folder, ignore_errors=True)
