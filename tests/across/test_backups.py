"""An instance is copied while it serves, and restored elsewhere with everything acknowledged before."""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from workspace.testing import fork_server
from workspace.testing.service import ROOT, Service

pytestmark = pytest.mark.timeout(900)

_LOST_FILES = """
import django
django.setup()
from workspace.accounts.models import Upload
from workspace.storage.files import store
lost = []
for upload in Upload.objects.all():
    try:
        assert len(store.get(upload.pk)) == upload.size
    except FileNotFoundError:
        lost.append(upload.pk)
print(Upload.objects.count(), len(lost))
"""


@dataclass
class Load:
    """Simulated load: codes are created, files are sent, and some are deleted."""

    service: Service
    key: str
    codes: dict[str, str] = field(default_factory=dict)  # acknowledged: id → name
    files: dict[str, bytes] = field(default_factory=dict)
    ended: threading.Event = field(default_factory=threading.Event)

    def make_codes(self, who: int) -> None:
        number = 0
        while not self.ended.is_set():
            number += 1
            name = f"Code {who}/{number}"
            made = self.service.api(self.key, "svc_qr_create", name=name, target_url="https://example.com")
            if number % 5 == 0:
                self.service.api(self.key, "svc_qr_delete", ids=[made["id"]])
            else:
                self.codes[made["id"]] = name

    def send_files(self) -> None:
        for number in range(45):
            if self.ended.is_set():
                return
            content = f"name,price\n{number},{'x' * 5000}\n".encode()
            encoded = base64.b64encode(content).decode()
            sent = self.service.api(self.key, "svc_upload_file", content=encoded, name=f"{number}.csv")
            self.files[sent["upload_id"]] = content


@dataclass
class Copied:
    service: Service
    key: str
    archive: Path
    codes: dict[str, str]
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def copied(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Copied:
    load = Load(service, service.account("copied@example.com")["api_key"])
    people = [threading.Thread(target=load.make_codes, args=(who,)) for who in range(3)]
    people.append(threading.Thread(target=load.send_files))
    for person in people:
        person.start()
    archive = tmp_path_factory.mktemp("copies") / "copy.tar.gz"
    try:
        while len(load.codes) < 30 or len(load.files) < 10:
            assert all(person.is_alive() for person in people[:3])
        acknowledged = dict(load.codes), dict(load.files)
        told = service.operate("backup", str(archive))
        assert "secret-key" in told and "restore copy.tar.gz" in told
        assert all(person.is_alive() for person in people[:3])
    finally:
        load.ended.set()
        for person in people:
            person.join()
    assert len(load.codes) > len(acknowledged[0])
    return Copied(service, load.key, archive, *acknowledged)


@pytest.fixture(scope="module")
def elsewhere(copied: Copied) -> Iterator[Service]:
    """Yield another instance where the copy is restored."""
    other = Service()
    try:
        assert "Restored" in other.operate("restore", str(copied.archive))
        yield other.start()
    finally:
        other.stop()
        shutil.rmtree(other.folder, ignore_errors=True)


def _refused(service: Service, *words: str) -> str:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", *words]
    done = fork_server.run(command, env=service.env)
    assert done.returncode != 0, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


def _file(service: Service, key: str, id: str) -> bytes:
    asked = urllib.request.Request(f"{service.url}/files/{id}", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(asked) as response:
        found: bytes = response.read()
        return found


def _names(service: Service, key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    while True:
        page = service.api(key, "svc_qr_list", limit=100, offset=len(found))
        found |= {code["id"]: code["name"] for code in page["items"]}
        if len(found) >= page["total"]:
            return found


def test_nothing_acknowledged_before_the_backup_is_lost(copied: Copied, elsewhere: Service) -> None:
    found = _names(elsewhere, copied.key)
    assert {id: found.get(id) for id in copied.codes} == copied.codes
    assert {id: _file(elsewhere, copied.key, id) for id in copied.files} == copied.files
    env = {**elsewhere.env, "DJANGO_SETTINGS_MODULE": "workspace.settings"}
    asked = subprocess.run([sys.executable, "-c", _LOST_FILES], env=env, cwd=ROOT, capture_output=True, text=True)
    kept, lost = map(int, asked.stdout.split())
    assert kept >= len(copied.files) and lost == 0
    for name in ("secret-key", "encryption-keys"):
        here = copied.service.folder / name
        assert not here.exists() or (elsewhere.folder / name).read_bytes() == here.read_bytes()
    elsewhere.api(copied.key, "svc_qr_create", name="And it goes on", target_url="https://example.com")


def test_a_copy_never_replaces_a_running_instance_without_confirmation(copied: Copied, elsewhere: Service) -> None:
    assert "Stop it first" in _refused(elsewhere, "restore", str(copied.archive), "--over")
    later = elsewhere.api(copied.key, "svc_qr_create", name="Later", target_url="https://example.com")["id"]
    elsewhere.stop()
    assert "--over" in _refused(elsewhere, "restore", str(copied.archive))
    whole = copied.archive.read_bytes()
    broken = copied.archive.with_name("broken.tar.gz")
    broken.write_bytes(whole[:-200])
    assert "not a complete backup" in _refused(elsewhere, "restore", str(broken), "--over")
    assert not list(elsewhere.folder.glob("restoring-*"))
    elsewhere.start()
    assert later in _names(elsewhere, copied.key)
    elsewhere.stop()
    told = elsewhere.operate("restore", str(copied.archive), "--over")
    assert elsewhere.env["WORKSPACE_DATABASE_URL"] or "before-restore-" in told
    elsewhere.start()
    found = _names(elsewhere, copied.key)
    assert later not in found and set(copied.codes) <= set(found)
    assert _file(elsewhere, copied.key, next(iter(copied.files)))
