"""Tables of people: columns are recognized by headings or assigned by hand, and ambiguous dates are questioned."""

from __future__ import annotations

import pytest

from workspace.lib.errors import InvalidInputError
from workspace.products.certs.domain import recipient_table
from workspace.products.certs.domain.recipient_table import build_recipients, list_ambiguous_days, parse_recipient_table

pytestmark = pytest.mark.any_database


def test_headings_are_normalized_and_remembered_and_others_are_asked_for() -> None:
    text = "Full_Name;E-MAIL address;Punkte\n=Ada;a@example.com;12\n;;\nBen;;\n"
    recipient_sheet = parse_recipient_table(text, remembered_meanings={})
    assert [column.meaning for column in recipient_sheet.columns] == ["name", "email", ""]
    assert (recipient_sheet.has_heading, [number for number, _ in recipient_sheet.lines]) == (True, [2, 4])
    again = parse_recipient_table(text, remembered_meanings={recipient_table.normalize_heading("PUNKTE "): "custom"})
    assert [column.meaning for column in again.columns] == ["name", "email", "custom"]
    assert build_recipients(again, ["name", "email", "custom"]) == [
        {"name": "=Ada", "email": "a@example.com", "custom": "12"},
        {"name": "Ben"},
    ]


def test_a_table_without_headings_is_recognized_by_its_content() -> None:
    recipient_sheet = parse_recipient_table(
        "Ada King,ada@example.com,3/4/2026\nBen,ben@example.com,5/6/2026\n", remembered_meanings={}
    )
    assert (recipient_sheet.has_heading, [column.meaning for column in recipient_sheet.columns]) == (
        False,
        ["name", "email", "date"],
    )
    assert recipient_table.is_name_list(parse_recipient_table("Ada King\nBen Okafor\n", remembered_meanings={}))
    assert [
        column.meaning for column in parse_recipient_table("a,b\nc,d", remembered_meanings={}, has_heading=True).columns
    ] == [
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("written", "order", "is_asked", "day"),
    [
        ("3/4/2026", "", True, "2026-04-03"),
        ("3/4/2026", "mdy", True, "2026-03-04"),
        ("13/4/2026", "mdy", False, "2026-04-13"),
        ("4/13/2026", "dmy", False, "2026-04-13"),
        ("3.4.2026", "mdy", False, "2026-04-03"),
        ("4/4/2026", "", False, "2026-04-04"),
        ("2026/4/3", "", False, "2026-04-03"),
        ("2026-04-03 00:00:00", "", False, "2026-04-03"),
        ("May 2026", "", False, "May 2026"),
        ("30/2/2026", "", False, "2026-02-30"),
    ],
)
def test_dates_are_parsed_as_people_write_them(written: str, order: str, is_asked: bool, day: str) -> None:
    sheet = parse_recipient_table(f"name;date\nAda;{written}\n", remembered_meanings={})
    assert bool(list_ambiguous_days(sheet, ["name", "date"])) is is_asked
    assert build_recipients(sheet, ["name", "date"], order)[0]["date"] == day


def test_invalid_or_too_large_tables_are_rejected() -> None:
    with pytest.raises(InvalidInputError, match="Split it"):
        parse_recipient_table("\n".join(f"Name {n}" for n in range(600)), remembered_meanings={})
    with pytest.raises(InvalidInputError):
        parse_recipient_table('name\n"Ada\n', remembered_meanings={})
    assert parse_recipient_table(" \n\n", remembered_meanings={}).lines == []
