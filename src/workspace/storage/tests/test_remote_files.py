"""Files in any Django storage: nothing counts before the commit, and no file is lost or half-written."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.db import transaction

from workspace.storage.database.errors import FileStoreUnreachableError, StorageFailure, find_storage_failure
from workspace.storage.database.transactions import dry_run_transaction, write_transaction
from workspace.storage.files import backends, outage_guard, store
from workspace.testing.remote_storage import FakeRemoteStorage

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _local_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA, settings.MEDIA_ROOT = tmp_path, tmp_path / "files"


def _use(settings: Any, storage: dict[str, Any]) -> Storage:
    settings.STORAGES = {**settings.STORAGES, "files": storage}
    return storages["files"]


@pytest.fixture(params=["FakeRemoteStorage", "InMemoryStorage", "FileSystemStorage"])
def storage(request: Any, settings: Any, tmp_path: Path) -> Storage:
    if request.param == "FakeRemoteStorage":
        options = {"folder": str(tmp_path / "remote")}
        return _use(settings, {"BACKEND": "workspace.testing.remote_storage.FakeRemoteStorage", "OPTIONS": options})
    options = {"location": str(tmp_path / "remote")}
    return _use(settings, {"BACKEND": f"django.core.files.storage.{request.param}", "OPTIONS": options})


@pytest.fixture
def remote(settings: Any, tmp_path: Path) -> FakeRemoteStorage:
    options = {"folder": str(tmp_path / "remote")}
    found = _use(settings, {"BACKEND": "workspace.testing.remote_storage.FakeRemoteStorage", "OPTIONS": options})
    assert isinstance(found, FakeRemoteStorage)
    return found


def _local_keys() -> list[str]:
    return sorted(store.local_storage().list_keys())


def _list_names(storage: Storage) -> list[str]:
    try:
        return sorted(storage.listdir("")[1])
    except FileNotFoundError:  # FileSystemStorage makes its folder for the first file
        return []


def test_a_stored_file_is_returned_until_it_is_deleted(storage: Storage, monkeypatch: Any) -> None:
    monkeypatch.setattr(backends, "CHUNK_BYTES", 1000)
    store.put("upl_test", b"\x00\xff")
    store.put("upl_test", b"again")
    assert store.get("upl_test") == b"again"
    content = bytes(range(250)) * 14
    for _ in range(2):
        with store.open_part() as path:
            path.write_bytes(content)
            store.put_part("job_test", path)
        assert not path.exists()
        assert [len(chunk) for chunk in store.read_chunks("job_test")] == [1000, 1000, 1000, 500]
    assert store.get("job_test") == content
    assert (_list_names(storage), _local_keys()) == (["job_test", "upl_test"], [])
    store.delete("upl_test")
    store.delete("upl_test")
    with pytest.raises(FileNotFoundError):
        store.read_chunks("upl_test")
    assert _list_names(storage) == ["job_test"]


def test_a_storage_has_a_file_only_after_the_commit(storage: Storage) -> None:
    with write_transaction():
        store.put("upl_test", b"kept")
        assert (store.get("upl_test"), _list_names(storage)) == (b"kept", [])
    assert (store.get("upl_test"), _list_names(storage), _local_keys()) == (b"kept", ["upl_test"], [])
    with write_transaction():
        store.delete("upl_test")
        assert store.get("upl_test") == b"kept"
    assert _list_names(storage) == []


def test_a_rolled_back_transaction_neither_stores_nor_deletes(storage: Storage) -> None:
    store.put("upl_kept", b"kept")
    with write_transaction():
        store.put("upl_test", b"not kept")
        store.delete("upl_kept")
        transaction.set_rollback(True)
    assert (store.get("upl_kept"), _list_names(storage)) == (b"kept", ["upl_kept"])
    with dry_run_transaction():
        store.put("upl_test", b"not kept")
        store.delete("upl_kept")
    assert _list_names(storage) == ["upl_kept"]


def test_no_key_reaches_outside_of_the_storage(storage: Storage, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    for key in ("../secret", "a/../../secret", "/etc/passwd", "", ".", "a\0", "upl\n"):
        for act in (store.get, store.read_chunks, store.delete, lambda key: store.put(key, b"x")):
            with pytest.raises(ValueError, match="is not a key"):
                act(key)
        with store.open_part() as path, pytest.raises(ValueError, match="is not a key"):
            store.put_part(key, path)
    assert (tmp_path / "secret").read_bytes() == b"secret"


def test_files_from_before_are_found_and_moved(storage: Storage, monkeypatch: Any) -> None:
    monkeypatch.setattr(store, "SETTLED_AFTER_SECONDS", -10.0)
    store.local_storage().save("upl_early", ContentFile(b"early"))
    assert store.get("upl_early") == b"early"
    store.purge_orphans()
    assert (store.get("upl_early"), _list_names(storage), _local_keys()) == (b"early", ["upl_early"], [])


def test_a_file_that_was_moved_only_in_part_is_moved_again(remote: FakeRemoteStorage, tmp_path: Path) -> None:
    files = store.remote_files()
    assert files is not None
    store.local_storage().save("upl_test", ContentFile(b"the whole content"))
    (tmp_path / "remote" / "upl_test").write_bytes(b"the")
    assert files.move_here("upl_test") == 17
    assert (store.get("upl_test"), _local_keys()) == (b"the whole content", [])
    store.local_storage().save("upl_late", ContentFile(b"late"))
    remote.is_full = True
    with pytest.raises(OSError, match="No space left"):
        files.move_here("upl_late")
    assert (store.get("upl_late"), _list_names(remote), _local_keys()) == (b"late", ["upl_test"], ["upl_late"])


def test_orphans_are_deleted_and_names_of_others_are_not(remote: FakeRemoteStorage, tmp_path: Path) -> None:
    for key in ("upl_orphan", "upl_new", "other_kind"):
        store.put(key, b"bytes")
    (tmp_path / "remote" / "upl_notes.txt").write_bytes(b"of someone else")
    moment = time.time() - 2 * store.ORPHAN_AGE_SECONDS
    for name in ("upl_orphan", "other_kind", "upl_notes.txt"):
        os.utime(tmp_path / "remote" / name, (moment, moment))
    assert store.purge_orphans() == 1
    assert _list_names(remote) == ["other_kind", "upl_new", "upl_notes.txt"]


def test_errors_of_an_unreachable_storage_are_one_outage(remote: FakeRemoteStorage, monkeypatch: Any) -> None:
    monkeypatch.setattr(outage_guard, "RETRY_DELAY_SECONDS", 600.0)
    store.put("upl_test", b"kept")
    remote.is_away = True
    acts: list[Callable[[], Any]] = [lambda: store.get("upl_test"), lambda: store.put("upl_other", b"x")]
    for act in acts:
        with pytest.raises(FileStoreUnreachableError) as problem:
            act()
        assert find_storage_failure(problem.value) is StorageFailure.FILES_UNREACHABLE
    assert (store.describe_outage() or "").startswith("away since")
    store.delete("upl_test")  # is deferred
    with write_transaction():
        store.put("upl_late", b"late")
    assert b"".join(store.local_storage().read_chunks("upl_late")) == b"late"
    remote.is_away = False
    monkeypatch.setattr(outage_guard, "RETRY_DELAY_SECONDS", 0.0)
    assert store.get("upl_late") == b"late"
    assert store.describe_outage() is None


def test_a_full_storage_is_reported_as_full_and_keeps_no_part(remote: FakeRemoteStorage) -> None:
    remote.is_full = True
    with pytest.raises(OSError) as problem:
        store.put("upl_test", b"kept")
    assert find_storage_failure(problem.value) is StorageFailure.FULL
    assert (_list_names(remote), store.describe_outage()) == ([], None)


def test_a_probe_finds_what_a_storage_lacks(storage: Storage, monkeypatch: Any) -> None:
    files = store.remote_files()
    assert files is not None
    files.probe()
    assert _list_names(storage) == []
    monkeypatch.setattr(type(storage), "get_modified_time", Storage.get_modified_time)
    with pytest.raises(FileStoreUnreachableError, match="get_modified_time"):
        files.probe()
    assert store.purge_orphans() == 0  # leaves files of an unknown age alone


def test_the_local_storage_is_used_by_default() -> None:
    assert store.remote_files() is None and not store.is_remote()
    store.put("upl_test", b"kept")
    assert _local_keys() == ["upl_test"]
