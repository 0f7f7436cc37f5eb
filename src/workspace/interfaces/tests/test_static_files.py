"""Our style sheets and scripts as a server sends them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from workspace.interfaces.admin_cli import static_files


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(settings, "DATA", tmp_path)
    return tmp_path


def test_static_files_are_named_by_content_compressed_and_collected_once(data: Path) -> None:
    folder = static_files.collect_files()
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    hashed = folder / names["dashboard/layout.css"]
    assert hashed.read_bytes() == (folder / "dashboard/layout.css").read_bytes()
    assert hashed.with_name(hashed.name + ".gz").exists()
    written = hashed.stat().st_mtime_ns
    assert (static_files.collect_files(), hashed.stat().st_mtime_ns) == (folder, written)


def test_a_script_imports_others_by_their_content_hashed_names(data: Path) -> None:
    folder = static_files.collect_files()
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    imported = {
        (script, path)
        for script, hashed in names.items()
        if script.endswith(".js")
        for path in re.findall(r"""(?:from|import) ?\(?["'](\.[^"']+)""", (folder / hashed).read_text())
    }
    assert {script for script, _ in imported} >= {"form/guest.js", "form/evaluate.js"}
    plain = [one for one in imported if str(Path(one[0]).parent / one[1]) not in names.values()]
    assert plain == [], "a browser may keep these from an earlier version"


def test_scripts_and_style_sheets_are_sent_without_comments_and_indentation(data: Path) -> None:
    folder = static_files.collect_files()
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    ours = [name for name in names if name.endswith((".js", ".css"))]
    ours = [name for name in ours if not {"site-packages", "vendor", "generated"} & set(finders.find(name).split("/"))]
    assert len(ours) > 20
    for name in ours:
        lines = (folder / names[name]).read_text().splitlines()
        assert not [line for line in lines if not line or line[0].isspace() or line.startswith(("//", "/*"))], name
        if name.endswith(".js"):  # text with several lines would lose its indentation
            assert not [line for line in lines if line.count("`") % 2], name


def test_the_style_sheets_of_owners_pages_are_one_small_file(data: Path) -> None:
    folder = static_files.collect_files()
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    whole = (folder / names["dashboard/owner.css"]).read_text()
    assert "@import" not in whole
    parts = [f"dashboard/{part}.css" for part in ("theme", "layout", "parts", "figures", "items", "frame")]
    for part in ["generated/basecoat.css", *parts]:
        assert (folder / names[part]).read_text().strip() in whole, part
    assert len(gzip.compress(whole.encode())) < 20_000


def test_files_of_an_earlier_version_are_replaced(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data / "static" / "unfinished").mkdir(parents=True)
    monkeypatch.setattr(static_files, "_compute_version", lambda: "one")
    first = static_files.collect_files()
    monkeypatch.setattr(static_files, "_compute_version", lambda: "two")
    assert static_files.collect_files() == data / "static" / "two"
    assert not first.exists()
