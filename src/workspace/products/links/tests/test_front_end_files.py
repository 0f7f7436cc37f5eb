"""Files that browsers load besides the page itself."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

ROOM = Path(__file__).resolve().parents[1]
VENDOR = ROOM / "static" / "links" / "vendor"


def test_the_vendored_file_is_the_published_one() -> None:
    [(digest, name)] = re.findall(r"^    ([0-9a-f]{64})  (\S+)$", (VENDOR / "README.md").read_text(), re.MULTILINE)
    assert [path.name for path in VENDOR.glob("*.js")] == [name]
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest
    assert name in (ROOM / "templates" / "links" / "owner" / "edit.html").read_text()


def test_the_guest_style_sheet_is_at_most_6_kilobytes_and_loads_nothing_else() -> None:
    sheet = (ROOM / "static" / "links" / "page.css").read_text()
    assert len(sheet.encode()) <= 6000
    assert "url(" not in sheet and "@import" not in sheet
