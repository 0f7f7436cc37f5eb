"""Tables written as workbooks: the same text, no formulas, and numbers if a whole column contains only numbers."""

from __future__ import annotations

import io
import zipfile

import pytest
from python_calamine import CalamineWorkbook

from workspace.lib.errors import TooLargeError
from workspace.lib.tabular import csv_table, workbook_reader, workbook_writer

ROWS = [
    ["=HYPERLINK(1)", "+49 30 123456", "007", 12.5, "1", "'tis", "a\nb"],
    ["@cmd", "+49 30 9", "12", 3, "2026-01-02", "''=1", "1e5"],
]
HEADING = ["Name", "Phone", "Code", "Price", "Mixed", "Word", "Text"]


def test_a_workbook_contains_the_table() -> None:
    content = workbook_writer.build_from_csv("Table", csv_table.write(HEADING, ROWS))
    cells = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()
    assert cells[0] == HEADING
    assert cells[1] == ["=HYPERLINK(1)", "+49 30 123456", "007", 12.5, "1", "'tis", "a\nb"]
    assert cells[2] == ["@cmd", "+49 30 9", "12", 3.0, "2026-01-02", "''=1", "1e5"]


def test_a_workbook_contains_no_formulas_or_links() -> None:
    content = workbook_writer.build_from_csv("Table", csv_table.write(["=1+1", "b"], [["=1+1", "https://example.com"]]))
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        parts = {name: opened.read(name) for name in opened.namelist()}
    assert not [name for name, part in parts.items() if b"<f>" in part or b"hyperlink" in part]


def test_a_workbook_is_read_back_by_the_reader() -> None:
    content = workbook_writer.build_from_csv(
        "Table", csv_table.write(["name", "price"], [["Soup", "6.50"], ["-Salad", "12"]])
    )
    text, note = workbook_reader.read_text(content)
    found = csv_table.parse_csv(text, {"name": "name", "price": "price"}, order=("name", "price"), max_rows=10)
    assert [row.cells for row in found.rows] == [{"name": "Soup", "price": "6.5"}, {"name": "-Salad", "price": "12"}]
    assert note == ""


def test_too_many_cells_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_writer, "MAX_CELLS", 5)
    with pytest.raises(TooLargeError, match="CSV"):
        workbook_writer.build_from_csv("Table", csv_table.write(["a", "b"], [[1, 2], [3, 4]]))


def test_a_heading_without_rows_is_a_workbook() -> None:
    content = workbook_writer.build_from_csv("Table", csv_table.write(HEADING, []))
    assert CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python() == [HEADING]
