"""Our own style sheets and scripts, as a server sends them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings

from workspace.interfaces.operator import collected


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(settings, "DATA", tmp_path)
    return tmp_path


def test_they_are_named_by_their_content_compressed_and_collected_once(data: Path) -> None:
    folder = collected.folder()
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    hashed = folder / names["dashboard/layout.css"]
    assert hashed.read_bytes() == (folder / "dashboard/layout.css").read_bytes()
    assert hashed.with_name(hashed.name + ".gz").exists()
    written = hashed.stat().st_mtime_ns
    assert (collected.folder(), hashed.stat().st_mtime_ns) == (folder, written)


def test_what_an_earlier_version_left_is_replaced(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "static" / "unfinished").mkdir(parents=True)
    monkeypatch.setattr(collected, "_version", lambda: "one")
    first = collected.folder()
    monkeypatch.setattr(collected, "_version", lambda: "two")
    assert collected.folder() == data / "static" / "two"
    assert not first.exists()
