"""An S3 bucket as a file backend."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workspace.storage.database.errors import FileStoreUnreachableError, StorageFailure, find_storage_failure
from workspace.storage.files import backends
from workspace.storage.files.backends import s3
from workspace.storage.files.backends.filesystem import FilesystemBackend
from workspace.storage.files.backends.s3 import S3Backend
from workspace.testing.s3_server import NAME, Storage


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    with Storage() as storage:
        yield storage


@pytest.fixture
def bucket(storage: Storage, settings: Any, tmp_path: Path) -> S3Backend:
    settings.S3 = {name.removeprefix("WORKSPACE_S3_"): value for name, value in storage.settings.items()}
    return S3Backend(f"{NAME}/{tmp_path.name}", lambda: FilesystemBackend(tmp_path / "files"))


def test_a_stored_file_is_returned_until_it_is_deleted(bucket: S3Backend, tmp_path: Path, monkeypatch: Any) -> None:
    bucket.put("upl_test", b"\x00\xff")
    bucket.put("upl_test", b"again")
    assert (bucket.get("upl_test"), bucket.get_size("upl_test")) == (b"again", 5)
    monkeypatch.setattr(s3, "CHUNK_BYTES", 1000)
    part = tmp_path / "part"
    part.write_bytes(bytes(range(256)) * 20)
    bucket.put_part("job_test", part)
    assert [len(piece) for piece in bucket.read_chunks("job_test")] == [1000] * 5 + [120]
    assert bucket.get("job_test") == part.read_bytes()
    assert list(bucket.list_keys()) == ["job_test", "upl_test"]
    assert (list(bucket.list_keys("upl_")), list(bucket.list_keys("upl_", min_age_seconds=3600))) == (["upl_test"], [])
    bucket.delete("upl_test")
    for ask in (bucket.get, bucket.read_chunks):
        with pytest.raises(FileNotFoundError):
            ask("upl_test")
    bucket.delete("upl_test")
    bucket.probe()
    assert list(bucket.list_keys()) == ["job_test"] and backends.CHUNK_BYTES


def test_all_keys_are_listed_page_by_page(bucket: S3Backend, monkeypatch: Any) -> None:
    monkeypatch.setattr(s3, "KEYS_PER_PAGE", 2)
    names = [f"upl_{number}" for number in range(5)]
    for name in names:
        bucket.put(name, b"x")
    assert list(bucket.list_keys()) == names and list(bucket.list_keys("upl_4")) == names[4:]


def test_files_in_the_previous_backend_are_found_and_deleted_there(bucket: S3Backend, tmp_path: Path) -> None:
    before = FilesystemBackend(tmp_path / "files")
    before.put("upl_early", b"early")
    assert bucket.get("upl_early") == b"".join(bucket.read_chunks("upl_early")) == b"early"
    bucket.delete("upl_early")
    with pytest.raises(FileNotFoundError):
        before.get("upl_early")


def test_an_unresponsive_bucket_is_waited_for_only_once(bucket: S3Backend, storage: Storage, monkeypatch: Any) -> None:
    monkeypatch.setattr(s3, "READ_TIMEOUT_SECONDS", 1.0)
    monkeypatch.setattr(s3, "RETRY_DELAY_SECONDS", 600.0)
    bucket.put("upl_test", b"kept")
    bucket._client = None
    storage.freeze()
    try:
        with pytest.raises(FileStoreUnreachableError) as problem:
            bucket.get("upl_test")
        assert find_storage_failure(problem.value) is StorageFailure.FILES_UNREACHABLE and bucket.describe_outage()
        for _ in range(100):
            with pytest.raises(FileStoreUnreachableError, match="a moment ago"):
                bucket.put("upl_other", b"x")
        bucket.delete("upl_test")  # is deferred
    finally:
        storage.thaw()
    monkeypatch.setattr(s3, "RETRY_DELAY_SECONDS", 1.0)
    ends = time.monotonic() + 60
    while bucket.describe_outage():
        assert time.monotonic() < ends
        time.sleep(0.1)
        try:
            assert bucket.get("upl_test") == b"kept"
        except FileStoreUnreachableError:
            continue


def test_a_request_from_during_an_outage_does_not_report_one_after_recovery(bucket: S3Backend) -> None:
    bucket.put("upl_test", b"x")
    asked = bucket._start_request()
    assert bucket.get("upl_test") == b"x"
    bucket._record_failure(OSError("timed out"), asked)
    assert bucket.describe_outage() is None
    bucket._record_failure(OSError("timed out"), bucket._start_request())
    assert (bucket.describe_outage() or "").startswith("away since")


def test_errors_of_the_bucket_are_reported_with_their_reason(bucket: S3Backend, settings: Any) -> None:
    wrong = S3Backend("nobodys-bucket", bucket._previous_backend)
    with pytest.raises(FileStoreUnreachableError, match="NoSuchBucket"):
        wrong.probe()
    settings.S3 = {**settings.S3, "ENDPOINT": "http://127.0.0.1:9"}
    with pytest.raises(FileStoreUnreachableError, match="Connect"):
        S3Backend(NAME, bucket._previous_backend).get("upl_test")
