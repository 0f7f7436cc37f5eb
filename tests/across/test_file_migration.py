"""Files in a bucket: existing files are moved to it while the service runs.

While the bucket does not answer, the channels report that within seconds and guests are served. Afterwards everything
works again.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.across.all_channels import PHONE, Faces, Told
from workspace.testing.pictures import picture
from workspace.testing.s3_server import Storage
from workspace.testing.service import Service

pytestmark = pytest.mark.timeout(600)

TABLE = b"name,price\nSoup,6.50\n"
SLACK = 25.0  # seconds of tolerance for a busy machine


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    with Storage() as storage:
        yield storage


@pytest.fixture(scope="module")
def faces(storage: Storage) -> Iterator[Faces]:
    service = Service().migrate().start()
    try:
        yield Faces(service)
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)


def _send(faces: Faces, name: str = "menu.csv") -> str:
    sent = faces.service.api(faces.key, "svc_upload_file", content=base64.b64encode(TABLE).decode(), name=name)
    return str(sent["upload_id"])


def _file(faces: Faces, id: str) -> Told:
    return faces.fetch("GET", f"/files/{id}", "", {"Authorization": f"Bearer {faces.key}"})


def test_files_move_to_a_bucket_and_survive_its_outage(faces: Faces, storage: Storage, tmp_path: Path) -> None:
    service, key = faces.service, faces.key
    early = _send(faces)
    photo = service.api(key, "svc_upload_file", content=picture(), name="me.png")["upload_id"]
    service.api(key, "svc_card_edit", card_id=faces.card["id"], photo_id=photo)
    shown = f"/pictures/{photo}/192"
    service.stop()
    service.env |= storage.settings
    service.start()

    # existing files are found in their former place, and new ones go to the bucket
    assert _file(faces, early).text.encode() == TABLE and faces.fetch("GET", shown).status == 200
    late = _send(faces)
    assert storage.list_keys() == {f"tools/{late}"}
    assert "files move" in service.operate("check")
    assert "files to the bucket" in service.operate("files", "move")
    assert storage.list_keys() >= {f"tools/{id}" for id in (early, late, photo)}
    assert not [path for path in (service.folder / "files").rglob("*") if path.is_file()]
    assert [_file(faces, id).text.encode() for id in (early, late)] == [TABLE, TABLE]
    assert faces.fetch("GET", shown).status == 200
    assert "Some files are not in the bucket yet" not in service.operate("check")

    service.operate("backup", str(tmp_path / "copy.tar"))
    with tarfile.open(tmp_path / "copy.tar") as copy:
        kept = copy.extractfile(f"files/{early}")
        assert kept is not None and kept.read() == TABLE

    storage.freeze()
    try:
        _says_so_and_serves_guests(faces, early, shown)
    finally:
        storage.thaw()
    _goes_on(faces, early, shown)
    assert service.operate("files", "move").split()[1] == "16"  # files sent since then
    service.stop()
    assert "files to this server" in service.operate("files", "restore")
    service.env |= dict.fromkeys(storage.settings, "")
    service.start()
    assert [_file(faces, id).text.encode() for id in (early, late)] == [TABLE, TABLE]


def _says_so_and_serves_guests(faces: Faces, file: str, shown: str) -> None:
    content = base64.b64encode(TABLE).decode()
    call = json.dumps({"name": "svc_upload_file", "arguments": {"content": content, "name": "x.csv"}})
    rpc = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": json.loads(call)}
    bearer = {"Authorization": f"Bearer {faces.key}", "Content-Type": "application/json"}
    told: list[tuple[str, Told]] = []

    def request_one(name: str) -> None:
        match name:
            case "file":
                told.append((name, _file(faces, file)))
            case "picture":
                told.append((name, faces.fetch("GET", shown, "", {"User-Agent": PHONE})))
            case "upload":
                told.append((name, faces.fetch("POST", "/api/v1/call", call, bearer)))
            case "mcp upload":
                told.append(
                    (name, faces.fetch("POST", "/mcp", json.dumps(rpc), {**bearer, "Accept": "application/json"}))
                )
            case _:
                told.append((name, faces.request(name)))

    served = ("scan", "card page", "read", "write", "mcp read", "dashboard page")
    names = [name for name in ("file", "picture", "upload", "mcp upload", *served) for _ in range(4)]
    for _ in range(2):
        threads = [threading.Thread(target=request_one, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(told) == 2 * len(names)
    _check_answers(told, served)
    health = faces.request("healthz")
    assert health.status == 200 and health.json["files"].startswith("away since"), health.text


def _check_answers(told: list[tuple[str, Told]], served: tuple[str, ...]) -> None:
    for name, one in told:
        if name in served:
            assert one.status in (200, 302, 303), (name, one.status, one.text)
            assert one.seconds < 5 + SLACK, (name, one.seconds)
        elif "upload" in name:  # stored locally until the bucket answers
            assert (one.status, one.seconds < 6 + SLACK) == (200, True), (name, one.text, one.seconds)
        else:
            assert (one.status, one.seconds < 6 + SLACK) == (503, True), (name, one.text, one.seconds)
            assert "minute" in one.text and "Traceback" not in one.text and not re.search(r"\bboto", one.text)


def _goes_on(faces: Faces, file: str, shown: str) -> None:
    from time import monotonic, sleep

    ends = monotonic() + 150
    while _file(faces, file).status != 200:
        assert monotonic() < ends
        sleep(0.2)
    assert faces.fetch("GET", shown).status == 200
    assert _file(faces, _send(faces, "after.csv")).text.encode() == TABLE
    assert "files" not in faces.request("healthz").json
