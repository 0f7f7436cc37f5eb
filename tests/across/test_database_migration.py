"""An instance is moved from SQLite to PostgreSQL and back: all answers are the same afterwards, and writes work.

The test uses its own SQLite file and requires PostgreSQL.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import sqlite3
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from workspace.testing import fork_server, prepared_database
from workspace.testing.service import ROOT, Service

pytestmark = [
    pytest.mark.skipif("not os.environ.get('WORKSPACE_TEST_DATABASE_URL')", reason="PostgreSQL's run has both"),
    pytest.mark.timeout(900),
]

LARGE = b"name,price\n" + b"Soup,6.50\n" * 104_895  # stored in two pieces
CATALOGUE = json.loads((ROOT / "cli" / "src" / "svc" / "catalog.json").read_text())["tools"]


@pytest.fixture(scope="module")
def filled() -> Iterator[tuple[Service, str, str]]:
    """Yield a service on SQLite with data of every product, the key, and the id of a file."""
    service = Service(WORKSPACE_DATABASE_URL="", WORKSPACE_BACKGROUND_WORKER="off").migrate()
    try:
        key = re.findall(r"svc_live_\w+", service.operate("demo"))[0]
        service.start()
        content = base64.b64encode(LARGE).decode()
        file = service.api(key, "svc_upload_file", content=content, name="menu.csv")["upload_id"]
        gone = service.api(key, "svc_qr_create", name="Gone again", target_url="https://example.com")["id"]
        service.api(key, "svc_qr_delete", ids=[gone])
        yield service, key, file
    finally:
        service.stop()
        shutil.rmtree(service.folder, ignore_errors=True)


def _answers(service: Service, key: str, file: str) -> dict[str, Any]:
    """Return the answers of reading tools, without arguments and for one item of each list, and the file."""
    told: dict[str, Any] = {}
    one = {tool["name"] for tool in CATALOGUE if tool["input_schema"].get("required") == ["id"]}
    for tool in CATALOGUE:
        if tool["hints"]["read_only"] and not tool["input_schema"].get("required"):
            status, body = service.post("/api/v1/call", {"name": tool["name"], "arguments": {}}, key)
            told[tool["name"]] = (status, body.get("data"))
            get = tool["name"].replace("_list", "_get")
            if get in one and status == 200 and body["data"].get("items"):
                asked = {"name": get, "arguments": {"id": body["data"]["items"][0]["id"]}}
                told[get] = service.post("/api/v1/call", asked, key)[1].get("data")
    download = urllib.request.Request(f"{service.url}/files/{file}", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(download) as response:
        told["file"] = response.read()
    told.pop("svc_me")  # it counts the calls of the day
    return told


def _refused(service: Service, *words: str) -> str:
    command = [sys.executable, "-m", "workspace.interfaces.admin_cli", *words]
    done = fork_server.run(command, env=service.env)
    assert done.returncode != 0, done.stdout
    assert "Traceback" not in done.stderr, done.stderr
    return done.stderr


def _count_rows(url: str) -> int:
    with psycopg.connect(url) as link:
        return int(link.execute("SELECT count(*) FROM accounts_account").fetchone()[0])  # type: ignore[index]


def test_everything_is_moved_there_and_back(filled: tuple[Service, str, str]) -> None:
    service, key, file = filled
    before = _answers(service, key, file)
    assert before["file"] == LARGE and len(before) > 35
    target = prepared_database.new_database(prepared_database.migrated_database())
    assert "Stop it first" in _refused(service, "move", target)
    service.stop()
    _refuses_what_is_not_empty_or_does_not_fit(service, target)
    told = service.operate("move", target)
    rows, tables, files = map(_parse_number, re.findall(r"([\d,]+) (?:rows|tables|files)", told))
    assert rows > 1000 and tables > 100 and files > 5
    service.env["WORKSPACE_DATABASE_URL"] = target
    shutil.move(service.folder / "files", service.folder / "files-before")
    service.start()
    assert _answers(service, key, file) == before
    made = service.api(key, "svc_qr_create", name="New", target_url="https://example.com")["id"]
    service.api(key, "svc_qr_delete", ids=[made])
    service.stop()
    assert "is not empty" in _refused(service, "move", str(service.folder))
    back = service.folder / "back"
    back.mkdir()
    shutil.copy(prepared_database.migrated_file(), back / "workspace.sqlite3")
    service.operate("move", str(back))
    service.env |= {"WORKSPACE_DATABASE_URL": "", "WORKSPACE_DATA": str(back)}
    service.start()
    after = _answers(service, key, file)
    # it contains the code created in between
    assert {**after, "svc_activity": None} == {**before, "svc_activity": None}
    service.api(key, "svc_qr_create", name="And on", target_url="https://example.com")
    assert os.listdir(back / "files") and not list(back.glob("moving-*"))


def _parse_number(text: str) -> int:
    return int(text.replace(",", ""))


def _refuses_what_is_not_empty_or_does_not_fit(service: Service, target: str) -> None:
    assert "enter the target" in _refused(service, "move", str(service.folder)).lower()
    with psycopg.connect(target) as link:
        link.execute("CREATE TABLE somebody_elses (id int)")
    assert "other tables" in _refused(service, "move", target)
    with psycopg.connect(target) as link:
        link.execute("DROP TABLE somebody_elses")
    # SQLite accepts values that PostgreSQL does not: a failed migration leaves nothing behind
    with closing(sqlite3.connect(service.folder / "workspace.sqlite3")) as file, file:
        (id, name) = file.execute("SELECT id, name FROM accounts_account").fetchone()
        file.execute("UPDATE accounts_account SET name = ? WHERE id = ?", ["x" * 5000, id])
    assert "too long" in _refused(service, "move", target)
    assert _count_rows(target) == 0
    with closing(sqlite3.connect(service.folder / "workspace.sqlite3")) as file, file:
        file.execute("UPDATE accounts_account SET name = ? WHERE id = ?", [name, id])
