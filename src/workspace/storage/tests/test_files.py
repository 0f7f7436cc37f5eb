"""Bytes that rest: read back as they were put, on both databases."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from workspace.accounts.models import Account, Upload
from workspace.storage import files
from workspace.storage.database import is_sqlite
from workspace.storage.pictures import Picture
from workspace.storage.trouble import Trouble, trouble_of

pytestmark = pytest.mark.django_db


def test_what_is_put_is_got_until_it_is_deleted() -> None:
    files.put("upl_test", b"\x00\xff")
    files.put("upl_test", b"again")
    assert files.get("upl_test") == b"again"
    files.delete("upl_test")
    with pytest.raises(FileNotFoundError):
        files.get("upl_test")
    files.delete("upl_test")


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA = tmp_path
    return tmp_path / "files"


def _age(path: Path, seconds: float) -> None:
    moment = time.time() - seconds
    os.utime(path, (moment, moment))


def _all() -> list[str]:
    if is_sqlite():
        return sorted(path.name for path in (Path(settings.DATA) / "files").rglob("*") if path.is_file())
    return sorted(files.Blob.objects.values_list("key", flat=True))


@pytest.mark.skipif("WORKSPACE_TEST_DATABASE_URL" in os.environ, reason="PostgreSQL keeps files in its tables")
def test_a_disk_that_is_full_leaves_nothing_of_a_file(folder: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        for number in range(4):
            with pytest.raises(OSError) as problem:
                files.put(f"upl_{number}", bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert trouble_of(problem.value) is Trouble.FULL
    assert _all() == []


def test_what_was_left_without_a_row_is_swept_and_nothing_else(account: Account, folder: Path) -> None:
    kept = Upload.keep(account, Picture(b"wanted", "image/png", 1, 1))
    for key in ("upl_orphan", "upl_new", "other_kind"):
        files.put(key, b"bytes")
    if is_sqlite():
        for name in (kept.pk, "upl_orphan", "other_kind"):
            _age(files._path(name), 2 * files.LEFT_FILE)
        for name, age in (("upl_old.1234.part", 2 * files.LEFT_PART), ("upl_now.1234.part", 0)):
            (folder / "an").mkdir(exist_ok=True)
            (folder / "an" / name).write_bytes(b"half")
            _age(folder / "an" / name, age)
        assert files.sweep() == 2
        assert _all() == sorted([kept.pk, "other_kind", "upl_new", "upl_now.1234.part"])
    else:
        # there the row of an upload is committed with its bytes
        assert files.sweep() == 2
        assert _all() == sorted([kept.pk, "other_kind"])
    assert files.sweep() == 0


def test_files_beside_an_empty_database_are_left_alone(
    db: None, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(files.MOST_LEFT + 1):
        files.put(f"upl_{number}", b"bytes")
        if is_sqlite():
            _age(files._path(f"upl_{number}"), 2 * files.LEFT_FILE)
    assert files.sweep() == 0
    assert len(_all()) == files.MOST_LEFT + 1
    assert "left alone" in caplog.text
