"""Every table that a tool exports as CSV is available as a workbook with the same cells."""

from __future__ import annotations

import csv
import io
import re
from urllib.parse import urlencode

import pytest
from python_calamine import CalamineWorkbook

from tests.across.samples import SAMPLES
from workspace.interfaces.tool_catalog import CATALOG
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

EXPORTS = [
    tool for tool in CATALOG if tool.reads and tool.name.endswith("_export") and "kind" in tool.arguments.model_fields
]


def test_every_table_can_be_exported_as_a_workbook(furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    seen = set()
    for tool in EXPORTS:
        word, kinds = tool.name.split("_")[1], tool.input_schema["properties"]["kind"]
        sample = {key: value for key, value in SAMPLES[tool.name](made).items() if key != "format"}
        for kind in kinds.get("enum") or [kinds["const"]]:
            for given in (sample, {}):  # for one item, and for all
                address = f"/files/{word}/export?{urlencode({**given, 'kind': kind})}"
                plain = api.client.get(address)
                if plain.status_code == 200 and plain["Content-Type"].startswith("text/csv"):
                    response = api.client.get(f"{address}&format=xlsx")
                    assert response.status_code == 200, (address, response.content[:300])
                    assert response["Content-Disposition"].rstrip('"').endswith(".xlsx")
                    assert _cells(response.content) == _parse_rows(plain.content.decode("utf-8-sig")), address
                    seen.add(f"{word} {kind}")
    assert seen == {
        "bid list", "booking bookings", "card leads", "certs list", "event sessions", "event speakers", "links stats",
        "menu allergens", "menu items", "qr codes", "qr scans", "reviews items", "seat door", "seat guests",
        "seat meals", "waiver signatures", "waiver visits",
    }  # fmt: skip


def test_an_export_that_is_not_a_table_is_refused_as_a_workbook(furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    response = api.client.get(f"/files/links/export?page_id={made['link_page']}&kind=page&format=xlsx")
    assert response.status_code in (400, 404)


def _parse_rows(text: str) -> list[list[str]]:
    return [[_plain_value(cell) for cell in row] for row in csv.reader(io.StringIO(text, newline=""))]


def _cells(content: bytes) -> list[list[str]]:
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0)
    return [[_plain_value(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]


def _plain_value(cell: object) -> str:
    """Return a cell without the apostrophe of the CSV, and numbers in their shortest notation."""
    text = str(cell).replace("\r\n", "\n")
    if re.fullmatch(r"-?\d{1,9}(\.\d+)?", text):
        return f"{float(text):g}"
    return text.removeprefix("'")
