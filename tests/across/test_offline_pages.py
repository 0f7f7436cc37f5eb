"""Service workers store everything that their pages need without a connection."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workspace.brand.style import Style

PRODUCTS = Path(__file__).resolve().parents[2] / "src/workspace/products"
WORKERS = ["card/static/card/sw.js", "event/static/event/sw.js", "menu/static/menu/sw.js"]

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize("worker", WORKERS)
def test_a_service_worker_stores_the_style_sheet_of_a_brand(worker: str) -> None:
    found = re.search(r"const PARTS = /\^\\/\((.+?)\)\\//", (PRODUCTS / worker).read_text())
    assert found is not None
    folders = found[1].split("|")
    assert Style().url.split("/")[1] in folders
    assert {"static", "pictures"} <= set(folders)
