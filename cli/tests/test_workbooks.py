"""A workbook can be used in place of a CSV file."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import Any

from loopback import Command, Reply, Service, ok
from python_calamine import CalamineWorkbook
from xlsxwriter import Workbook


def workbook(*rows: tuple[Any, ...], first: int = 0) -> bytes:
    out = io.BytesIO()
    book = Workbook(out, {"default_date_format": "yyyy-mm-dd"})
    sheet = book.add_worksheet()
    for number, row in enumerate(rows, start=first):
        sheet.write_row(number, 0, row)
    book.add_worksheet("Notes")
    book.close()
    return out.getvalue()


def cells(content: bytes) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()


def test_its_rows_are_sent_like_those_of_a_csv_file(
    svc: Command, service: Service, created: list[dict[str, Any]]
) -> None:
    svc.write(workbook(("name", "target-url"), (2026, "a.example"), (date(2026, 1, 2), "b.example")), "codes.xlsx")
    ran = svc("import", "qr", "create", "--csv", "codes.xlsx")
    assert (ran.code, ran.err) == (0, "Only the sheet “Sheet1” was read.\n2 sent, 0 failed.\n")
    assert [row["name"] for row in created] == ["2026", "2026-01-02"]
    assert "Skipped 2 of 2 rows that have already been sent" in svc("import", "qr", "create", "--csv", "codes.xlsx").err


def test_a_row_is_reported_by_its_number_in_the_spreadsheet(svc: Command, service: Service) -> None:
    svc.write(workbook(("name", "target-url"), ("A", "a.example"), ("", "b.example"), first=3), "codes.xlsx")
    ran = svc("import", "qr", "create", "--csv", "codes.xlsx")
    assert ran.code == 2
    assert "Row 6, name: Required" in ran.err


def test_unreadable_and_too_large_workbooks_are_reported(svc: Command, service: Service) -> None:
    svc.write(b"PK\x03\x04\x14", "codes.xlsx")
    assert "This workbook cannot be read" in svc("import", "qr", "create", "--csv", "codes.xlsx").err
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("xl/workbook.xml", "w") as part,
    ):
        for _ in range(220):
            part.write(b" " * 1_000_000)
    svc.write(out.getvalue(), "codes.xlsx")
    assert "too large" in svc("import", "qr", "create", "--csv", "codes.xlsx").err
    assert not service.calls_of("svc_qr_create")


def test_a_list_is_written_as_a_workbook_if_the_file_name_ends_in_xlsx(svc: Command, service: Service) -> None:
    rows = [{"id": "qr_1", "name": "=1+1", "scans": 3, "is_active": True}, {"id": "qr_2", "name": "Door", "more": [1]}]
    service.tools["svc_qr_list"] = lambda arguments, request: ok({"items": rows, "total": 2, "has_more": False})
    assert svc("qr", "list", "--csv", "all.xlsx").err == "Wrote 2 rows to all.xlsx.\n"
    assert cells((svc.home / "all.xlsx").read_bytes()) == [
        ["id", "name", "scans", "is_active", "more"],
        ["qr_1", "=1+1", 3.0, "true", ""],
        ["qr_2", "Door", "", "", "[1]"],
    ]


def test_a_table_created_by_a_tool_is_requested_as_a_workbook(svc: Command, service: Service) -> None:
    told = {"file_name": "leads.csv", "file_url": f"{service.url}/files/x?kind=leads&format=csv", "content": "name\r\n"}
    service.tools["svc_card_export"] = lambda arguments, request: ok(told)
    service.paths["/files/x"] = lambda request: Reply(b"PK")
    assert svc("card", "export", "leads", "--save", "leads.xlsx").code == 0
    assert (svc.home / "leads.xlsx").read_bytes() == b"PK"
    assert service.requests[-1].query == {"kind": "leads", "format": "xlsx"}
