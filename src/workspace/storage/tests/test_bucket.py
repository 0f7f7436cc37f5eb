"""An S3 bucket as a storage of files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile

from workspace.storage.database.errors import FileStoreUnreachableError, StorageFailure, find_storage_failure
from workspace.storage.files import backends, outage_guard
from workspace.storage.files.backends import s3
from workspace.storage.files.backends.filesystem import LocalFileStorage
from workspace.storage.files.backends.s3 import BucketStorage
from workspace.storage.files.remote_files import RemoteFiles
from workspace.testing.s3_server import NAME, Storage


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    with Storage() as storage:
        yield storage


@pytest.fixture
def bucket(storage: Storage, tmp_path: Path) -> RemoteFiles:
    options = {**storage.options, "bucket": f"{NAME}/{tmp_path.name}"}
    return RemoteFiles(BucketStorage(**options), LocalFileStorage(tmp_path / "files"))


def _get(bucket: RemoteFiles, key: str) -> bytes:
    return b"".join(bucket.read_chunks(key))


def test_a_stored_file_is_returned_until_it_is_deleted(bucket: RemoteFiles, tmp_path: Path, monkeypatch: Any) -> None:
    bucket.put("upl_test", b"\x00\xff")
    bucket.put("upl_test", b"again")
    assert (_get(bucket, "upl_test"), bucket.get_size("upl_test")) == (b"again", 5)
    monkeypatch.setattr(backends, "CHUNK_BYTES", 1000)
    part = tmp_path / "part"
    part.write_bytes(bytes(range(256)) * 20)
    bucket.put_part("job_test", part)
    assert [len(piece) for piece in bucket.read_chunks("job_test")] == [1000] * 5 + [120]
    assert _get(bucket, "job_test") == part.read_bytes()
    assert list(bucket.list_keys()) == ["job_test", "upl_test"]
    assert (list(bucket.list_keys("upl_")), bucket.is_older("upl_test", 3600)) == (["upl_test"], False)
    bucket.delete("upl_test")
    for ask in (bucket.read_chunks, bucket.read_remote_chunks):
        with pytest.raises(FileNotFoundError):
            ask("upl_test")
    bucket.delete("upl_test")
    bucket.probe()
    assert list(bucket.list_keys()) == ["job_test"] and backends.CHUNK_BYTES


def test_all_keys_are_listed_page_by_page(bucket: RemoteFiles, monkeypatch: Any) -> None:
    monkeypatch.setattr(s3, "KEYS_PER_PAGE", 2)
    names = [f"upl_{number}" for number in range(5)]
    for name in names:
        bucket.put(name, b"x")
    assert list(bucket.list_keys()) == names and list(bucket.list_keys("upl_4")) == names[4:]


def test_files_in_the_previous_backend_are_found_and_deleted_there(bucket: RemoteFiles, tmp_path: Path) -> None:
    before = LocalFileStorage(tmp_path / "files")
    before.save("upl_early", ContentFile(b"early"))
    assert _get(bucket, "upl_early") == b"".join(bucket.read_chunks("upl_early")) == b"early"
    bucket.delete("upl_early")
    with pytest.raises(FileNotFoundError):
        before.open("upl_early")


def test_an_unresponsive_bucket_is_waited_for_only_once(
    bucket: RemoteFiles, storage: Storage, monkeypatch: Any
) -> None:
    monkeypatch.setattr(s3, "READ_TIMEOUT_SECONDS", 1.0)
    monkeypatch.setattr(outage_guard, "RETRY_DELAY_SECONDS", 600.0)
    bucket.put("upl_test", b"kept")
    bucket.storage._client = None
    storage.freeze()
    try:
        with pytest.raises(FileStoreUnreachableError) as problem:
            _get(bucket, "upl_test")
        assert find_storage_failure(problem.value) is StorageFailure.FILES_UNREACHABLE
        assert bucket.guard.describe_outage()
        for _ in range(100):
            with pytest.raises(FileStoreUnreachableError, match="a moment ago"):
                bucket.put("upl_other", b"x")
        bucket.delete("upl_test")  # is deferred
    finally:
        storage.thaw()
    monkeypatch.setattr(outage_guard, "RETRY_DELAY_SECONDS", 1.0)
    ends = time.monotonic() + 60
    while bucket.guard.describe_outage():
        assert time.monotonic() < ends
        time.sleep(0.1)
        try:
            assert _get(bucket, "upl_test") == b"kept"
        except FileStoreUnreachableError:
            continue


def test_a_request_from_during_an_outage_does_not_report_one_after_recovery(bucket: RemoteFiles) -> None:
    bucket.put("upl_test", b"x")
    asked = bucket.guard.start_request()
    assert _get(bucket, "upl_test") == b"x"
    bucket.guard.record_failure(OSError("timed out"), asked)
    assert bucket.guard.describe_outage() is None
    bucket.guard.record_failure(OSError("timed out"), bucket.guard.start_request())
    assert (bucket.guard.describe_outage() or "").startswith("away since")


def test_errors_of_the_bucket_are_reported_with_their_reason(storage: Storage, tmp_path: Path) -> None:
    local = LocalFileStorage(tmp_path / "files")
    wrong = RemoteFiles(BucketStorage(**{**storage.options, "bucket": "nobodys-bucket"}), local)
    with pytest.raises(FileStoreUnreachableError, match="NoSuchBucket"):
        wrong.probe()
    away = RemoteFiles(BucketStorage(**{**storage.options, "endpoint": "http://127.0.0.1:9"}), local)
    with pytest.raises(FileStoreUnreachableError, match="Connect"):
        _get(away, "upl_test")
