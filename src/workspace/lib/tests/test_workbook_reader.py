"""Workbooks are read as text, and malicious ones only use a limited subprocess."""

from __future__ import annotations

import pytest

from workspace.lib.tabular import csv_table, workbook_reader
from workspace.testing.spreadsheets import number_cell, text_cell, workbook


def test_cells_are_read_as_their_owner_would_type_them() -> None:
    cells = [
        text_cell("A1", "Soup, hot"),
        number_cell("B1", "8.5"),
        number_cell("C1", "12"),
        number_cell("D1", "0.30000000000000004"),
    ]
    shared = '<c r="F1" t="s"><v>0</v></c><c r="G1" t="b"><v>1</v></c>'
    content = workbook(*cells, shared, strings=[b"<si><t>Caf\xc3\xa9\nK\xc3\xa4se</t></si>"])
    found, note = workbook_reader.read_text(content)
    read = csv_table.parse_csv(found, {}, order=tuple("ABCDEFG"), max_rows=5)
    assert [row.cells for row in read.rows] == [
        {"A": "Soup, hot", "B": "8.5", "C": "12", "D": "0.3", "F": "Café\nKäse", "G": "yes"}
    ]
    assert note == ""


def test_a_decompression_bomb_is_rejected_as_too_large() -> None:
    far = workbook(text_cell("A1", "x"), more=f'<row r="1048576">{text_cell("XFD1048576", "y")}</row>')
    unfolding = workbook('<c r="A1" t="s"><v>0</v></c>', strings=[b"<si><t>", *[b"A" * 10**6] * 180, b"</t></si>"])
    for content in (far, unfolding):
        assert len(content) < 1_000_000
        with pytest.raises(ValueError, match="too large"):
            workbook_reader.read_text(content)


def test_an_invalid_workbook_is_reported() -> None:
    for content in (b"PK\x03\x04 nothing", b"\xd0\xcf\x11\xe0 old", workbook(text_cell("A1", "x"))[:-200]):
        assert workbook_reader.is_workbook(content)
        with pytest.raises(ValueError, match="can't be read"):
            workbook_reader.read_text(content)
    with pytest.raises(ValueError, match="This workbook is empty"):
        workbook_reader.read_text(workbook())
