"""Stored files read back as written, on both databases."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

import pytest

from workspace.storage.database.errors import StorageFailure, find_storage_failure
from workspace.storage.files import backends, store
from workspace.storage.files.backends.filesystem import LocalFileStorage

pytestmark = pytest.mark.django_db


def test_a_stored_file_is_returned_until_it_is_deleted() -> None:
    store.put("upl_test", b"\x00\xff")
    store.put("upl_test", b"again")
    assert store.get("upl_test") == b"again"
    store.delete("upl_test")
    with pytest.raises(FileNotFoundError):
        store.get("upl_test")
    store.delete("upl_test")


def test_a_large_file_is_stored_and_read_in_chunks(monkeypatch: Any) -> None:
    monkeypatch.setattr(backends, "CHUNK_BYTES", 1000)
    for size in (3500, 2000, 0):
        content = bytes(number % 251 for number in range(size))
        with store.open_part() as path:
            path.write_bytes(content)
            store.put_part("job_test", path)
        assert not path.exists()
        assert b"".join(store.read_chunks("job_test")) == store.get("job_test") == content
    store.put("job_test", b"small")
    assert store.get("job_test") == b"small"
    store.delete("job_test")
    with pytest.raises(FileNotFoundError):
        store.read_chunks("job_test")
    with store.open_part() as path:
        path.write_bytes(b"nobody takes it")
    assert not path.exists()


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA, settings.MEDIA_ROOT = tmp_path, tmp_path / "files"
    return tmp_path / "files"


@pytest.mark.skipif("WORKSPACE_TEST_DATABASE_URL" in os.environ, reason="PostgreSQL keeps files in its tables")
def test_a_full_disk_leaves_no_part_of_a_file(folder: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
    try:
        for number in range(4):
            with pytest.raises(OSError) as problem:
                store.put(f"upl_{number}", bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert find_storage_failure(problem.value) is StorageFailure.FULL
    assert [path for path in folder.rglob("*") if path.is_file()] == []


@pytest.mark.skipif("WORKSPACE_TEST_DATABASE_URL" in os.environ, reason="PostgreSQL keeps files in its tables")
def test_a_file_deleted_during_a_backup_is_removed_when_it_is_done(folder: Path) -> None:
    here = store.local_storage()
    assert isinstance(here, LocalFileStorage)
    for name in ("upl_stays", "upl_goes", "upl_before"):
        store.put(name, name.encode())
    store.delete("upl_before")
    with here.hold_deletions():
        store.delete("upl_goes")
        with pytest.raises(FileNotFoundError):
            store.get("upl_goes")
        assert {path.name: path.read_bytes() for path in here.list_files()} == {
            "upl_stays": b"upl_stays",
            "upl_goes": b"upl_goes",
        }
        with pytest.raises(BlockingIOError), here.hold_deletions():
            pass
        assert store.purge_orphans() == 0
    assert sorted(path.name for path in folder.parent.rglob("upl_*")) == ["upl_stays"]
    # a backup that was killed
    here.held_folder.mkdir()
    store.delete("upl_stays")
    assert store.purge_orphans() == 1
    assert not list(folder.parent.rglob("upl_*"))
