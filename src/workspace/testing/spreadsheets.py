"""Workbooks, written byte by byte."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook(*cells: str, strings: Iterable[bytes] = (), more: str = "") -> bytes:
    """Build a workbook with one sheet and one row of `cells` (`<c>` elements), with shared strings."""
    out = io.BytesIO()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'{HEAD}<Types xmlns="{package}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'{HEAD}<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{RELS}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{RELS}"><sheets>'
            '<sheet name="Menu" sheetId="1" r:id="r1"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'{HEAD}<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="r1" Type="{RELS}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="r2" Type="{RELS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        )
        rows = f'<row r="1">{"".join(cells)}</row>'
        archive.writestr(
            "xl/worksheets/sheet1.xml",
            f'{HEAD}<worksheet xmlns="{MAIN}"><sheetData>{rows}{more}</sheetData></worksheet>',
        )
        with archive.open("xl/sharedStrings.xml", "w", force_zip64=True) as part:
            part.write(f'{HEAD}<sst xmlns="{MAIN}">'.encode())
            for piece in strings:
                part.write(piece)
            part.write(b"</sst>")
    return out.getvalue()


def number_cell(place: str, value: str) -> str:
    return f'<c r="{place}"><v>{value}</v></c>'


def text_cell(place: str, value: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
