"""Files left by a killed process or a full disk are deleted, but no others."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from workspace.accounts.models import Account, Upload
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.files import partial_files, store
from workspace.storage.files.images import ImageData
from workspace.storage.models import Blob

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA, settings.MEDIA_ROOT = tmp_path, tmp_path / "files"
    return tmp_path / "files"


def _age(path: Path, seconds: float) -> None:
    moment = time.time() - seconds
    os.utime(path, (moment, moment))


def _all() -> list[str]:
    if is_sqlite():
        return sorted(path.name for path in (Path(settings.DATA) / "files").rglob("*") if path.is_file())
    return sorted(Blob.objects.values_list("key", flat=True))


def test_files_without_a_row_are_deleted_and_others_are_not(account: Account, folder: Path) -> None:
    kept = Upload.create_image(account, ImageData(b"wanted", "image/png", 1, 1))
    for key in ("upl_orphan", "upl_new", "other_kind"):
        store.put(key, b"bytes")
    if is_sqlite():
        for name in (kept.pk, "upl_orphan", "other_kind"):
            _age(Path(store.local_storage().path(name)), 2 * store.ORPHAN_AGE_SECONDS)
        (folder / "an").mkdir(exist_ok=True)
        (folder / "an" / "upl_left.1234.part").write_bytes(b"half")
        with partial_files.open_partial(folder / "an" / "upl_now.1234.part"):
            assert store.purge_orphans() == 2
            assert _all() == sorted([kept.pk, "other_kind", "upl_new", "upl_now.1234.part"])
    else:
        # On PostgreSQL, the row of an upload is committed together with its bytes.
        assert store.purge_orphans() == 2
        assert _all() == sorted([kept.pk, "other_kind"])
    assert store.purge_orphans() == 0


def test_files_beside_an_empty_database_are_not_deleted(
    db: None, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(store.MAX_ORPHANS + 1):
        store.put(f"upl_{number}", b"bytes")
        if is_sqlite():
            _age(Path(store.local_storage().path(f"upl_{number}")), 2 * store.ORPHAN_AGE_SECONDS)
    assert store.purge_orphans() == 0
    assert len(_all()) == store.MAX_ORPHANS + 1
    assert "left alone" in caplog.text
