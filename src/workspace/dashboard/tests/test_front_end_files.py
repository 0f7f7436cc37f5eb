"""Files sent to browsers: vendored files are unchanged, guest pages are small, and referenced files exist."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

from django.contrib.staticfiles import finders

ROOM = Path(__file__).resolve().parents[1]
VENDOR = ROOM / "static" / "vendor"


def find_file(name: str) -> Path:
    path = finders.find(name)
    assert isinstance(path, str), name
    return Path(path)


def test_vendored_files_are_unchanged() -> None:
    listed = dict(re.findall(r"^    ([0-9a-f]{64})  (\S+)$", (VENDOR / "README.md").read_text(), re.MULTILINE))
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.min.*")}
    assert {name: digest for digest, name in listed.items()} == files


def test_guests_style_sheet_stays_within_6_kilobytes() -> None:
    sheet = find_file("public/public.css").read_bytes()
    assert 1000 < len(sheet) <= 6000
    assert b"url(" not in sheet


def test_the_dashboards_own_style_sheets_stay_small() -> None:
    paths = sorted((ROOM / "static" / "dashboard").glob("*.css"))
    sheets = b"".join(path.read_bytes() for path in paths if path.name != "owner.css")
    assert len(gzip.compress(sheets)) < 12_600


def test_every_file_named_in_the_base_template_exists() -> None:
    names = re.findall(r"{% static '([^']+)' %}", (ROOM / "templates" / "dashboard" / "base.html").read_text())
    assert len(names) >= 6
    imported = re.findall(r'@import "([^"]+)";', find_file("dashboard/owner.css").read_text())
    assert len(imported) >= 7
    for name in [*names, *(f"dashboard/{sheet}" for sheet in imported)]:
        assert find_file(name).stat().st_size > 0


def test_vendored_files_refer_to_no_other_host() -> None:
    for path in VENDOR.glob("*.css"):
        addresses = set(re.findall(r"https?://[\w.-]+", path.read_text()))
        assert addresses <= {"https://tailwindcss.com", "http://www.w3.org"}, path.name
