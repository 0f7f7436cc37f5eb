"""Which sheet of a workbook is read, and the note about the others."""

from __future__ import annotations

import io
import zipfile

from workspace.lib.tabular import workbook_reader

TYPE = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
SUMMARY = [["Presupuesto", 12000], ["Invitados", 7]]
GUESTS = [["Boda"], [], ["Nombre", "Mesa"], ["Sara", 4]]


def workbook(**sheets: list[list[str | int]]) -> bytes:
    out = io.BytesIO()
    tables = "".join(
        f'<table:table table:name="{name}">{"".join(map(row_of, rows))}</table:table>' for name, rows in sheets.items()
    )
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", TYPE)
        manifest = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
        archive.writestr("META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{manifest}"/>')
        body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        archive.writestr("content.xml", f"<office:document-content {NAMES}>{body}</office:document-content>")
    return out.getvalue()


def row_of(cells: list[str | int]) -> str:
    return f"<table:table-row>{''.join(map(cell_of, cells)) or '<table:table-cell/>'}</table:table-row>"


def cell_of(value: str | int) -> str:
    if isinstance(value, int):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'


def test_a_sheet_with_a_heading_is_preferred_to_a_summary() -> None:
    text, note = workbook_reader.read_text(workbook(Resumen=SUMMARY, Lista=GUESTS))
    assert "Nombre\tMesa\nSara\t4" in text and "Presupuesto" not in text
    assert note == "Only the sheet “Lista” was read. Other sheets: “Resumen”."


def test_without_a_heading_the_first_sheet_is_read() -> None:
    text, note = workbook_reader.read_text(workbook(Resumen=SUMMARY, Notas=[["Flores"]]))
    assert "Presupuesto" in text and "“Resumen” was read. Other sheets: “Notas”" in note
