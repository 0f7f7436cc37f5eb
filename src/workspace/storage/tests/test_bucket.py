"""A bucket of a service that speaks S3, as a place of files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workspace.storage.database.errors import FilesAway, Trouble, trouble_of
from workspace.storage.files import backends
from workspace.storage.files.backends import s3
from workspace.storage.files.backends.filesystem import Folder
from workspace.storage.files.backends.s3 import Bucket
from workspace.testing.s3_server import NAME, Storage


@pytest.fixture(scope="module")
def storage() -> Iterator[Storage]:
    with Storage() as storage:
        yield storage


@pytest.fixture
def here(storage: Storage, settings: Any, tmp_path: Path) -> Bucket:
    settings.S3 = {name.removeprefix("WORKSPACE_S3_"): value for name, value in storage.settings.items()}
    return Bucket(f"{NAME}/{tmp_path.name}", lambda: Folder(tmp_path / "files"))


def test_what_is_put_is_got_until_it_is_deleted(here: Bucket, tmp_path: Path, monkeypatch: Any) -> None:
    here.put("upl_test", b"\x00\xff")
    here.put("upl_test", b"again")
    assert (here.get("upl_test"), here.size("upl_test")) == (b"again", 5)
    monkeypatch.setattr(s3, "PIECE", 1000)
    part = tmp_path / "part"
    part.write_bytes(bytes(range(256)) * 20)
    here.put_part("job_test", part)
    assert [len(piece) for piece in here.reading("job_test")] == [1000] * 5 + [120]
    assert here.get("job_test") == part.read_bytes()
    assert list(here.keys()) == ["job_test", "upl_test"]
    assert (list(here.keys("upl_")), list(here.keys("upl_", rested=3600))) == (["upl_test"], [])
    here.delete("upl_test")
    for ask in (here.get, here.reading):
        with pytest.raises(FileNotFoundError):
            ask("upl_test")
    here.delete("upl_test")
    here.probe()
    assert list(here.keys()) == ["job_test"] and backends.PIECE


def test_all_keys_are_listed_page_by_page(here: Bucket, monkeypatch: Any) -> None:
    monkeypatch.setattr(s3, "LISTED", 2)
    names = [f"upl_{number}" for number in range(5)]
    for name in names:
        here.put(name, b"x")
    assert list(here.keys()) == names and list(here.keys("upl_4")) == names[4:]


def test_what_was_put_elsewhere_before_is_found_and_deleted_there(here: Bucket, tmp_path: Path) -> None:
    before = Folder(tmp_path / "files")
    before.put("upl_early", b"early")
    assert here.get("upl_early") == b"".join(here.reading("upl_early")) == b"early"
    here.delete("upl_early")
    with pytest.raises(FileNotFoundError):
        before.get("upl_early")


def test_one_that_is_silent_is_waited_for_once(here: Bucket, storage: Storage, monkeypatch: Any) -> None:
    monkeypatch.setattr(s3, "ANSWER", 1.0)
    monkeypatch.setattr(s3, "AGAIN", 1.0)
    here.put("upl_test", b"kept")
    here._client = None
    storage.freeze()
    try:
        with pytest.raises(FilesAway) as problem:
            here.get("upl_test")
        assert trouble_of(problem.value) is Trouble.FILES and here.in_a_line()
        began = time.monotonic()
        for _ in range(100):
            with pytest.raises(FilesAway):
                here.put("upl_other", b"x")
        assert time.monotonic() - began < 1.5  # one of them may have tried again
        here.delete("upl_test")  # is done later
    finally:
        storage.thaw()
    ends = time.monotonic() + 60
    while here.in_a_line():
        assert time.monotonic() < ends
        time.sleep(0.1)
        try:
            assert here.get("upl_test") == b"kept"
        except FilesAway:
            continue


def test_who_asked_while_it_was_away_does_not_call_it_away_once_it_answers(here: Bucket) -> None:
    here.put("upl_test", b"x")
    asked = here._begin()
    assert here.get("upl_test") == b"x"
    here._fail(OSError("timed out"), asked)
    assert here.in_a_line() is None
    here._fail(OSError("timed out"), here._begin())
    assert (here.in_a_line() or "").startswith("away since")


def test_what_the_bucket_refuses_is_told_with_its_reason(here: Bucket, settings: Any) -> None:
    wrong = Bucket("nobodys-bucket", here._before)
    with pytest.raises(FilesAway, match="NoSuchBucket"):
        wrong.probe()
    settings.S3 = {**settings.S3, "ENDPOINT": "http://127.0.0.1:9"}
    with pytest.raises(FilesAway, match="Connect"):
        Bucket(NAME, here._before).get("upl_test")
